internal import Glibc

/// A copy of bytes in a file, for code that reads files only.
package enum ScratchFile {
    /// Calls `body` with the path of a file with some bytes. The file has no name, and exists only during the call.
    ///
    /// - Throws: ``SystemError`` if there is not enough space in `/tmp`, or the error of `body`.
    package static func lend<Result>(_ bytes: [UInt8], _ body: (String) throws -> Result) throws
        -> Result
    {
        var template = Array("/tmp/hunch-XXXXXX".utf8CString)
        // -1 on failure, with errno. On success the template contains the name, which is unlinked at once.
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw SystemError(code: errno) }
        unlink(template)
        defer { close(descriptor) }
        try writeAll(bytes, to: descriptor)
        return try body("/proc/self/fd/\(descriptor)")
    }
}
