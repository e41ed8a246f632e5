// Shows ThreadSanitizer the slow paths of Swift's Mutex.
//
// The fast paths are inlined into our code and seen, the slow ones lie in libswiftSynchronization, which is not
// instrumented: every lock that was ever contended would be reported as a race. `make sanitize` preloads this library,
// which says at the end of each slow lock and at the beginning of each slow unlock what happened. Races on anything
// that no lock protects are reported as ever.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

// Absent in programs without ThreadSanitizer.
extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));

typedef __attribute__((swiftcall)) void lock_function(uint32_t thread, __attribute__((swift_context)) void *mutex);
typedef __attribute__((swiftcall)) void unlock_function(__attribute__((swift_context)) void *mutex);

lock_function lock_slowly __asm__(LOCK);
unlock_function unlock_slowly __asm__(UNLOCK);

__attribute__((swiftcall)) void lock_slowly(uint32_t thread, __attribute__((swift_context)) void *mutex) {
    lock_function *next = (lock_function *)dlsym(RTLD_NEXT, LOCK);
    next(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

__attribute__((swiftcall)) void unlock_slowly(__attribute__((swift_context)) void *mutex) {
    unlock_function *next = (unlock_function *)dlsym(RTLD_NEXT, UNLOCK);
    if (__tsan_release) __tsan_release(mutex);
    next(mutex);
}
