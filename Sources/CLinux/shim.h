#pragma once
// Parts of glibc that Swift's Glibc module leaves out.
#include <libintl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>

// Declared by glibc only with _GNU_SOURCE, which a module cannot set for the system's headers.
extern int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout, const sigset_t *mask);
extern int pthread_setname_np(pthread_t thread, const char *name);

// prctl is variadic, which cannot be imported.
static inline int hunch_set_dumpable(unsigned long value) { return prctl(PR_SET_DUMPABLE, value, 0, 0, 0); }
