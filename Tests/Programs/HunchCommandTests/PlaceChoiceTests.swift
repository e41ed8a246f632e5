import TestSupport
import Testing

@Suite("Choice between several places", .timeLimit(.minutes(15))) struct PlaceChoiceTests {
    private static let question = "Which one? Type 1 to 3, or press Enter for none of them: "

    /// Three towns of one name, as likely as each other.
    private func withSpringfields(
        _ body: nonisolated(nonsending) (HunchRunner) async throws -> Void
    ) async throws {
        try await withHunch { hunch async throws in
            let rows = [10, 30, 50].map { latitude in
                "\(latitude)\tSpringfield\tSpringfield\t\t\(latitude)\t2\tP\tPPL\tDE\t\t07\t\t\t\t1000\t\t10\tEtc/UTC\t2024-01-01"
            }
            let dump = try hunch.home.directory.write(rows.joined(separator: "\n"), to: "towns.txt")
            #expect(try await hunch("gazetteer", "import", dump).status == .exited(0))
            try await body(hunch)
        }
    }

    private func ask(_ hunch: HunchRunner, _ arguments: [String], _ answers: [String]) async throws -> CommandResult {
        try await runOnTerminal(
            builtProduct("hunch"), arguments, answers: answers,
            environment: hunch.home.environment.merging(["NO_COLOR": "1", "TERM": "vt100"]) { $1 })
    }

    @Test("A terminal asks again after a bad answer and uses the choice")
    func chosen() async throws {
        try await withSpringfields { hunch async throws in
            let first = try await ask(hunch, ["geocode", "Springfield"], ["1"])
            #expect(first.status == .exited(0))
            #expect(
                first.standardOutput.contains("“Springfield” may be:\n  1  Springfield")
                    && first.standardOutput.contains("\n  3  "))
            let latitudes = ["10.0", "30.0", "50.0"]
            let shown = first.standardOutput.part(after: Self.question)
            #expect(latitudes.filter(shown.contains).count == 1)
            let second = try await ask(hunch, ["geocode", "Springfield"], ["no", "7", "2"])
            #expect(second.standardOutput.split(separator: Self.question).count == 4)
            let other = second.standardOutput.part(after: Self.question)
            #expect(
                latitudes.filter(other.contains).count == 1
                    && latitudes.filter(other.contains) != latitudes.filter(shown.contains))
            // Directions go to the one that was chosen.
            let way = try await ask(hunch, ["directions", "Springfield", "--json"], ["1"])
            let answer = way.standardOutput.part(after: Self.question)
            let chosen = latitudes.first(where: shown.contains) ?? ""
            #expect(answer.contains("\"latitude\":\(chosen.dropLast(2)),"), "\(answer)")
        }
    }

    @Test("A mistyped name is ambiguous, with distances where the start is known")
    func mistyped() async throws {
        try await withSpringfields { hunch async throws in
            let way = try await ask(hunch, ["directions", "Springfeild", "--from", "30.5,2", "--json"], ["1"])
            #expect(way.standardOutput.contains("“Springfeild” may be:\n  1  Springfield"), "\(way)")
            #expect(way.standardOutput.contains("(city, 56\u{A0}km away)"), "\(way)")
            #expect(way.standardOutput.contains("\"latitude\":30,"), "\(way)")
            // Without a choice, apps that search get the words.
            let none = try await ask(hunch, ["directions", "Springfeild", "--from", "30.5,2"], [""])
            #expect(none.standardOutput.contains("did you mean Springfield"), "\(none)")
        }
    }

    @Test("An empty, a missing or three bad answers choose nothing")
    func none() async throws {
        try await withSpringfields { hunch async throws in
            for answers in [[""], [], ["a", "b", "c"]] {
                let all = try await ask(hunch, ["geocode", "Springfield"], answers)
                #expect(all.status == .exited(0))
                let shown = all.standardOutput.part(after: Self.question)
                #expect(["10.0", "30.0", "50.0"].allSatisfy(shown.contains), "\(all.standardOutput)")
                let way = try await ask(hunch, ["directions", "Springfield"], answers)
                #expect(way.status == .exited(2) && way.standardOutput.contains("say which, or give coordinates"))
            }
        }
    }

    @Test("Nothing is asked when the input is a pipe")
    func notAsked() async throws {
        try await withSpringfields { hunch async throws in
            let piped = try await hunch("geocode", "Springfield", input: "2\n")
            #expect(piped.status == .exited(0) && !piped.standardError.contains("Which one?"))
            #expect(piped.standardOutput.split(separator: "\n").count == 3)
            let way = try await hunch("directions", "Springfield", input: "2\n")
            #expect(way.status == .exited(2) && !way.standardError.contains("Which one?"))
        }
    }
}

extension String {
    /// Returns the text behind the last of some texts.
    fileprivate func part(after text: String) -> String {
        split(separator: text, omittingEmptySubsequences: false).last.map(String.init) ?? self
    }
}
