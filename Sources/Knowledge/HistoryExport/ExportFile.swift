internal import History
internal import FoundationEssentials
internal import Glibc
internal import HunchModel
internal import Localization

/// A reader for the lines of an export file, one at a time.
struct ExportFile {
    private let descriptor: CInt
    private var buffer: [UInt8] = []
    private var start = 0
    private var offset: off_t = 0
    private var isAtEnd = false

    /// - Parameter descriptor: descriptor of a file, which is read from its beginning. It stays open.
    /// - Throws: ``HistoryError`` `invalidInput` if the file is too large, or not a regular file and thus possibly
    ///   endless.
    init(_ descriptor: CInt) throws(HistoryError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .invalidInput(localized("the export to import is not a regular file"))
        }
        guard status.st_size <= HistoryLimits.export else {
            throw .invalidInput(
                localized("the export has %1 bytes; the limit is %2", status.st_size, HistoryLimits.export))
        }
        self.descriptor = descriptor
    }

    /// Returns the next line without its line feed, or `nil` after the last.
    mutating func next() throws(HistoryError) -> Data? {
        var searched = start
        while true {
            if let end = buffer[searched...].firstIndex(of: 0x0A) {
                defer { start = end + 1 }
                return Data(buffer[start..<end])
            }
            searched = buffer.count
            guard searched - start <= HistoryLimits.exportLine else {
                throw .invalidInput(localized("longer than %1 bytes", HistoryLimits.exportLine))
            }
            if isAtEnd {
                defer { start = buffer.count }
                return start == buffer.count ? nil : Data(buffer[start...])
            }
            buffer.removeFirst(start)
            (searched, start) = (searched - start, 0)
            try fill()
        }
    }

    private mutating func fill() throws(HistoryError) {
        let count = 65_536
        var piece = [UInt8](repeating: 0, count: count)
        var read = pread(descriptor, &piece, count, offset)
        while read < 0, errno == EINTR { read = pread(descriptor, &piece, count, offset) }
        // -1: nothing was read
        guard read >= 0 else {
            throw HistoryError(
                .inputOutput, localized("the export cannot be read: %1", String(cString: strerror(errno))))
        }
        offset += off_t(read)
        isAtEnd = read == 0
        buffer += piece[..<read]
    }
}
