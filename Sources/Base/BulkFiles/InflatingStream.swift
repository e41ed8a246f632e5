import CZlib
import HunchModel
import Localization

/// Decompresses a stream in RFC 1951 (deflate, as in ZIP archives) or RFC 1952 (gzip, of one or more members).
public final class InflatingStream: ByteStream {
    /// The container of the compressed bytes.
    public enum Form: Int32, Sendable {
        /// Raw deflate data, without a container.
        case deflate = -15
        /// A gzip header and checksum.
        case gzip = 31
    }

    private let source: any ByteStream
    private let name: String
    private let form: Form
    /// The state of zlib, at a fixed address because zlib keeps a pointer to it.
    private let state: UnsafeMutablePointer<z_stream>
    private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    private var isSourceAtEnd = false
    private var isAtEnd = false

    /// Creates a stream of the decompressed bytes of another stream.
    ///
    /// - Parameter name: the name of the stream in error messages.
    /// - Throws: ``ImportError`` with `unreadable` if memory is exhausted.
    public init(_ source: any ByteStream, _ form: Form, name: String) throws {
        self.source = source
        self.name = name
        self.form = form
        state = .allocate(capacity: 1)
        state.initialize(to: z_stream())
        // On any result but Z_OK, zlib has freed its own memory; deinit frees ours.
        guard inflateInit2_(state, form.rawValue, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw ImportError(.unreadable, localized("there is not enough memory to unpack %1", name))
        }
    }

    deinit {
        inflateEnd(state)
        state.deallocate()
        input.deallocate()
    }

    /// The fraction of the underlying file that was read, 0…1.
    public var fraction: Double { source.fraction }

    /// Reads some bytes.
    ///
    /// - Returns: the number of bytes read; 0 at the end.
    /// - Throws: ``ImportError``, with `malformed` if the stream cannot be decompressed.
    public func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard !isAtEnd, !buffer.isEmpty else { return 0 }
        let size = min(buffer.count, Int(UInt32.max))
        state.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: Bytef.self)
        state.pointee.avail_out = uInt(size)
        while state.pointee.avail_out == uInt(size) {
            if state.pointee.avail_in == 0, !isSourceAtEnd { try refill() }
            let result = inflate(state, Z_NO_FLUSH)
            switch result {
            case Z_OK: break
            case Z_BUF_ERROR where !isSourceAtEnd: break
            case Z_STREAM_END:
                if state.pointee.avail_in == 0, !isSourceAtEnd { try refill() }
                // A gzip file may consist of several members.
                guard form == .gzip, state.pointee.avail_in > 0, inflateReset(state) == Z_OK else {
                    isAtEnd = true
                    return size - Int(state.pointee.avail_out)
                }
            default: throw ImportError(.malformed, localized("%1 is damaged: it cannot be unpacked", name))
            }
        }
        return size - Int(state.pointee.avail_out)
    }

    private func refill() throws {
        let count = try source.read(into: input)
        isSourceAtEnd = count == 0
        state.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: Bytef.self)
        state.pointee.avail_in = uInt(count)
    }
}
