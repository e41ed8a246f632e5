#if canImport(Glibc)
    import Glibc
#else
    import Musl
#endif

/// Files that other programs name: a pipe, a device or a symbolic link at the path does no harm.
package enum ForeignFile {
    /// `O_PATH` (fcntl.h), which Swift does not import.
    private static let pathOnly: CInt = 0o10_000_000

    /// Opens a regular file for reading. The caller closes the descriptor.
    ///
    /// Files with “.sqlite” in their names are refused. Closing a descriptor drops all locks of this process on the file
    /// (close(2) and fcntl(2)), and SQLite needs its locks on Hunch's databases.
    ///
    /// - Throws: ``SystemError``: `EACCES` for a database, `ELOOP` for a link, `EINVAL` for anything but a file.
    package static func open(_ path: String) throws(SystemError) -> CInt {
        // Closing such a descriptor drops no locks. -1 on failure, with errno.
        let place = openat(AT_FDCWD, path, pathOnly | O_NOFOLLOW | O_CLOEXEC)
        guard place >= 0 else { throw SystemError() }
        defer { close(place) }
        var status = stat()
        guard fstat(place, &status) == 0 else { throw SystemError() }
        guard status.st_mode & S_IFMT != S_IFLNK else { throw SystemError(code: ELOOP) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw SystemError(code: EINVAL) }
        let link = "/proc/self/fd/\(place)"
        guard let name = realpath(link, nil) else { throw SystemError() }
        defer { free(name) }
        let target = String(cString: name)
        guard !target[(target.lastIndex(of: "/") ?? target.startIndex)...].contains(".sqlite") else {
            throw SystemError(code: EACCES)
        }
        let descriptor = openat(AT_FDCWD, link, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError() }
        return descriptor
    }
}
