import HunchModel
import Glibc

/// Bytes that are read from the beginning to the end, once.
protocol ByteStream: AnyObject {
    /// What was read of the file behind it, 0…1.
    var fraction: Double { get }

    /// Reads some bytes.
    ///
    /// - Returns: how many; 0 at the end.
    /// - Throws: ``ImportError``.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int
}

/// A file, or a part of it.
final class FileStream: ByteStream {
    private let path: String
    private let descriptor: Int32
    private let size: Double
    private var left: Int
    private var done = 0.0

    /// Opens a file.
    ///
    /// - Parameter range: the bytes to read; `nil` for all.
    /// - Throws: ``ImportError`` with `unreadable`.
    init(path: String, range: Range<Int>? = nil) throws {
        self.path = path
        // -1 on failure, with errno.
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.unreadable(path) }
        var status = stat()
        let all = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
        left = range?.count ?? Int.max
        size = Double(max(range?.count ?? all, 1))
        if let range, lseek(descriptor, range.lowerBound, SEEK_SET) < 0 {
            close(descriptor)
            throw Self.unreadable(path)
        }
    }

    deinit { close(descriptor) }

    var fraction: Double { min(1, done / size) }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
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

    static func unreadable(_ path: String) -> ImportError {
        ImportError(.unreadable, "\(path) cannot be read: \(String(cString: strerror(errno)))")
    }
}
