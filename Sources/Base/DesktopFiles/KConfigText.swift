/// The text of a KDE settings file, read as KConfig reads it. Lines that are not valid are skipped.
///
/// Source: KConfig 6, `KConfigIniBackend::parseConfig`.
package enum KConfigText {
    /// Returns a value as written; `nil` if it is absent or deleted. The last one counts.
    ///
    /// Options after the key and after the group are accepted, such as `[$i]`, which makes a setting immutable.
    package static func value(_ key: String, in group: String, of text: String) -> String? {
        var found: String?
        var isInGroup = false
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
            let line = trimmed(line)
            guard line.first != UInt8(ascii: "[") else {
                isInGroup = isHeader(line, of: group) ?? isInGroup
                continue
            }
            let name = trimmed(line.prefix { $0 != UInt8(ascii: "=") })
            guard isInGroup, name.starts(with: key.utf8) else { continue }
            let options = name.dropFirst(key.utf8.count)
            guard options.isEmpty || options.starts(with: "[$".utf8) && options.last == UInt8(ascii: "]") else {
                continue
            }
            if options.contains(UInt8(ascii: "d")) {
                found = nil
            } else if let equals = line.firstIndex(of: UInt8(ascii: "=")) {
                found = String(Substring(trimmed(line[line.index(after: equals)...])))
            }
        }
        return found
    }

    /// Returns whether a line is the header of a group; `nil` for a header that is not closed, which KConfig skips.
    private static func isHeader(_ line: Substring.UTF8View, of group: String) -> Bool? {
        guard let end = line.firstIndex(of: UInt8(ascii: "]")) else { return nil }
        let rest = line[line.index(after: end)...]
        let hasMore = rest.first == UInt8(ascii: "[")
        if hasMore, !rest.contains(UInt8(ascii: "]")) { return nil }
        // A second name is that of a group within this one.
        return line[..<end].dropFirst().elementsEqual(group.utf8) && (!hasMore || rest.elementsEqual("[$i]".utf8))
    }

    private static func trimmed(_ text: Substring.UTF8View) -> Substring.UTF8View {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        var text = text.drop(while: isSpace)
        while let last = text.last, isSpace(last) { text.removeLast() }
        return text
    }
}
