import Glibc

/// A file in the runtime folder for a session that `hunch lockscreen` reported as locked. It distinguishes a state
/// that a killed process left behind from another running locker.
///
/// An advisory lock (flock(2)), which the locker inherits, is held while either process runs. Owns its descriptor.
final class LockerMark {
    private let descriptor: Int32
    /// Whether a killed process left the session reported as locked.
    let isLeft: Bool

    /// Locks the mark of a session.
    ///
    /// - Parameters:
    ///   - session: the session's object path in logind.
    ///   - directory: the runtime folder.
    /// - Returns: `nil` while another process holds it, or if no file can be created.
    init?(of session: String, in directory: String) {
        let name = session.split(separator: "/").last.map(String.init) ?? "session"
        // Without O_CLOEXEC, so that the locker inherits it. −1: it cannot be created, or is a link.
        let opened = open("\(directory)/hunch-locker-\(name)", O_RDWR | O_CREAT | O_NOFOLLOW, 0o600)
        guard opened >= 0 else { return nil }
        // −1: another process holds it, or the file system has no locks.
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
            close(opened)
            return nil
        }
        descriptor = opened
        var status = stat()
        // −1 does not occur for an open file.
        isLeft = fstat(opened, &status) == 0 && status.st_size > 0
    }

    deinit { close(descriptor) }

    /// Stores whether the session was reported as locked. A full disk equals no mark.
    func write(isLocked: Bool) {
        guard ftruncate(descriptor, 0) == 0, isLocked else { return }
        _ = pwrite(descriptor, "1", 1, 0)
    }
}
