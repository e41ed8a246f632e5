import Testing

@Suite("Folders of a module")
struct FolderTests {
    /// The types that a folder of a module declares and names.
    private struct Folder {
        var declared: Set<Substring> = []
        var named: Set<Substring> = []
    }

    private static let kinds: Set<Substring> = ["struct", "class", "enum", "actor", "protocol", "typealias"]

    @Test("No two folders of a module need each other")
    func noCycles() throws {
        var modules: [String: [String: Folder]] = [:]
        for file in try SourceFile.all(under: "Sources") {
            let parts = file.path.split(separator: "/")
            // Files next to the folders count as one more folder.
            let folder = parts.count > 4 ? String(parts[3]) : "."
            let words = Self.words(of: file)
            for (index, word) in words.enumerated() where word.text.first?.isUppercase == true {
                modules[file.module, default: [:]][folder, default: Folder()].named.insert(word.text)
                if index > 0, Self.kinds.contains(words[index - 1].text), words[index - 1].isTopLevel {
                    modules[file.module]?[folder]?.declared.insert(word.text)
                }
            }
        }
        #expect(modules["Agent"]?.count ?? 0 > 5)
        for (module, folders) in modules {
            for (name, folder) in folders {
                for (other, second) in folders where name < other {
                    let there = folder.named.intersection(second.declared.subtracting(folder.declared))
                    let back = second.named.intersection(folder.declared.subtracting(second.declared))
                    #expect(
                        there.isEmpty || back.isEmpty,
                        "\(module): \(name) needs \(there.sorted()) of \(other), which needs \(back.sorted())")
                }
            }
        }
    }

    private struct Word {
        let text: Substring
        /// Whether it is on a line without indentation.
        let isTopLevel: Bool
    }

    /// Returns the identifiers of a file, without those in comments and string literals.
    private static func words(of file: SourceFile) -> [Word] {
        var words: [Word] = []
        var isInLongString = false
        for (_, line) in file.codeLines {
            let pieces = line.split(separator: "\"\"\"", omittingEmptySubsequences: false)
            for (index, piece) in pieces.enumerated() {
                if index > 0 { isInLongString.toggle() }
                if isInLongString { continue }
                var rest = piece
                if let comment = rest.firstRange(of: "//"), !rest[..<comment.lowerBound].contains("\"") {
                    rest = rest[..<comment.lowerBound]
                }
                // Escaped quotes are rare enough to be ignored: they only hide words.
                for (part, code) in rest.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
                where part % 2 == 0 {
                    for word in code.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" }) {
                        words.append(Word(text: word, isTopLevel: line.first != " "))
                    }
                }
            }
        }
        return words
    }
}
