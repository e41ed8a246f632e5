import Glibc

/// A file that is written beside its place and takes it when it is whole; until then what was there stays. What is no
/// regular file, such as a pipe or a device, is written to as it is, and a link is followed.
final class PartialFile {
    private let path: String
    /// Where it is written; `nil` when it is written where it belongs.
    private let partial: String?
    private var descriptor: Int32
    private var pending = ""
    private static let block = 65_536

    /// Makes the file beside its place.
    ///
    /// - Throws: ``CommandError`` when it cannot be made there.
    init(path: String) throws {
        var status = stat()
        // -1: there is nothing yet.
        let isThere = stat(path, &status) == 0
        if isThere, status.st_mode & S_IFMT != S_IFREG {
            (self.path, partial) = (path, nil)
            descriptor = open(path, O_WRONLY | O_CLOEXEC)
        } else {
            // NULL where there is nothing to resolve.
            let target = realpath(path, nil)
            defer { free(target) }
            self.path = target.map { String(cString: $0) } ?? path
            // A name of its own: two commands may write to one place.
            let partial = "\(self.path).\(getpid()).partial"
            self.partial = partial
            // Only ours: O_EXCL follows no link.
            descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        }
        // -1 on failure, with errno.
        guard descriptor >= 0 else { throw Self.failure(path) }
    }

    /// Takes what was not finished away.
    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        if let partial { unlink(partial) }
    }

    /// Appends a line.
    func line(_ text: String) throws {
        pending += text + "\n"
        if pending.utf8.count >= Self.block { try flush() }
    }

    /// Puts the file in its place. Nothing can be appended afterwards.
    func finish() throws {
        try flush()
        if let partial {
            // -1 on failure, with errno: what was written may not be on the disk.
            guard fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS, rename(partial, path) == 0 else {
                throw Self.failure(path)
            }
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
