import Glibc

/// A file in the runtime folder that tells of a session which `hunch lockscreen` said is locked: what was left behind by one that was
/// killed can be told from another locker at work.
///
/// It is held by an advisory lock (flock(2)) that the locker inherits: as long as either runs, it is at work. It owns its descriptor.
final class LockerMark {
    private let descriptor: Int32
    /// Whether one that is at work no more had said that the session is locked, and not that it is no more.
    let isLeft: Bool

    /// Holds the mark of a session.
    ///
    /// - Parameters:
    ///   - session: logind's object path of it.
    ///   - directory: the runtime folder.
    /// - Returns: `nil` while another holds it, or where no file can be made.
    init?(of session: String, in directory: String) {
        let name = session.split(separator: "/").last.map(String.init) ?? "session"
        // Without O_CLOEXEC: the locker is to inherit it. −1: it cannot be made, or is a link.
        let opened = open("\(directory)/hunch-locker-\(name)", O_RDWR | O_CREAT | O_NOFOLLOW, 0o600)
        guard opened >= 0 else { return nil }
        // −1: held by another, or the file system has no locks.
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
            close(opened)
            return nil
        }
        descriptor = opened
        var status = stat()
        // −1: of an open file it does not occur.
        isLeft = fstat(opened, &status) == 0 && status.st_size > 0
    }

    deinit { close(descriptor) }

    /// Writes down whether the session was said to be locked. A full disk is as good as no mark.
    func write(isLocked: Bool) {
        guard ftruncate(descriptor, 0) == 0, isLocked else { return }
        _ = pwrite(descriptor, "1", 1, 0)
    }
}
