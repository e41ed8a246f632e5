/// The text of a `mimeapps.list`. Editing the applications of a type keeps every other byte.
///
/// Source: MIME Applications Associations 1.0.1, "Default Application" and "Adding/removing associations"; Desktop Entry
/// Specification 1.5, "Basic format".
struct MimeAppsList {
    /// A group of the list, by its header.
    enum Group: String {
        /// The applications that open a type, best first.
        case defaults = "[Default Applications]"
        /// The applications that do not open a type, though they declare it.
        case removed = "[Removed Associations]"
    }

    private var lines: [String]

    init(_ text: String) {
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        // The text after the final line feed is not a line.
        if lines.last == "" { lines.removeLast() }
    }

    /// The text; empty if there are no lines.
    var text: String { lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n" }

    /// Whether there are only blank lines.
    var isBlank: Bool { lines.allSatisfy { Self.trimmed($0).isEmpty } }

    /// Returns whether a type has applications in a group.
    func names(_ type: String, in group: Group = .defaults) -> Bool { line(of: type, group) != nil }

    /// Makes an application the first one of a type in a group, before the existing ones.
    ///
    /// - Parameter file: the file name of its desktop entry, such as `org.example.Maps.desktop`.
    mutating func putFirst(_ file: String, for type: String, in group: Group = .defaults) {
        if let index = line(of: type, group) {
            let (key, value) = Self.parts(lines[index])
            let others = Self.without(file, value)
            lines[index] = key + file + ";" + others
        } else if let header = lines.lastIndex(where: { Self.trimmed($0) == group.rawValue }) {
            lines.insert("\(type)=\(file);", at: header + 1)
        } else {
            lines += [group.rawValue, "\(type)=\(file);"]
        }
    }

    /// Removes an application of a type from a group. Also removes the key and the group if they are empty then.
    mutating func remove(_ file: String, for type: String, in group: Group = .defaults) {
        guard let index = line(of: type, group) else { return }
        let (key, value) = Self.parts(lines[index])
        guard value.split(separator: ";").contains(where: { Self.trimmed($0) == file }) else { return }
        let others = Self.without(file, value)
        guard Self.trimmed(others).isEmpty else {
            lines[index] = key + others
            return
        }
        lines.remove(at: index)
        guard let header = lines[..<index].lastIndex(where: { Self.trimmed($0).hasPrefix("[") }) else { return }
        let rest = lines[(header + 1)...].prefix { !Self.trimmed($0).hasPrefix("[") }
        if rest.allSatisfy({ Self.trimmed($0).isEmpty }) { lines.remove(at: header) }
    }

    /// Returns the index of the last line of a type in a group; `nil` if there is none.
    private func line(of type: String, _ group: Group) -> Int? {
        var isInGroup = false
        var found: Int?
        for (index, line) in lines.enumerated() {
            let line = Self.trimmed(line)
            if line.hasPrefix("[") {
                isInGroup = line == group.rawValue
            } else if isInGroup, !line.hasPrefix("#"), let equals = line.firstIndex(of: "="),
                Self.trimmed(line[..<equals]) == type
            {
                found = index
            }
        }
        return found
    }

    /// Returns a line's key and value.
    private static func parts(_ line: String) -> (key: String, value: Substring) {
        guard let equals = line.firstIndex(of: "=") else { return (line, "") }
        let value = line[line.index(after: equals)...].drop { $0 == " " || $0 == "\t" }
        return (String(line[..<value.startIndex]), value)
    }

    private static func without(_ file: String, _ value: Substring) -> String {
        value.split(separator: ";", omittingEmptySubsequences: false).filter { trimmed($0) != file }
            .joined(separator: ";")
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        var text = Substring(text).drop(while: \.isWhitespace)
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text)
    }
}
