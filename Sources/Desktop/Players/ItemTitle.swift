internal import DataFiles
internal import HunchModel

/// Finds a title for an item whose player gives none, or only a part of its address.
enum ItemTitle {
    /// Ends of web addresses that name a kind of page and not an item.
    private static let pageWords = PlayerRow.all(\.pageWords)
    /// Texts that programs send for a missing title, in lower case.
    private static let placeholders = PlayerRow.all(\.placeholders)
    /// The extensions of media files. A title that ends in one is a file name.
    private static let formats = PlayerRow.all(\.fileFormats)
    /// The shortest text that may count as an identifier when a player gives it as the title.
    private static let shortestIdentifier = 16

    /// Returns the title of an item: the player's, unless it is empty, a file name, a path, or a part of the address;
    /// else the name of the file, the album, the artist, the words of the web address, or its host.
    ///
    /// - Parameters:
    ///   - told: the player's title, which may be empty.
    ///   - url: the item's address.
    static func title(_ told: String, album: String?, artists: [String], of url: String?) -> String {
        let name = url.map(name(ofAddress:))
        if let title = proper(told, name: name, of: url) { return title }
        let fallback = ([album ?? ""] + artists).first { !$0.isEmpty }
        guard let url, let name else { return fallback ?? told }
        if isFile(url) { return name }
        let isMedia = lastPart(of: url).map(hasFormat) ?? false
        if isMedia || isWords(name), !name.isEmpty { return isMedia ? name : fallback ?? spaced(name) }
        return fallback ?? host(of: url) ?? name
    }

    /// Returns the player's title without the marks of a file name; `nil` if it is not a title.
    private static func proper(_ told: String, name: String?, of url: String?) -> String? {
        guard !told.isEmpty, told != url, !placeholders.contains(told.lowercased()) else { return nil }
        if told.hasPrefix("file://") || told.hasPrefix("/") && told.dropFirst().contains("/") && hasFormat(told) {
            return self.name(ofAddress: told)
        }
        // The Music Player Daemon reports the path in its library.
        if hasFormat(told) { return cleaned(told.split(separator: "/").last.map(String.init) ?? told) }
        let part = url.flatMap(lastPart)
        // Until a downloader has answered, mpv's title is the end of the address with its query.
        let end = url?.split(separator: "/").last.map(String.init)
        if [part, part.map(decoded), end, end.map(decoded), name].contains(told) {
            guard let url, isFile(url) else { return nil }
            return name
        }
        return isIdentifier(told) || url.map { isValue(told, inQueryOf: $0) } == true ? nil : told
    }

    /// Returns whether a text is the value of a field of an address, such as YouTube's `v`.
    private static func isValue(_ text: String, inQueryOf url: String) -> Bool {
        url.split(separator: "?").dropFirst().joined().split { $0 == "&" || $0 == "#" }.contains { field in
            field.split(separator: "=", maxSplits: 1).last.map { String($0) } == text && !text.contains(" ")
        }
    }

    /// Returns the name at the end of an address, without the extension; the host if there is no path.
    static func name(ofAddress url: String) -> String {
        guard let part = lastPart(of: url) else { return host(of: url) ?? decoded(url) }
        return cleaned(decoded(part))
    }

    /// Returns the last part of the path of an address, still encoded; `nil` if there is no path.
    private static func lastPart(of url: String) -> String? {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard let last = parts.last(where: { !$0.isEmpty }) else { return nil }
        // The part after two slashes is the host.
        if parts.count > 2, parts[1].isEmpty, parts[0].hasSuffix(":"), parts.dropFirst(3).allSatisfy(\.isEmpty) {
            return nil
        }
        if last == parts[0], let colon = last.lastIndex(of: ":") {
            let part = last[colon...].dropFirst()
            return part.isEmpty ? nil : String(part)
        }
        return last
    }

