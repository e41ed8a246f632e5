import Glibc

/// A file that a command reads.
enum InputFile {
    /// Opens it.
    ///
    /// - Parameter path: `-` for standard input, which is not to be closed.
    /// - Throws: ``CommandError`` when it cannot be read, or is a folder.
    static func open(_ path: String) throws(CommandError) -> Int32 {
        guard path != "-" else { return STDIN_FILENO }
        // −1 on failure, with errno.
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw CommandError("“\(path)” cannot be read: \(String(cString: strerror(errno)))", ExitStatus.badInput)
        }
        var status = stat()
        // -1 on failure; then reading tells.
        if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            close(descriptor)
            throw CommandError("“\(path)” is a folder; give a file", ExitStatus.badInput)
        }
        return descriptor
    }
}
