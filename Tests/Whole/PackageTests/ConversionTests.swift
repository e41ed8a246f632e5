import FoundationEssentials
import TestSupport
import Testing

/// HunchModel hides conversions that trap and cuts of text by characters. The compiler refuses them wherever it is imported.
@Suite("Conversions of external values")
struct ConversionTests {
    /// Modules that stand below HunchModel or are it.
    private static let excepted: Set = ["EventLoops", "DBusValues", "HunchDBus", "HunchModel", "Localization"]

    /// The conversions that HunchModel hides. C constants in capitals and literals are not values from outside.
    private static let convertsOrCuts =
        #"\b(U?Int(8|16|32|64)?|time_t)(\.init\b|\((?!ascii:|bitPattern:|exactly:|truncatingIfNeeded:|[0-9]+\)|[A-Z][A-Z0-9_]+(\.rawValue)?\)))"#
        + #"|\.(seconds|milliseconds|microseconds)\((?![0-9_]+\))|\.(prefix|suffix)\((?!while:)"#

    @Test("Every file that converts or cuts imports HunchModel")
    func imports() throws {
        let pattern = try Regex(Self.convertsOrCuts)
        var found = 0
        for file in try SourceFile.all(under: "Sources") where !Self.excepted.contains(file.module) {
            guard let (number, line) = file.codeLines.first(where: { $0.text.contains(pattern) }) else { continue }
            found += 1
            let isImported = file.lines.contains { $0.hasSuffix("import HunchModel") }
            #expect(isImported, "\(file.path):\(number): import HunchModel, for “\(line)”")
        }
        #expect(found > 100)
    }

    @Test("The compiler refuses only trapping conversions")
    func compiler() async throws {
        let refused = [
            "Int(value)", "Int64(value * 1_000_000)", "UInt32(value.rounded())", "[value].map { UInt64($0) }",
            "[value].map(Int.init)", "UInt8(date.timeIntervalSince1970)", "Duration.seconds(value)",
            "Duration.milliseconds(value / 2)", "text.prefix(40)", "text.dropFirst().prefix(count)", "text.suffix(2)",
        ]
        let accepted = [
            "Int(clamping: value)", "Int(exactly: value)", "Int(small)", "UInt64(7)", "Duration.seconds(5)",
            "Duration.seconds(count)", "Duration.clamping(seconds: value)", "text.cut(to: 40)", "[1, 2].prefix(1)",
            "text.utf8.prefix(40)", "text.prefix { $0.isNumber }",
        ]
        let preamble = [
            "import FoundationEssentials", "import HunchModel",
            "func check(_ value: Double, _ small: UInt32, _ count: Int, _ date: Date, _ text: String) {",
        ]
        let lines = preamble + (refused + accepted).map { "_ = \($0)" } + ["}"]
        let result = try await withTemporaryDirectory { directory in
            let file = try directory.write(lines.joined(separator: "\n"), to: "Check.swift")
            return try await run(
                "swiftc",
                [
                    "-typecheck", "-swift-version", "6", "-package-name",
                    Self.packageName(inFolder: Surroundings.packageRoot),
                    "-I", Surroundings.builtProducts + "/Modules", "-I",
                    Surroundings.packageRoot + "/Sources/System/CLinux",
                    "-module-cache-path", directory.file("cache"),
                    "-enable-upcoming-feature", "MemberImportVisibility", "-Werror", "DeprecatedDeclaration", file,
                ])
        }
        #expect(result.status != .exited(0))
        for (number, expression) in zip((preamble.count + 1)..., refused + accepted) {
            let errors = result.standardError.split(separator: "\n").filter { $0.contains("Check.swift:\(number):") }
            #expect(errors.isEmpty == accepted.contains(expression), "\(expression): \(result.standardError)")
            #expect(errors.allSatisfy { $0.contains("DeprecatedDeclaration") }, "\(errors)")
        }
    }

    /// Returns the name that the package manager passes to the compiler: that of the folder, as a C identifier.
    private static func packageName(inFolder path: String) -> String {
        let name = path.split(separator: "/").last.map { $0.lowercased() } ?? ""
        let identifier = name.map { $0.isLetter || $0.isNumber ? $0 : "_" }
        return String(identifier.first?.isNumber == true ? ["_"] + identifier.dropFirst() : identifier)
    }

    @Test(
        "The package has the name of its folder",
        arguments: [
            ("/work/hunch", "hunch"), ("/src/Next-Lists", "next_lists"), ("/src/hunch 0.2.0/", "hunch_0_2_0"),
            ("/src/2hunch", "_hunch"),
        ])
    func packageName(path: String, name: String) { #expect(Self.packageName(inFolder: path) == name) }
}
