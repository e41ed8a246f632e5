public import HunchModel

/// The value of an `Exec` key, with the quoting and field codes of the Desktop Entry Specification, section "The Exec key".
package struct DesktopCommand {
    private enum Piece {
        case text(String)
        case code(Character)
    }

    private let words: [[Piece]]

    /// Parses a value whose string escapes are already resolved.
    package init(_ exec: String) throws(DesktopEntryError) {
        var words: [[Piece]] = []
        var word: [Piece]?
        var quoted = false
        var rest = exec.makeIterator()
        func append(_ character: Character) {
            var pieces = word ?? []
            if case .text(let text)? = pieces.popLast() {
                pieces.append(.text(text + String(character)))
            } else {
                pieces = (word ?? []) + [.text(String(character))]
            }
            word = pieces
        }
        while let character = rest.next() {
            switch character {
            case "\"":
                quoted.toggle()
                if word == nil { word = [.text("")] }
            case "\\" where quoted:
                guard let next = rest.next() else { throw Self.error("ends in a backslash") }
                append(next)
            case " " where !quoted, "\t" where !quoted, "\n" where !quoted:
                if let finished = word { words.append(finished) }
                word = nil
            case "%":
                guard let code = rest.next() else { throw Self.error("ends in a percent sign") }
                if code == "%" {
                    append("%")
                } else if quoted {
                    // The specification leaves field codes within quotes undefined, as in `sh -c "play %f"`.
                    throw Self.error("has the field code %\(code) within quotation marks")
                } else if "fFuUick".contains(code) {
                    word = (word ?? []) + [.code(code)]
                } else if "dDnNvm".contains(code) {
                    // Removed: the specification deprecates these codes.
                    word = word ?? []
                } else {
                    throw Self.error("has the unknown field code %\(code)")
                }
            default: append(character)
            }
        }
        guard !quoted else { throw Self.error("has a quotation mark that is not closed") }
        if let word { words.append(word) }
        self.words = words
    }

    private static func error(_ fault: String) -> DesktopEntryError {
        DesktopEntryError(line: 0, message: "the entry's command (Exec) \(fault)")
    }

    /// Whether the command has a field code for URIs.
    var takesLinks: Bool { has(["u", "U"]) }

    /// Whether the command has a field code for files.
    var takesFiles: Bool { has(["f", "F"]) }

    private func has(_ codes: Set<Character>) -> Bool {
        words.contains { word in
            word.contains { if case .code(let code) = $0 { codes.contains(code) } else { false } }
        }
    }

    /// Returns the arguments with all field codes replaced. A word that is only a field code becomes one argument for
    /// each value of the code. A code within a longer word is replaced by its first value.
    package func arguments(_ values: (Character) -> [String]) -> [String] {
        words.flatMap { word -> [String] in
            if word.count == 1, case .code(let code) = word[0] { return values(code) }
            guard !word.isEmpty else { return [] }
            return [
                word.reduce(into: "") { text, piece in
                    switch piece {
                    case .text(let part): text += part
                    case .code(let code): text += values(code).first ?? ""
                    }
                }
            ]
        }
    }
}
