import FoundationEssentials
import TestSupport

/// A page for app developers, whose code the tests run unchanged.
struct Guide {
    private let path: String

    /// - Parameter name: the name of a page in the documentation of `HunchKit`.
    init(_ name: String) { path = "Sources/Kit/HunchKit/HunchKit.docc/\(name).md" }

    /// - Parameter path: the path of a page in the package.
    init(path: String) { self.path = path }

    /// Returns the code blocks of a language in order, of all chapters or of one.
    func blocks(_ language: String, in chapter: String? = nil) throws -> [String] {
        var blocks: [String] = []
        var block: [Substring]?
        var heading = ""
        for line in try Self.text(path).split(separator: "\n", omittingEmptySubsequences: false) {
            if let lines = block {
                block = lines + [line]
                guard line == "```" else { continue }
                if lines.first == "```\(language)", chapter ?? heading == heading {
                    blocks.append(lines.dropFirst().joined(separator: "\n") + "\n")
                }
                block = nil
            } else if line.hasPrefix("```") {
                block = [line]
            } else if line.hasPrefix("## ") {
                heading = String(line.dropFirst(3))
            }
        }
        guard !blocks.isEmpty else { throw BenchError("\(path) has no \(language)") }
        return blocks
    }

    /// A file of the package.
    static func text(_ path: String) throws -> String {
        let path = "\(Surroundings.packageRoot)/\(path)"
        guard let data = FileManager.default.contents(atPath: path) else { throw BenchError("no \(path)") }
        return String(decoding: data, as: UTF8.self)
    }
}
