internal import TextEncodings
internal import FoundationEssentials
internal import HunchModel

/// A mail with the parts that are not of other parts. Sources: RFC 5322, RFC 2045 to 2047, RFC 2231.
struct MailMessage {
    /// A decoded part.
    struct Part {
        /// The media type in lower case, such as `text/html`.
        let type: String
        /// The character encoding that the mail names; empty for none.
        let encoding: String
        /// The line in the mail on which the content begins, from 1.
        let line: Int
        let content: [UInt8]
    }

    /// The maximum depth of parts in parts.
    private static let maximumDepth = 16
    /// The maximum number of parts.
    private static let maximumParts = 200

    let subject: String
    private(set) var parts: [Part] = []

    /// Whether a text begins as a mail does: with header fields, one of which every mail has.
    static func isMail(_ bytes: [UInt8]) -> Bool {
        // Mailboxes begin each mail with a line of their own.
        let head = headers(withoutMark(bytes).prefix(65_536)).fields
        return head["from"] != nil && (head["mime-version"] != nil || head["message-id"] != nil || head["date"] != nil)
    }

    /// Reads a mail. Other text has no HTML parts.
    init(_ bytes: [UInt8]) {
        let bytes = Self.withoutMark(bytes)
        subject = Self.decodedWords(Self.headers(bytes).fields["subject"] ?? "")
        add(bytes, line: 1, depth: 0)
    }

    /// Returns a mail without the byte order mark that editors write when a user saves it.
    private static func withoutMark(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    }

    private mutating func add(_ part: ArraySlice<UInt8>, line: Int, depth: Int) {
        guard depth < Self.maximumDepth, parts.count < Self.maximumParts else { return }
        let (fields, content) = Self.headers(part)
        let line = line + part[..<content.startIndex].count { $0 == 0x0A }
        let (type, parameters) = Self.parameters(fields["content-type"] ?? "text/plain")
        if type.hasPrefix("multipart/"), let boundary = parameters["boundary"], !boundary.isEmpty {
            for inner in Self.split(content, at: Array("--\(boundary)".utf8)) {
                add(inner, line: line + content[..<inner.startIndex].count { $0 == 0x0A }, depth: depth + 1)
            }
            return
        }
        let decoded = Self.decoded(content, fields["content-transfer-encoding"] ?? "")
        if type == "message/rfc822" { return add(decoded[...], line: line, depth: depth + 1) }
        let name = parameters["name"] ?? Self.parameters(fields["content-disposition"] ?? "").parameters["filename"]
        // Many programs send passes without their media type.
        let isPass = name?.lowercased().hasSuffix(".pkpass") == true
        parts.append(
            Part(
                type: isPass ? Markup.passType : type, encoding: parameters["charset"]?.lowercased() ?? "", line: line,
                content: decoded))
    }

    // MARK: Headers

    /// Returns the header fields with their names in lower case, and the content after them.
    private static func headers(
        _ part: ArraySlice<UInt8>
    ) -> (fields: [String: String], content: ArraySlice<UInt8>) {
        var fields: [String: String] = [:]
        var name = ""
        var rest = part
        while let end = rest.firstIndex(of: 0x0A) ?? (rest.isEmpty ? nil : rest.endIndex) {
            var line = rest[rest.startIndex..<end]
            rest = rest[min(end + 1, rest.endIndex)...]
            if line.last == 0x0D { line.removeLast() }
            if line.isEmpty { break }
            let text = String(decoding: line, as: UTF8.self)
            if line.first == 0x20 || line.first == 0x09 {
                // A long field continues in the next line.
                if !name.isEmpty { fields[name, default: ""] += " " + MarkupText.collapsed(text) }
            } else if let colon = text.firstIndex(of: ":") {
                name = text[..<colon].lowercased()
                // The first of several counts.
                if fields[name] != nil {
                    name = ""
                } else {
                    fields[name] = MarkupText.collapsed(String(text[colon...].dropFirst()))
                }
            } else {
                name = ""
            }
        }
        return (fields, rest)
    }

    /// Returns the value of a field in lower case, and its parameters by their names in lower case.
    private static func parameters(_ field: String) -> (value: String, parameters: [String: String]) {
        var pieces: [String] = [""]
        var isQuoted = false
        for character in field {
            switch character {
            case "\"": isQuoted.toggle()
            case ";" where !isQuoted: pieces.append("")
            default: pieces[pieces.count - 1].append(character)
            }
        }
        var parameters: [String: String] = [:]
        for piece in pieces.dropFirst() {
            guard let equals = piece.firstIndex(of: "=") else { continue }
            let name = MarkupText.collapsed(String(piece[..<equals])).lowercased()
            let value = MarkupText.collapsed(String(piece[equals...].dropFirst()))
            parameters[String(name.prefix { $0 != "*" })] = name.hasSuffix("*") ? value.removingCharset : value
        }
        return (MarkupText.collapsed(pieces[0]).lowercased(), parameters)
    }

    /// Returns a text with its encoded words (RFC 2047) decoded.
    private static func decodedWords(_ text: String) -> String {
        var result = ""
        var isAfterWord = false
        for word in text.split(separator: " ") {
            let sides = word.split(separator: "?", omittingEmptySubsequences: false)
            guard sides.count == 5, sides[0] == "=", sides[4] == "=" else {
                result += (result.isEmpty ? "" : " ") + word
                isAfterWord = false
                continue
            }
            let isBase64 = sides[2].lowercased() == "b"
            let bytes = Array(sides[3].utf8)
            let content =
                isBase64
                ? decoded(bytes[...], "base64") : decoded(bytes.map { $0 == 0x5F ? 0x20 : $0 }[...], "quoted-printable")
            // The space between two encoded words is not part of the text.
            result +=
                (result.isEmpty || isAfterWord ? "" : " ")
                + String(decoding: TextEncoding.utf8(content, labelled: String(sides[1])), as: UTF8.self)
            isAfterWord = true
        }
        return MarkupText.collapsed(result)
    }

    // MARK: Contents

    /// Returns the parts between the lines that begin with a boundary.
    private static func split(_ content: ArraySlice<UInt8>, at boundary: [UInt8]) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var begin: Int?
        var line = content.startIndex
        while line < content.endIndex {
            let end = content[line...].firstIndex(of: 0x0A) ?? content.endIndex
            if content[line..<end].starts(with: boundary) {
                if let begin { parts.append(content[begin..<line]) }
                let rest = content[line..<end].dropFirst(boundary.count)
                begin = rest.starts(with: "--".utf8) ? nil : min(end + 1, content.endIndex)
                if begin == nil || parts.count >= maximumParts { return parts }
            }
            line = min(end + 1, content.endIndex)
        }
        if let begin { parts.append(content[begin...]) }
        return parts
    }

    private static func decoded(_ content: ArraySlice<UInt8>, _ encoding: String) -> [UInt8] {
        switch encoding.lowercased() {
        case "base64":
            return Data(base64Encoded: Data(content), options: .ignoreUnknownCharacters).map { [UInt8]($0) } ?? []
        case "quoted-printable": return QuotedPrintable.decoded(content)
        default: return Array(content)
        }
    }
}

extension String {
    /// A parameter of RFC 2231 without its character set and language, such as `utf-8''Oslo%20S`.
    fileprivate var removingCharset: String {
        let parts = split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return self }
        return PercentCoding.decode(parts[2]) ?? String(parts[2])
    }
}
