import Glibc
import HunchModel
import Localization

/// A sequence of bytes that is read once, from beginning to end.
public protocol ByteStream: AnyObject {
    /// The fraction of the underlying file that was read, 0…1.
    var fraction: Double { get }

    /// Reads some bytes.
    ///
    /// - Returns: the number of bytes read; 0 at the end.
    /// - Throws: ``ImportError``.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int
}

/// A stream of the bytes of a file or of a part of it.
public final class FileStream: ByteStream {
    private let path: String
    private let descriptor: Int32
    private let size: Double
    private var left: Int
    private var done = 0.0

    /// Opens a file.
    ///
    /// - Parameter range: the bytes to read; `nil` for the whole file.
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
        // -1 on failure, with errno. All properties are set, so deinit closes the descriptor.
        if let range, lseek(descriptor, range.lowerBound, SEEK_SET) < 0 { throw Self.unreadable(path) }
    }

    deinit { close(descriptor) }

    /// The fraction of the file, or of its part, that was read, 0…1.
    public var fraction: Double { min(1, done / size) }

    /// Reads some bytes.
    ///
    /// - Returns: the number of bytes read; 0 at the end.
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

    /// Returns the error for a failed system call on a file, from `errno`.
    static func unreadable(_ path: String) -> ImportError {
        ImportError(.unreadable, localized("%1 cannot be read: %2", path, String(cString: strerror(errno))))
    }
}
