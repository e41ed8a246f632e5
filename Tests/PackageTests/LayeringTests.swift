import FoundationEssentials
import TestSupport
import Testing

@Suite("Module layering")
struct LayeringTests {
    /// One line of the block in CONTRIBUTING.md: `module ─▶ module, module`.
    struct Arrow: Equatable {
        let module: String
        let dependencies: [String]
    }

    static let arrow = "─▶"

    /// The arrows in the order in which the document has them.
    static func documented() throws -> [Arrow] {
        let text = try String(
            contentsOf: URL(filePath: "\(Surroundings.packageRoot)/CONTRIBUTING.md"), encoding: .utf8)
        return text.split(separator: "\n").filter { $0.contains(" \(arrow) ") }.map { line in
            let sides = line.split(separator: arrow, maxSplits: 1)
            let names = sides[1].split { ", ".contains($0) }.map(String.init)
            return Arrow(module: sides[0].filter { $0 != " " }, dependencies: names == ["nothing"] ? [] : names)
        }
    }

    @Test("The package's dependencies match CONTRIBUTING.md")
    func documentAndPackageAgree() async throws {
        let documented = try Self.documented()
        let shipped = try await Manifest.read().shipped
        #expect(documented.map(\.module).sorted() == shipped.map(\.name).sorted())
        for target in shipped {
            let arrow = documented.first { $0.module == target.name }
            #expect(arrow?.dependencies.sorted() == target.dependencyNames.sorted(), "\(target.name)")
        }
    }

    @Test("No module depends on a module above it")
    func arrowsPointDown() throws {
        let documented = try Self.documented()
        #expect(!documented.isEmpty)
        var above: Set<String> = []
        for arrow in documented {
            above.insert(arrow.module)
            #expect(above.isDisjoint(with: arrow.dependencies), "\(arrow.module) imports a module above it")
        }
    }

    @Test("No agent module uses Dispatch, Foundation or default tasks")
    func agentSleeps() async throws {
        let agent = try await Manifest.read().closure(of: "hunchd")
        #expect(agent.isSuperset(of: ["hunchd", "Agent", "HunchModel"]))
        // Foundation brings Dispatch and Process with it; FoundationEssentials does not.
        let forbidden: [(what: String, is: @Sendable (Substring) -> Bool)] = [
            ("a module with threads of its own", { $0.contains(/\bimport (Dispatch|Foundation|Subprocess)\b/) }),
            ("a sleep on the default executor", { $0.contains(/\bTask\.sleep\b/) }),
            ("a task on the default executor", { $0.contains(/\bTask(\.detached)?\s*\{/) }),
        ]
        for file in try SourceFile.all(under: "Sources") where agent.contains(file.module) {
            for (number, line) in file.codeLines where line.contains("Task") || line.contains("import") {
                for rule in forbidden { #expect(!rule.is(line), "\(file.path):\(number): \(rule.what)") }
            }
        }
    }

    /// `.ci/icu-data` leaves out the data for all else that asks ICU.
    @Test("ICU serves only names of countries, calendar days and time zones")
    func installedDataSuffice() throws {
        let allowed = [
            "Sources/GazetteerImport/CountryNames.swift": #"Locale.init(identifier:)"#,
            "Sources/Directions/RoutingApp+Coverage.swift": "TimeZone.init(identifier:)",
            "Sources/hunch/PlaceCommands/Moment.swift": "Calendar(identifier: .gregorian)",
            "Sources/hunch-dev/Coverage/FromGTFSCommand.swift": "Calendar(identifier: .gregorian)",
        ]
        let users =
            /\b(Locale|Calendar|TimeZone)(\.init)?\(|\bLocale\.current|\b(NumberFormatter|DateFormatter|NSRegularExpression)\b|localized(Case|Standard|Compare)|\.formatted\((?!\.iso8601|$)/
        var found: Set<String> = []
        for file in try SourceFile.all(under: "Sources") {
            for (number, line) in file.codeLines where line.contains(users) {
                found.insert(file.path)
                #expect(
                    allowed[file.path].map { line.contains($0) } ?? false,
                    "\(file.path):\(number) asks ICU, whose data an installation lacks; extend .ci/icu-data and this list"
                )
            }
        }
        #expect(found == Set(allowed.keys))
    }
}
