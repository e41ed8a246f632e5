import CommandSupport
import Glibc

/// A file that is written beside its destination and renamed when it is complete, so that the previous file stays
/// until then. Pipes and devices are written directly, and links are followed.
final class PartialFile {
    private let path: String
    /// The path of the partial file; `nil` if the destination is written directly.
    private let partial: String?
    private var descriptor: Int32
    private var pending = ""
    private static let block = 65_536

    /// Creates the file beside its destination.
    ///
    /// - Throws: ``CommandError`` if that fails.
    init(path: String) throws {
        var status = stat()
        // −1: there is no file yet.
        let isThere = stat(path, &status) == 0
        if isThere, status.st_mode & S_IFMT != S_IFREG {
            (self.path, partial) = (path, nil)
            descriptor = open(path, O_WRONLY | O_CLOEXEC)
        } else {
            // NULL if there is nothing to resolve.
            let target = realpath(path, nil)
            defer { free(target) }
            self.path = target.map { String(cString: $0) } ?? path
            // A unique name: two commands may write to one destination.
            let partial = "\(self.path).\(getpid()).partial"
            self.partial = partial
            // O_EXCL follows no link.
            descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        }
        // −1 on failure, with errno.
        guard descriptor >= 0 else { throw Self.failure(path) }
    }

    /// Removes an unfinished file.
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

    /// Moves the file to its destination. Nothing can be appended afterwards.
    func finish() throws {
        try flush()
        if let partial {
            // −1 on failure, with errno: the data may not be on the disk.
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
