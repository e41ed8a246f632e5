internal import HunchModel

/// A line of a key file, which has groups of keys: the syntax of desktop entries and of GKeyFile.
package enum KeyFileLine: Equatable {
    case group(String)
    /// A key, with the locale in brackets if it has one, and its value with its escapes.
    case entry(String, String)
    case fault(Fault)

    /// The reason why a line is none of these, as one sentence.
    package enum Fault: String {
        case openHeader = "a group's name is not closed by ]"
        case nameless = "a key has no name"
        case other = "the line is neither a comment nor a group nor a key"
    }

    /// Calls a closure with the lines of a text that are not empty and not comments, and their numbers from 1.
    package static func forEach<Failure: Error>(
        in text: String, _ body: (Int, KeyFileLine) throws(Failure) -> Void
    ) throws(Failure) {
        var number = 0
        var rest = text.utf8[...]
        while !rest.isEmpty {
            number += 1
            let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
            let line = trimmed(rest[..<end])
            rest = rest[end...].dropFirst()
            guard let first = line.first, first != UInt8(ascii: "#") else { continue }
            try body(number, KeyFileLine(line, first))
        }
    }

    private init(_ line: Substring.UTF8View, _ first: UInt8) {
        if first == UInt8(ascii: "[") {
            self =
                line.last == UInt8(ascii: "]") && line.count > 2
                ? .group(String(Substring(line.dropFirst().dropLast()))) : .fault(.openHeader)
        } else if let equals = line.firstIndex(of: UInt8(ascii: "=")) {
            let key = String(Substring(Self.trimmed(line[..<equals])))
            self =
                key.isEmpty
                ? .fault(.nameless)
                : .entry(key, String(Substring(Self.trimmed(line[line.index(after: equals)...]))))
        } else {
            self = .fault(.other)
        }
    }

    private static func trimmed(_ line: Substring.UTF8View) -> Substring.UTF8View {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
        var line = line.drop(while: isSpace)
        while let last = line.last, isSpace(last) { line.removeLast() }
        return line
    }

    /// Returns the texts of a value of type strings, with their escapes resolved.
    package static func strings(in value: String) -> [String] {
        var elements: [String] = []
        var element = ""
        var escaped = false
        for character in value.unicodeScalars {
            if character == ";", !escaped {
                elements.append(unescaped(element[...]))
                element = ""
            } else {
                element.unicodeScalars.append(character)
            }
            escaped = character == "\\" && !escaped
        }
        if !element.isEmpty { elements.append(unescaped(element[...])) }
        return elements
    }

    /// Returns a value of type string with its escapes resolved.
    package static func unescaped(_ text: Substring) -> String {
        guard text.utf8.contains(UInt8(ascii: "\\")) else { return String(text) }
        var result = String.UnicodeScalarView()
        var rest = text.unicodeScalars.makeIterator()
        while let scalar = rest.next() {
            guard scalar == "\\" else {
                result.append(scalar)
                continue
            }
            switch rest.next() {
            case "s": result.append(" ")
            case "n": result.append("\n")
            case "t": result.append("\t")
            case "r": result.append("\r")
            case "\\", nil: result.append("\\")
            case ";": result.append(";")
            case .some(let other): result.append(contentsOf: ["\\", other])
            }
        }
        return String(result)
    }
}