    private static func host(of url: String) -> String? {
        if url.hasPrefix("blob:") { return host(of: String(url.dropFirst(5))) }
        guard let host = WebAddress.host(of: url) else {
            // An address like `spotify:track:…`.
            let scheme = url.prefix { $0 != ":" }
            return scheme.count > 1 && scheme.count < url.count - 1 ? scheme.capitalizedFirst : nil
        }
        return String(host.hasPrefix("www.") ? host.dropFirst(4) : host)
    }

    private static func isFile(_ url: String) -> Bool { url.lowercased().hasPrefix("file:") }

    /// Returns decoded text. Bytes that are not UTF-8 are taken for Latin-1, as in names of old files. Its control characters are
    /// replaced.
    static func decoded(_ text: String) -> String {
        PercentCoding.bytes(of: Substring(text)).map(self.text) ?? text
    }

    /// Returns bytes as UTF-8, or else as Latin-1.
    static func text(_ bytes: [UInt8]) -> String {
        String(validating: bytes, as: UTF8.self)
            ?? String(
                String.UnicodeScalarView(
                    bytes.map { byte in (0x80...0x9F).contains(byte) ? "\u{FFFD}" : Unicode.Scalar(byte) }))
    }

    // MARK: File names

    private static func hasFormat(_ name: String) -> Bool {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return false }
        return formats.contains(name[name.index(after: dot)...].lowercased())
    }

    /// Returns a file name without its extension, the number of its track, and the identifier that yt-dlp adds.
    private static func cleaned(_ name: String) -> String {
        var rest = name.trimmedSpaces[...]
        if let dot = rest.lastIndex(of: "."), dot > rest.startIndex {
            let ending = rest[rest.index(after: dot)...]
            let isFormat =
                (2...4).contains(ending.count) && ending.contains(where: \.isLetter)
                && ending.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
            if isFormat { rest = rest[..<dot] }
        }
        if rest.hasSuffix("]"), let open = rest.lastIndex(of: "["), rest.distance(from: open, to: rest.endIndex) == 13 {
            rest = rest[..<open]
        }
        let number = rest.prefix { $0.isASCII && $0.isNumber }
        let after = rest.dropFirst(number.count).drop { $0 == " " }
        if (2...3).contains(number.count), let mark = after.first, "-.)_".contains(mark) {
            let title = after.dropFirst().drop { $0 == " " }
            if title.contains(where: \.isLetter), number.count < rest.count { rest = title }
        }
        if !rest.contains(" ") { rest = rest.split(separator: "_").joined(separator: " ")[...] }
        let text = String(rest).trimmedSpaces
        return text.isEmpty ? name : text
    }

    // MARK: Web addresses

    /// Returns whether the end of a web address consists of words and not of an identifier.
    private static func isWords(_ name: String) -> Bool {
        guard !pageWords.contains(name.lowercased()) else { return false }
        let words = name.split { "-_ .+".contains($0) }
        let clear = words.filter { word in
            word.allSatisfy { $0.isLetter || $0 == "'" || $0 == "’" } && caseChanges(in: word) < 3
        }
        return clear.count * 2 > words.count && clear.contains { $0.count > 1 }
    }

    private static func spaced(_ name: String) -> String {
        name.contains(" ") ? name : name.split { "-_+".contains($0) }.joined(separator: " ")
    }

    /// Returns whether a title is an identifier like `19YKaevk2bce4odJkP5L22`.
    private static func isIdentifier(_ title: String) -> Bool {
        title.utf8.count >= shortestIdentifier
            && title.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == 0x2D || $0 == 0x5F }
            && title.contains(where: \.isNumber) && title.contains(where: \.isLetter)
            && (caseChanges(in: title[...]) >= 3 || title.allSatisfy { $0.isHexDigit || $0 == "-" })
    }

    private static func caseChanges(in word: Substring) -> Int {
        let letters = word.filter(\.isLetter)
        return zip(letters, letters.dropFirst()).count { $0.isUppercase != $1.isUppercase }
    }
}

extension String {
    fileprivate var trimmedSpaces: String {
        var rest = self[...]
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}

extension Substring {
    fileprivate var capitalizedFirst: String { (first.map { $0.uppercased() } ?? "") + dropFirst() }
}
