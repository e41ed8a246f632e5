#pragma once
// Parts of glibc that Swift's Glibc module leaves out.
#include <libintl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <stdint.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/vfs.h>
#include <unistd.h>

// Declared by glibc only with _GNU_SOURCE, which a module cannot set for the system's headers.
extern int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout, const sigset_t *mask);
extern long syscall(long number, ...);
extern int pthread_setname_np(pthread_t thread, const char *name);

// Whether the file system encrypts a file by itself (fscrypt): statx(2), whose structure glibc declares only with
// _GNU_SOURCE. 0 as well if the file is missing. −100 is AT_FDCWD, whose header also has stat(2), which belongs to Glibc.
static inline int hunch_is_encrypted(const char *path) {
    struct {
        uint32_t mask, block;
        uint64_t attributes;
        char rest[240];
    } status;
    if (syscall(SYS_statx, -100, path, 0, 0, &status) != 0) return 0;
    return (status.attributes & 0x800) != 0;  // STATX_ATTR_ENCRYPTED
}

// prctl is variadic, which cannot be imported.
static inline int hunch_set_dumpable(unsigned long value) { return prctl(PR_SET_DUMPABLE, value, 0, 0, 0); }
