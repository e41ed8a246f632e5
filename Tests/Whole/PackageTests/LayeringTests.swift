import FoundationEssentials
import TestSupport
import Testing

@Suite("Module layering")
struct LayeringTests {
    /// The storeys of `Sources`, the highest first.
    static let storeys = ["Programs", "Kit", "Features", "Agent", "Desktop", "Knowledge", "Base", "System"]

    @Test("Each module is in a storey, and uses none above it")
    func arrowsPointDown() async throws {
        var levels: [String: Int] = [:]
        let shipped = try await Manifest.read().shipped
        for target in shipped {
            let parts = (target.path ?? "").split(separator: "/").map(String.init)
            let level = Self.storeys.firstIndex(of: parts.count == 3 && parts[0] == "Sources" ? parts[1] : "")
            let storey: Int = try #require(level, "\(target.name) is in no storey")
            levels[target.name] = storey
        }
        #expect(levels.count > 10)
        for target in shipped {
            for name in target.dependencyNames {
                // Other packages have none.
                guard let level = levels[name], let own = levels[target.name] else { continue }
                #expect(level >= own, "\(target.name) uses \(name) of a storey above it")
            }
        }
    }

    @Test("A module declares what it imports")
    func importsAreDeclared() async throws {
        let shipped = try await Manifest.read().shipped
        let declared = Dictionary(uniqueKeysWithValues: shipped.map { ($0.name, Set($0.dependencyNames)) })
        var count = 0
        for file in try SourceFile.all(under: "Sources") {
            for line in file.lines {
                guard let match = line.firstMatch(of: /^(?:@\w+ )?(?:\w+ )?import (?:\w+ )?(\w+)/) else { continue }
                let name = String(match.1)
                guard declared[name] != nil else { continue }
                count += 1
                #expect(declared[file.module]?.contains(name) == true, "\(file.path) imports \(name)")
            }
        }
        #expect(count > 1_000)
    }

    @Test("Each storey is documented")
    func storeysAreDocumented() throws {
        let root = Surroundings.packageRoot
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: root + "/Sources").sorted() == Self.storeys.sorted())
        let guide = try String(contentsOfFile: root + "/CONTRIBUTING.md", encoding: .utf8)
        for storey in Self.storeys {
            #expect(guide.contains("(Sources/\(storey)/README.md)"))
            let text = try String(contentsOfFile: "\(root)/Sources/\(storey)/README.md", encoding: .utf8)
            if storey == "System" { continue }
            for module in try FileManager.default.contentsOfDirectory(atPath: "\(root)/Sources/\(storey)")
            where module != "README.md" {
                #expect(text.contains("`\(module)`"), "\(storey)/README.md does not name \(module)")
            }
        }
    }

    @Test("The tests of a module are in the storey of its name")
    func testsMirrorStoreys() async throws {
        let targets = try await Manifest.read().targets
        let shipped = Dictionary(
            targets.compactMap { target in target.path.map { (target.name, $0) } },
            uniquingKeysWith: { first, _ in first })
        let tests = targets.filter { $0.name.hasSuffix("Tests") }
        #expect(tests.count > 30)
        for target in tests {
            guard let module = shipped[String(target.name.dropLast("Tests".count))], module.hasPrefix("Sources/") else {
                continue
            }
            #expect(target.path == module.replacing("Sources/", with: "Tests/") + "Tests")
        }
        let folders = try FileManager.default.contentsOfDirectory(atPath: Surroundings.packageRoot + "/Tests")
        let others: Set = ["Whole", "Apps", "Support", "Fuzz", "Benchmarks"]
        #expect(Set(folders).subtracting(Self.storeys) == others)
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
            "Sources/Programs/GazetteerImport/CountryNames.swift": #"Locale.init(identifier:)"#,
            "Sources/Desktop/Directions/RoutingApp+Coverage.swift": "TimeZone.init(identifier:)",
            "Sources/Knowledge/MapLinks/Links/TimetableZone.swift": "TimeZone(identifier: name)",
            "Sources/Programs/CommandSupport/Agent/Moment.swift": "Calendar(identifier: .gregorian)",
            "Sources/Programs/hunch-dev/Coverage/FromGTFSCommand.swift": "Calendar(identifier: .gregorian)",
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
