import FoundationEssentials
import TestSupport
import Testing

@Suite("Source tree")
struct SourceTests {
    @Test("No file has more than 400 lines")
    func length() throws {
        let files = try ["Sources", "Tests"].flatMap { try SourceFile.all(under: $0) }
        #expect(files.count > 10)
        for file in files { #expect(file.lines.count <= 401, "\(file.path) has \(file.lines.count - 1) lines") }
    }

    @Test("The sources contain no TODO and no forced failure")
    func unfinished() throws {
        let words = ["TODO", "FIXME", "XXX:", "fatalError(", "try!", "as!"]
        for file in try SourceFile.all(under: "Sources") {
            for (number, line) in zip(1..., file.lines) {
                // VTODO is a component of iCalendar.
                let line = line.replacing("VTODO", with: "")
                for word in words { #expect(!line.contains(word), "\(file.path):\(number): \(word)") }
            }
        }
    }

    @Test("No text is translated within another literal, where xgettext does not find it")
    func nestedTexts() throws {
        for file in try SourceFile.all(under: "Sources") {
            for (number, line) in file.codeLines { #expect(!line.contains("\\(localiz"), "\(file.path):\(number)") }
        }
    }

    @Test("No module has more than 4,000 lines, and the command line no more than 8,000")
    func moduleSizes() throws {
        var sizes: [String: Int] = [:]
        for file in try SourceFile.all(under: "Sources") { sizes[file.module, default: 0] += file.lines.count - 1 }
        #expect(sizes.count > 50)
        for (module, size) in sizes { #expect(size <= (module == "hunch" ? 8_000 : 4_000), "\(module): \(size)") }
    }

    @Test("No test ends itself early")
    func cancelledTests() throws {
        let word = "Test." + "cancel("
        for file in try SourceFile.all(under: "Tests") {
            for (number, line) in file.codeLines { #expect(!line.contains(word), "\(file.path):\(number)") }
        }
    }

    @Test("Documentation comments begin with a noun or a verb")
    func documentationOpenings() throws {
        for file in try SourceFile.all(under: "Sources") + SourceFile.all(under: "Tests") {
            let text = try String(contentsOfFile: "\(Surroundings.packageRoot)/\(file.path)", encoding: .utf8)
            for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                let words = line.drop { $0 == " " }
                let isRiddle = ["What ", "How ", "Who ", "Takes in ", "Has "].contains { words.hasPrefix("/// " + $0) }
                #expect(!isRiddle, "\(file.path):\(index + 1): \(words)")
            }
        }
    }

    @Test("Links between documents point to existing files")
    func documentLinks() throws {
        let root = Surroundings.packageRoot
        let documents =
            try FileManager.default.contentsOfDirectory(atPath: root + "/Documentation").map { "Documentation/" + $0 }
            + ["README.md", "CONTRIBUTING.md", "SECURITY.md", "Regions/README.md"]
            + LayeringTests.storeys.map { "Sources/\($0)/README.md" }
        for document in documents where document.hasSuffix(".md") {
            let text = try String(contentsOfFile: "\(root)/\(document)", encoding: .utf8)
            let folder = document.split(separator: "/").dropLast().joined(separator: "/")
            for match in text.matches(of: /\]\(([^)#:]+)(#[^)]*)?\)/) {
                let path = "\(root)/\(folder)/\(match.1)"
                #expect(FileManager.default.fileExists(atPath: path), "\(document): \(match.1)")
            }
        }
    }

    @Test("The top level contains only the expected entries")
    func topLevel() throws {
        let fixed: Set = [
            ".ci", ".gitignore", ".swift-format", "CHANGELOG.md", "CONTRIBUTING.md", "Documentation", "LICENSE",
            "Makefile", "Package.swift", "README.md", "Regions", "SECURITY.md", "Sources", "Systemd", "Tests",
        ]
        // Files that the tools leave there and `.gitignore` lists.
        let leftBehind = { (name: String) in
            [".git", ".swiftpm", "Package.resolved"].contains(name) || name.hasPrefix(".build")
                || name.hasSuffix(".swp")
        }
        let found = try FileManager.default.contentsOfDirectory(atPath: Surroundings.packageRoot)
        let kept = Set(found.filter { !leftBehind($0) })
        #expect(kept == fixed)
    }
}
