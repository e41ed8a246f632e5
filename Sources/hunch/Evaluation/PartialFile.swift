import Glibc

/// A file that is written beside its place and takes it when it is whole; until then what was there stays.
final class PartialFile {
    private let path: String
    private let partial: String
    private var descriptor: Int32
    private var pending = ""
    private static let block = 65_536

    /// Makes the file beside its place.
    ///
    /// - Throws: ``CommandError`` when it cannot be made there.
    init(path: String) throws {
        self.path = path
        // A name of its own: two commands may write to one place.
        partial = "\(path).\(getpid()).partial"
        // -1 on failure, with errno. Only ours: O_EXCL follows no link.
        descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Self.failure(path) }
    }

    /// Takes what was not finished away.
    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        unlink(partial)
    }

    /// Appends a line.
    func line(_ text: String) throws {
        pending += text + "\n"
        if pending.utf8.count >= Self.block { try flush() }
    }

    /// Puts the file in its place. Nothing can be appended afterwards.
    func finish() throws {
        try flush()
        // -1 on failure, with errno: what was written may not be on the disk.
        guard fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS, rename(partial, path) == 0 else {
            throw Self.failure(path)
        }
        close(descriptor)
        descriptor = -1
    }

    private func flush() throws {
        do {
            try Output.write(pending, to: descriptor)
        } catch {
            throw Self.failure(path)
        }
        pending = ""
    }

    private static func failure(_ path: String) -> CommandError {
        CommandError("“\(path)” cannot be written: \(String(cString: strerror(errno)))", ExitStatus.trouble)
    }
}
