import CommandSupport
import Coordinates
import Glibc
import HunchModel
import PlaceFiles
import Localization

/// The standard input of a command that takes places: a file's content, recognised by its first bytes, or text.
enum StandardInput {
    /// The content of a file with places.
    case file(FileBytes)
    /// Text whose first bytes were read already.
    case text(head: [UInt8])

    private static let name = localized("standard input")

    /// Reads enough to recognise the kind. Of text, reads only what has been written, so that a program may write a
    /// line and wait for the answer.
    ///
    /// - Throws: `PlaceError` if standard input cannot be read.
    static func recognised() throws(PlaceError) -> StandardInput {
        var head: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            switch PlaceFileFormat.recognised(in: head) {
            case .format: return .file(try FileBytes(pipe: STDIN_FILENO, after: head, named: name))
            case .other: return .text(head: head)
            case .undecided: break
            }
            // −1 on failure, with errno; 0 at the end. The reader of the lines reports a failure.
            let count = read(STDIN_FILENO, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return .text(head: head) }
            head += piece[..<count]
        }
    }

    /// Reads text to its end.
    ///
    /// - Throws: `PlaceError` if it cannot be read, is too long, or is not UTF-8.
    static func text(after head: [UInt8]) throws(PlaceError) -> String {
        let content = try FileBytes(pipe: STDIN_FILENO, after: head, named: name)
        return try content.text()
    }
}
