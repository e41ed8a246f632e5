internal import HunchModel
import Glibc

/// Reads a file line by line through one buffer, so that its size does not matter.
struct LineReader {
    /// The most bytes of a line.
    static let maximumLineLength = 1 << 20

    private let path: String

    init(path: String) { self.path = path }

    /// Calls `body` with every line, without its end.
    ///
    /// - Parameter progress: called with the fraction 0…1 that was read, once a buffer.
    /// - Throws: ``ImportError`` with `unreadable` or `tooLong`, or what `body` throws.
    func forEachLine(progress: (Double) -> Void = { _ in }, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        // -1 on failure, with errno.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable() }
        defer { close(descriptor) }
        var status = stat()
        let size = fstat(descriptor, &status) == 0 ? Double(max(status.st_size, 1)) : 1

        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.maximumLineLength, alignment: 16)
        defer { buffer.deallocate() }
        var filled = 0
        var total = 0.0
        while true {
            let free = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            guard !free.isEmpty else {
                throw ImportError(.tooLong, "\(path) has a line of more than \(Self.maximumLineLength) bytes")
            }
            // -1 on failure, with errno; 0 at the end.
            let count = Glibc.read(descriptor, free.baseAddress, free.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw unreadable()
            }
            filled += count
            total += Double(count)
            var start = 0
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<filled])
            while let end = Self.newline(in: bytes, from: start) {
                try Self.call(body, bytes, start..<end)
                start = end + 1
            }
            if count == 0 {
                if start < filled { try Self.call(body, bytes, start..<filled) }
                return progress(1)
            }
            filled -= start
            if start > 0, filled > 0, let base = buffer.baseAddress { memmove(base, base + start, filled) }
            progress(min(1, total / size))
        }
    }

    private static func newline(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard start < bytes.count, let base = bytes.baseAddress else { return nil }
        // NULL when there is none.
        guard let found = memchr(base + start, 0x0A, bytes.count - start) else { return nil }
        return UnsafeRawPointer(found) - base
    }

    private static func call(
        _ body: (UnsafeRawBufferPointer) throws -> Void, _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>
    ) throws {
        let end = range.isEmpty || bytes[range.upperBound - 1] != 0x0D ? range.upperBound : range.upperBound - 1
        try body(UnsafeRawBufferPointer(rebasing: bytes[range.lowerBound..<end]))
    }

    private func unreadable() -> ImportError {
        ImportError(.unreadable, "\(path) cannot be read: \(String(cString: strerror(errno)))")
    }
}

/// The tab-separated columns of a line, as ranges into it.
struct TabSeparated {
    private let line: UnsafeRawBufferPointer
    private var bounds: [Int] = []

    init(_ line: UnsafeRawBufferPointer) {
        self.line = line
        bounds.reserveCapacity(20)
        bounds.append(-1)
        for index in line.indices where line[index] == 0x09 { bounds.append(index) }
        bounds.append(line.count)
    }

    var count: Int { bounds.count - 1 }

    /// The bytes of a column.
    subscript(column: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: line[(bounds[column] + 1)..<bounds[column + 1]])
    }

    /// A column as text; `nil` when it is not UTF-8.
    func text(_ column: Int) -> String? { String(validating: self[column], as: UTF8.self) }
}
