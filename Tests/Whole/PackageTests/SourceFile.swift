import FoundationEssentials
import TestSupport

/// A Swift file of this package.
struct SourceFile {
    /// Seen from the root of the package.
    let path: String
    let lines: [Substring]

    /// The module whose folder it lies in: in `Sources`, below a storey.
    var module: String {
        let parts = path.split(separator: "/")
        return parts.dropFirst(parts.first == "Sources" ? 2 : 1).first.map(String.init) ?? ""
    }

    /// The lines that are not comments as a whole, numbered from 1.
    var codeLines: [(number: Int, text: Substring)] {
        zip(1..., lines).filter { !$1.drop { $0.isWhitespace }.hasPrefix("//") }.map { ($0, $1) }
    }

    /// All Swift files under `folder`, which is seen from the root of the package.
    static func all(under folder: String) throws -> [SourceFile] {
        let root = Surroundings.packageRoot
        return try FileManager.default.subpathsOfDirectory(atPath: "\(root)/\(folder)")
            .filter { $0.hasSuffix(".swift") }
            .map { path in
                let text = try String(contentsOf: URL(filePath: "\(root)/\(folder)/\(path)"), encoding: .utf8)
                return SourceFile(
                    path: "\(folder)/\(path)", lines: text.split(separator: "\n", omittingEmptySubsequences: false))
            }
    }
}
