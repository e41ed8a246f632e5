#if canImport(Glibc)
    import Glibc
#else
    import Musl
#endif

/// The error number of a failed system call.
package struct SystemError: Error, CustomStringConvertible {
    package let code: CInt

    /// Creates an error. By default it is that of the last call.
    package init(code: CInt = errno) { self.code = code }

    /// The words of the C library, such as “No such file or directory”.
    package var description: String { String(cString: strerror(code)) }
}

/// Writes all bytes to a descriptor.
package func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt) throws(SystemError) {
    var rest = bytes
    while !rest.isEmpty {
        // -1 on failure, with errno.
        let count = write(descriptor, rest.baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw SystemError(code: count < 0 ? errno : ENOSPC) }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
}

/// Writes all bytes to a descriptor.
package func writeAll(_ bytes: [UInt8], to descriptor: CInt) throws(SystemError) {
    try bytes.withUnsafeBytes { bytes in
        Result { () throws(SystemError) in try writeAll(bytes, to: descriptor) }
    }.get()
}
