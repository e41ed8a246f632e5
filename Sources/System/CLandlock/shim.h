#pragma once
// glibc has no functions for Landlock's system calls, and Swift cannot call the variadic syscall(2) and prctl(2).
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// <fcntl.h> hides it unless the module is built with _GNU_SOURCE.
#ifndef O_PATH
#define O_PATH 010000000
#endif

/// Returns the version of Landlock's interface, at least 1; -1 with errno where the kernel has none or it is switched off.
static inline int hunch_landlock_version(void) {
    return (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

/// Makes a set of rules that refuses the given kinds of access everywhere. Returns its descriptor; -1 with errno.
static inline int hunch_landlock_make(uint64_t refused) {
    struct landlock_ruleset_attr attributes = {.handled_access_fs = refused};
    return (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0);
}

/// Allows some kinds of access to a file, or to all below a folder. Returns 0; -1 with errno.
static inline int hunch_landlock_allow(int rules, const char *path, uint64_t allowed) {
    struct landlock_path_beneath_attr attributes = {.allowed_access = allowed};
    attributes.parent_fd = open(path, O_PATH | O_CLOEXEC);
    if (attributes.parent_fd < 0)
        return -1;
    int result = (int)syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &attributes, 0);
    close(attributes.parent_fd);
    return result;
}

/// Holds the calling thread, and all that it starts, to a set of rules for good. Returns 0; -1 with errno.
static inline int hunch_landlock_restrict_thread(int rules) {
    // The kernel asks for it, so that no program with more rights is started; it applies to this thread alone.
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return -1;
    return (int)syscall(SYS_landlock_restrict_self, rules, 0);
}
