internal import Glibc
internal import Localization

/// A file that a command reads.
package enum InputFile {
    /// Opens the file.
    ///
    /// - Parameter path: `-` for standard input, which the caller must not close.
    /// - Throws: ``CommandError`` if it cannot be read or is a folder.
    package static func open(_ path: String) throws(CommandError) -> Int32 {
        guard path != "-" else { return STDIN_FILENO }
        // −1 on failure, with errno.
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw CommandError(
                localized("“%1” cannot be read: %2", path, String(cString: strerror(errno))), ExitStatus.badInput)
        }
        var status = stat()
        // −1 on failure; reading reports the error.
        if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            close(descriptor)
            throw CommandError(localized("“%1” is a folder; give a file", path), ExitStatus.badInput)
        }
        return descriptor
    }
}
