#if canImport(Glibc)
    package import Glibc
#else
    package import Musl
#endif

/// A file that is written under another name and takes the name of its destination when it is complete. Until then, and
/// if the process is killed, the former file stays.
package final class ReplacementFile {
    private let path: String
    private let partial: String
    /// The open partial file; -1 if there is none.
    private var descriptor: CInt
    private var isUnfinished = false

    /// Creates the partial file.
    ///
    /// - Parameters:
    ///   - path: the destination.
    ///   - partial: a path in the same folder at which there is no file.
    ///   - mode: the permissions.
    ///   - isExact: whether to set the permissions regardless of the process's mask.
    package init(of path: String, at partial: String, mode: mode_t, isExact: Bool = false) throws(SystemError) {
        self.path = path
        self.partial = partial
        // O_EXCL follows no link. -1 on failure, with errno.
        descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw SystemError() }
        isUnfinished = true
        guard !isExact || fchmod(descriptor, mode) == 0 else { throw SystemError() }
    }

    /// Removes an unfinished file.
    deinit {
        if descriptor >= 0 { close(descriptor) }
        if isUnfinished { unlink(partial) }
    }

    /// Returns the path without symbolic links; the path itself if there is no file.
    package static func resolved(_ path: String) -> String {
        // NULL: no file at the path yet. The caller frees the result.
        guard let target = realpath(path, nil) else { return path }
        defer { free(target) }
        return String(cString: target)
    }

    /// Appends bytes.
    package func write(_ bytes: [UInt8]) throws(SystemError) { try writeAll(bytes, to: descriptor) }

    /// Moves the file to its destination. Nothing can be appended afterwards.
    ///
    /// - Parameter isDurable: whether to wait until the bytes are on the disk, if the file system supports that.
    package func finish(isDurable: Bool = true) throws(SystemError) {
        guard !isDurable || fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS else { throw SystemError() }
        // Some file systems report a lack of space only on close.
        let isClosed = close(descriptor) == 0
        descriptor = -1
        guard isClosed, rename(partial, path) == 0 else { throw SystemError() }
        isUnfinished = false
    }
}
