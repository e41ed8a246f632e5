import Glibc
import HunchModel

/// Bytes that are read from the beginning to the end, once.
public protocol ByteStream: AnyObject {
    /// What was read of the file behind it, 0…1.
    var fraction: Double { get }

    /// Reads some bytes.
    ///
    /// - Returns: how many; 0 at the end.
    /// - Throws: ``ImportError``.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int
}

/// A file, or a part of it.
public final class FileStream: ByteStream {
    private let path: String
    private let descriptor: Int32
    private let size: Double
    private var left: Int
    private var done = 0.0

    /// Opens a file.
    ///
    /// - Parameter range: the bytes to read; `nil` for all.
    /// - Throws: ``ImportError`` with `unreadable`.
    public init(path: String, range: Range<Int>? = nil) throws {
        self.path = path
        // -1 on failure, with errno.
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.unreadable(path) }
        var status = stat()
        let all = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
        left = range?.count ?? Int.max
        size = Double(max(range?.count ?? all, 1))
        // -1 on failure, with errno. The descriptor is closed with the object, which is whole by now.
        if let range, lseek(descriptor, range.lowerBound, SEEK_SET) < 0 { throw Self.unreadable(path) }
    }

    deinit { close(descriptor) }

    /// What was read of the file or its part, 0…1.
    public var fraction: Double { min(1, done / size) }

    /// Reads some bytes.
    ///
    /// - Returns: how many; 0 at the end.
    /// - Throws: ``ImportError`` with `unreadable`.
    public func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while true {
            // -1 on failure, with errno; 0 at the end.
            let count = Glibc.read(descriptor, buffer.baseAddress, min(buffer.count, left))
            if count < 0 {
                if errno == EINTR { continue }
                throw Self.unreadable(path)
            }
            left -= count
            done += Double(count)
            return count
        }
    }

    /// The error for a file that a call of the system just failed to read, by `errno`.
    static func unreadable(_ path: String) -> ImportError {
        ImportError(.unreadable, "\(path) cannot be read: \(String(cString: strerror(errno)))")
    }
}
