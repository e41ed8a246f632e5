import Glibc

// Of <linux/fcntl.h>; Glibc's module has only what POSIX has.
private let setLease: Int32 = 1_024
private let setSignal: Int32 = 10

/// Waits until no process has a file open for writing, for a second at most.
///
/// A program cannot be started (`ETXTBSY`) while a process has it open for writing. That may be a child that another test
/// starts just then: between `fork` and `exec` it has all descriptors of this process.
func waitUntilWritten(_ path: String) {
    // If this fails, the file cannot be started either.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    // A writer that opens the file now causes this signal instead of SIGIO, which would end the process.
    _ = fcntl(descriptor, setSignal, SIGURG)
    for _ in 0..<1_000 {
        // A lease for reading is refused with EAGAIN while there are writers; without support for leases, writers cannot be detected.
        guard fcntl(descriptor, setLease, F_RDLCK) == -1, errno == EAGAIN else { break }
        usleep(1_000)
    }
    _ = fcntl(descriptor, setLease, F_UNLCK)
}
