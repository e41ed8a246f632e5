internal import HunchModel
internal import Localization

/// The first fault of an iCalendar text (RFC 5545) because of which events may be missing. Lesser ones are put right.
enum ICalendarFault: Equatable {
    /// It has no component, such as an empty file or a web page.
    case noCalendar
    /// A line ends a component that is not the open one.
    case wrongEnd(line: Int, of: String)
    /// A component does not end, because the text was cut off.
    case noEnd(of: String)
    /// An event has no start that can be read.
    case noStart(line: Int)
    /// It has more lines than are read.
    case tooManyLines

    /// Returns the first fault; `nil` for a sound text.
    init?(in text: String) {
        var structure = Structure()
        // Old programs of the Macintosh end lines with a carriage return alone.
        let end: UInt8 = text.utf8.contains(0x0A) ? 0x0A : 0x0D
        var (number, first) = (0, 0)
        var line: [UInt8] = []
        for part in text.utf8.split(separator: end, omittingEmptySubsequences: false) {
            number += 1
            if let byte = part.first, byte == 0x20 || byte == 0x09, line.count < Self.longestLine {
                // The line was folded.
                if line.last == 0x0D { line.removeLast() }
                line += part.dropFirst().prefix(Self.longestLine)
                continue
            }
            if let fault = structure.fault(with: line, number: first) {
                self = fault
                return
            }
            (line, first) = (Array(part.prefix(Self.longestLine)), number)
        }
        guard let fault = structure.fault(with: line, number: first) ?? structure.finalFault ?? Self.excess(number)
        else {
            return nil
        }
        self = fault
    }

    /// The maximum length of a line that counts, in bytes.
    private static let longestLine = 512

    private static func excess(_ lines: Int) -> Self? { lines > ICalendarComponents.maximumLines ? .tooManyLines : nil }

    /// The fault in a few words.
    var words: String {
        switch self {
        case .noCalendar: localized("it is not an iCalendar file")
        case .wrongEnd(let line, let name): localized("“END:%2” in line %1 has no matching BEGIN", line, name)
        case .noEnd(let name): localized("“END:%1” is missing at its end", name)
        case .noStart(let line): localized("the event in line %1 has no valid start", line)
        case .tooManyLines: localized("it has more than %1 lines", ICalendarComponents.maximumLines)
        }
    }
}

/// The components of a text, as far as they are known after some lines.
private struct Structure {
    /// The names of the components that have not ended, the innermost last.
    private var open: [String] = []
    private var isFound = false
    /// The line with which the open event begins; `nil` once its start is known.
    private var event: Int?
    /// Whether it is a message to other people, which may omit unchanged properties.
    private var isMessage = false

    /// Takes the next whole line. Returns the fault that it reveals, if any.
    mutating func fault(with line: [UInt8], number: Int) -> ICalendarFault? {
        // Most lines do not need the rest.
        guard let first = line.first(where: { $0 != 0x20 && $0 < 0x80 }), "BEMDbemd".utf8.contains(first) else {
            return nil
        }
        let word = String(decoding: line.prefix(64), as: UTF8.self).filter { !$0.isWhitespace && $0 != "\u{FEFF}" }
            .uppercased()
        if word.hasPrefix("BEGIN:") {
            open.append(String(word.dropFirst(6)))
            isFound = true
            if open.last == "VEVENT" { event = number }
        } else if word.hasPrefix("END:") {
            let name = String(word.dropFirst(4))
            guard open.popLast() == name else { return .wrongEnd(line: number, of: name) }
            if name == "VEVENT", let event, !isMessage { return .noStart(line: event) }
        } else if word.hasPrefix("METHOD:") {
            isMessage = word != "METHOD:PUBLISH"
        } else if open.last == "VEVENT", word.hasPrefix("DTSTART"), Self.hasDate(line) {
            event = nil
        }
        return nil
    }

    /// The fault of a text that ends here.
    var finalFault: ICalendarFault? { isFound ? open.last.map(ICalendarFault.noEnd) : .noCalendar }

    /// Whether what follows some colon of a property begins with a date, perhaps with hyphens. Parameters may have colons, too.
    private static func hasDate(_ line: [UInt8]) -> Bool {
        line.indices.filter { line[$0] == UInt8(ascii: ":") }.contains { colon in
            let digits = line[(colon + 1)...].filter { $0 != UInt8(ascii: "-") && $0 != 0x20 }.prefix(8)
            guard digits.count == 8, let date = Int(String(decoding: digits, as: UTF8.self)) else { return false }
            return (1...12).contains(date / 100 % 100) && (1...31).contains(date % 100)
        }
    }
}
