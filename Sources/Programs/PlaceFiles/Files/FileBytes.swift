internal import TextEncodings
public import Coordinates
import Glibc
public import HunchModel
import Localization
import Places

/// The content of a file, read piece by piece at any offset.
///
/// A regular file stays on disk, so that a photo of many megabytes costs a few small reads. A pipe is read into
/// memory.
public final class FileBytes {
    /// The maximum number of bytes that are read from a pipe.
    public static let maximumPipe = 16 << 20

    /// The name of the file in errors.
    public let name: String
    /// The number of bytes that can be read.
    let count: Int
    /// Whether a pipe had more than ``maximumPipe`` bytes, so that the rest was not read.
    let isCut: Bool
    /// The bytes of a pipe; empty for a file on disk.
    let memory: [UInt8]
    /// A path for opening the file again; `nil` for a pipe.
    let path: String?
    private let descriptor: Int32

    /// Opens a file.
    ///
    /// - Throws: ``PlaceError`` with `unreadable`.
    public init(path: String) throws(PlaceError) {
        // -1 on failure, with errno.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.unreadable(path, errno) }
        var status = stat()
        // -1 on failure. Then reading will fail.
        let kind = fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
        guard kind != S_IFDIR else {
            // The deinitialiser does not run for a partially initialised object.
            close(descriptor)
            throw Self.unreadable(path, EISDIR)
        }
        (name, self.descriptor) = (path, descriptor)
        guard kind != S_IFREG else {
            (self.path, memory, isCut, count) = (path, [], false, Int(clamping: status.st_size))
            return
        }
        do throws(PlaceError) {
            let bytes = try Self.pipe(descriptor, after: [], named: path)
            (self.path, memory, isCut, count) = (nil, bytes.kept, bytes.isCut, bytes.kept.count)
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Reads a pipe to its end, or up to ``maximumPipe``.
    ///
    /// - Parameters:
    ///   - descriptor: the pipe, which stays open.
    ///   - head: the bytes that were already read from it.
    ///   - name: the name in errors.
    /// - Throws: ``PlaceError`` with `unreadable`.
    public init(pipe descriptor: Int32, after head: [UInt8], named name: String) throws(PlaceError) {
        let bytes = try Self.pipe(descriptor, after: head, named: name)
        self.name = name
        self.descriptor = -1
        (path, memory, isCut, count) = (nil, bytes.kept, bytes.isCut, bytes.kept.count)
    }

    /// Creates a file of bytes in memory.
    public init(_ bytes: [UInt8], named name: String) {
        self.name = name
        descriptor = -1
        (path, memory, isCut, count) = (nil, bytes, false, bytes.count)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Returns the bytes at an offset, fewer than requested at the end of the file.
    ///
    /// - Parameters:
    ///   - offset: the offset, at least 0.
    ///   - length: the maximum number of bytes, at least 0.
    /// - Throws: ``PlaceError`` with `unreadable`.
    func bytes(_ offset: Int, _ length: Int) throws(PlaceError) -> [UInt8] {
        guard offset < count else { return [] }
        let length = min(length, count - offset)
        guard path != nil else { return Array(memory[offset..<(offset + length)]) }
        var failure: Int32?
        let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, filled in
            while filled < length {
                let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
                // -1 on failure, with errno; 0 if the file has become shorter.
                let result = pread(descriptor, rest.baseAddress, length - filled, offset + filled)
                if result < 0, errno == EINTR { continue }
                if result < 0 { failure = errno }
                guard result > 0 else { return }
                filled += result
            }
        }
        if let failure { throw Self.unreadable(name, failure) }
        return bytes
    }

    /// Returns the content as text, without a byte order mark.
    ///
    /// Contacts and events of older programs are in another encoding, which their first `CHARSET` parameter names.
    ///
    /// - Throws: ``PlaceError``: `tooLong` beyond ``PlaceParser/maximumLength``, `unknownFormat` if it is not text, and
    ///   `unreadable`.
    public func text() throws(PlaceError) -> String {
        // UTF-16 has up to two bytes for each of UTF-8.
        let bytes = try bytes(0, 2 * PlaceParser.maximumLength + 4)
        // The lines of a contact may be folded inside characters.
        let isCard = PlaceFileFormat.recognised(in: Array(bytes.prefix(64))) == .format(.card)
        let content = isCard ? TextEncoding.utf8(card: bytes) : TextEncoding.unmarked(bytes) ?? bytes
        // A text in another encoding has some words in ASCII.
        let isText =
            !content.contains { $0 < 0x20 && !(0x09...0x0D).contains($0) && $0 != 0x1A && $0 != 0x1B }
            && (String(validating: content, as: UTF8.self) != nil
                || 2 * content.count { $0 < 0x80 } > content.count)
        guard content.count <= PlaceParser.maximumLength || !isText else {
            throw PlaceError(
                .tooLong,
                localized("%1 is larger than %2 MiB; give a smaller file", name, PlaceParser.maximumLength >> 20))
        }
        guard isText else {
            throw PlaceError(
                .unknownFormat,
                localized(
                    """
                    %1 has an unsupported format; give GPX, KML, KMZ, a photo, a web page, a mail, a pass, a \
                    contact, an event or text
                    """,
                    name)
            )
        }
        return String(decoding: TextEncoding.utf8(card: content), as: UTF8.self)
    }

    private static func pipe(
        _ descriptor: Int32, after head: [UInt8], named name: String
    ) throws(PlaceError) -> (kept: [UInt8], isCut: Bool) {
        var bytes = head
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= maximumPipe {
            // -1 on failure, with errno; 0 at the end.
            let count = read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(name, errno) }
            guard count > 0 else { return (bytes, false) }
            bytes += piece[..<count]
        }
        return (Array(bytes.prefix(maximumPipe)), true)
    }

    private static func unreadable(_ name: String, _ error: Int32) -> PlaceError {
        switch error {
        case ENOENT, ENOTDIR:
            PlaceError(.unreadable, localized("%1 does not exist; check its name and its folder", name))
        case EISDIR: PlaceError(.unreadable, localized("%1 is a folder; give a file in it", name))
        case EACCES, EPERM:
            PlaceError(
                .unreadable, localized("you are not allowed to read %1; change its permissions, or copy it", name))
        default: PlaceError(.unreadable, localized("%1 cannot be read: %2", name, String(cString: strerror(error))))
        }
    }
}
