import FoundationEssentials
import TestSupport
import Testing

@Suite("hunch find and hunch index", .timeLimit(.minutes(15)))
struct FindCommandTests {
    private static let notes = """
        {"id":"1","title":"Dim sum at Yank Sing","text":"with Ann","created":"2026-11-01T10:00:00Z"}

        {"id":"2","title":"Jazz","keywords":["music"]}
        {"id":3,"title":"x"}
        not JSON

        """

    private struct Answer: Decodable {
        struct Hit: Decodable {
            let id, app, title, date, excerpt: String
            let score: Double
        }
        let query: String
        let hits: [Hit]
        let unknown: [String]?
        let error: String?
    }

    private func withIndex(_ body: @Sendable @escaping (HunchRunner) async throws -> Void) async throws {
        try await withHunch { hunch in
            try hunch.home.directory.write(Self.notes, to: "notes.jsonl")
            let imported = try await hunch("index", "import", "notes.jsonl", "--index", "notes")
            #expect(imported.status == .exited(2) && imported.standardOutput == "2 items indexed\n", "\(imported)")
            #expect(imported.standardError.contains("line 4: “id” must be a text\n"), "\(imported)")
            #expect(imported.standardError.contains("line 5: column 1: "), "\(imported)")
            try await body(hunch)
        }
    }

    @Test("Imported items are found by words and by queries")
    func finding() async throws {
        try await withIndex { hunch in
            let yank = try await hunch("find", "yank", "sing")
            #expect(yank.standardOutput == "Dim sum at Yank Sing\tscript:notes\t1\t1 Nov 2026\twith Ann\n", "\(yank)")
            let query = try await hunch("find", "--query", "created > $time.iso(2026-10-01)", "--json")
            let answer = try JSONDecoder().decode(Answer.self, from: Data(query.standardOutput.utf8))
            #expect(answer.hits.map(\.id) == ["1"] && answer.hits.first?.app == "script:notes", "\(query)")
            #expect(answer.hits.first?.date == "2026-11-01T10:00:00Z" && answer.hits.first?.excerpt == "with Ann")
            let cut = try await hunch("find", "--query", "title == \"*\"", "--limit", "1")
            #expect(cut.status == .exited(0) && cut.standardError.contains("there may be more"), "\(cut)")
            let nothing = try await hunch("find", "nothing")
            #expect(nothing.status == .exited(1), "\(nothing)")
            #expect(nothing.standardError == "hunch: nothing was found for “nothing”\n")
            #expect(yank.standardError == "", "\(yank)")
            let partly = try await hunch("find", "yank", "zzz", "Sings")
            #expect(partly.standardOutput == yank.standardOutput, "\(partly)")
            #expect(partly.standardError == "hunch: no item has “zzz”\n", "\(partly)")
            #expect(try await hunch("find", "jazz", "-music").status == .exited(1))
            #expect(try await hunch("find", "sing", "-music").status == .exited(0))
            let option = try await hunch("find", "jazz", "--musik")
            #expect(option.status == .exited(2) && option.standardError.contains("“--musik”"), "\(option)")
            let app = try await hunch("find", "jazz", "--app", "notes")
            #expect(app.status == .exited(1) && app.standardError.contains("did you mean “script:notes”?"), "\(app)")
            for (arguments, reason) in [
                (["nothing"], "nothing was found for “nothing”"),
                (["jazz", "--app", "script:note"], "no app is called “script:note”; did you mean script:notes?"),
                (["jazz", "--app", "org.example.Nobody"], "no app is called “org.example.Nobody”"),
            ] {
                let result = try await run(
                    builtProduct("hunch"), ["find", "--json"] + arguments, environment: hunch.home.environment)
                let answer = try JSONDecoder().decode(Answer.self, from: Data(result.standardOutput.utf8))
                #expect(result.status == .exited(1) && answer.hits.isEmpty, "\(result)")
                #expect(answer.error?.hasPrefix(reason) == true, "\(result)")
                #expect(result.standardError == "hunch: \(answer.error ?? "")\n", "\(result)")
            }
            let misspelled = try await hunch("find", "--query", "titel == “Jazz”")
            #expect(misspelled.standardError.hasSuffix("no item has “titel”; did you mean “title”?\n"), "\(misspelled)")
            let wrong = try await hunch("find", "--query", "title = 1")
            #expect(wrong.status == .exited(2) && wrong.standardError.contains("at character 7"), "\(wrong)")
        }
    }

    @Test("Words that no item has are named as they were typed, below the items")
    func unknownWords() async throws {
        try await withIndex { hunch in
            let partly = try await hunch("find", "Yank", "Ärgerlichkeiten", "Zzz’s")
            #expect(partly.standardError == "hunch: no item has “Ärgerlichkeiten”, “Zzz’s”\n", "\(partly)")
            let both = try await run(
                "/bin/sh", ["-c", "exec \"$0\" find Yank Zzz 2>&1", builtProduct("hunch")],
                environment: hunch.home.environment
            ).standardOutput
            #expect(both.hasPrefix("Dim sum") && both.hasSuffix("\nhunch: no item has “Zzz”\n"), "\(both)")
            let json = try await hunch("find", "Yank", "Ärger", "--json")
            let answer = try JSONDecoder().decode(Answer.self, from: Data(json.standardOutput.utf8))
            #expect(answer.unknown == ["Ärger"] && answer.hits.map(\.id) == ["1"], "\(json)")
            #expect(json.standardError == "", "\(json)")
        }
    }

    @Test("The factors of an item's score are explained")
    func explaining() async throws {
        try await withIndex { hunch in
            let lines = try await hunch("explain", "1", "--find", "yank").output().split(separator: "\n")
            #expect(lines.count == 3 && lines[0].hasSuffix("place 1 of 1"), "\(lines)")
            #expect(lines[1].hasSuffix("  the words fit") && lines[2].hasPrefix("× 1"), "\(lines)")
            let json = try await hunch("explain", "1", "--find", "yank", "--json").output()
            #expect(json.contains(#""place":1"#) && json.contains(#""name":"query","opened":0,"shown":0"#), "\(json)")
            let other = try await hunch("explain", "2", "--find", "yank")
            #expect(other.status == .exited(1), "\(other)")
            #expect(other.standardError == "hunch: “hunch find” does not find the item “2” for “yank”\n")
        }
    }

    @Test("With “-”, each line is answered by a JSON object")
    func lines() async throws {
        try await withIndex { hunch in
            let result = try await hunch("find", "-", "--limit", "1", input: "yank\nmusic\nnothing\n")
            let answers = try result.standardOutput.split(separator: "\n").map {
                try JSONDecoder().decode(Answer.self, from: Data($0.utf8))
            }
            #expect(answers.map(\.query) == ["yank", "music", "nothing"])
            #expect(
                answers.map { $0.hits.map(\.id) } == [["1"], ["2"], []] && result.status == .exited(1), "\(result)")
            let queries = try await hunch("find", "-", "--query", input: "title == \"Jazz\"\ntitle =\n")
            let other = try queries.standardOutput.split(separator: "\n").map {
                try JSONDecoder().decode(Answer.self, from: Data($0.utf8))
            }
            #expect(other.map { $0.hits.map(\.id) } == [["2"], []] && queries.status == .exited(2), "\(queries)")
            #expect(other.last?.error?.contains("character 7") == true)
        }
    }

    @Test("Single items are removed, and all named apps are forgotten")
    func removing() async throws {
        try await withIndex { hunch in
            let more = #"{"id":"3","title":"Tea"}"#
            #expect(try await hunch("index", "import", "-", "--index", "tea", input: more).status == .exited(0))
            #expect(try await hunch("index", "remove", "notes", "--id", "2").standardOutput == "1 item removed\n")
            #expect(try await hunch("find", "jazz").status == .exited(1))
            #expect(try await hunch("find", "yank").status == .exited(0))
            let again = try await hunch("index", "remove", "notes", "--id", "2")
            #expect(again.status == .exited(1) && again.standardError.contains("no such item"), "\(again)")
            let doctor = try await hunch("doctor")
            #expect(doctor.standardOutput.contains("search index: 2 items"), "\(doctor)")
            let forgotten = try await hunch("forget", "--app", "script:notes", "--app", "none", "--app", "script:tea")
            #expect(forgotten.standardError.hasPrefix("hunch: no app is called “none”;"), "\(forgotten)")
            #expect(forgotten.standardOutput.contains("content in the search index\t2"), "\(forgotten)")
            #expect(try await hunch("find", "yank").status == .exited(1))
            #expect(try await hunch("find", "tea").status == .exited(1))
        }
    }

    @Test("Forgetting the last hour leaves imported items, and says so")
    func importedItemsStay() async throws {
        try await withIndex { hunch in
            let forgotten = try await hunch("forget", "--last", "1h")
            #expect(
                forgotten.standardError.contains(
                    "2 items that you imported into “notes” stay; “hunch forget --app script:notes” forgets them\n"),
                "\(forgotten)")
            #expect(try await hunch("find", "yank").status == .exited(0))
            #expect(try await hunch("forget", "--app", "Notes").status == .exited(0))
            let again = try await hunch("forget", "--last", "1h")
            #expect(!again.standardError.contains("stay"), "\(again)")
        }
    }

    @Test("Forgetting everything on a terminal names the imported items")
    func askingForImportedItems() async throws {
        try await withIndex { hunch in
            let result = try await run(
                "script", ["--quiet", "--return", "--command", "'\(builtProduct("hunch"))' forget --all", "/dev/null"],
                environment: hunch.home.environment, input: "n\n")
            #expect(
                result.standardOutput.contains("Forget everything that Hunch recorded, and 2 items of notes? Type y"),
                "\(result)")
            #expect(try await hunch("find", "yank").status == .exited(0))
        }
    }

    @Test("An import names what it cannot import, and how it could")
    func faults() async throws {
        try await withHunch { hunch in
            let lines = """
                {"id":"1","title":"a","index":"tea","expires":"2020-01-01"}
                {"id":"1","title":"a","index":"tea","app":"org.example.Tea"}
                {"id":"1","title":"a"}
                """
            let result = try await hunch("index", "import", "-", input: lines)
            #expect(result.status == .exited(2) && result.standardOutput == "1 item indexed\n", "\(result)")
            for reason in [
                "line 2: org.example.Tea indexes its own items", "line 3: the line names no “index”",
                "1 item has expired already",
            ] { #expect(result.standardError.contains(reason), "\(result)") }
            for (list, remedy) in [
                ("[\n{\"id\": \"1\"}\n]", "jq -c '.[]'"), (" [{}]", "jq -c '.[]'"), ("{\n\"id\": \"1\"\n}", "jq -c ."),
            ] {
                let result = try await hunch("index", "import", "-", "--index", "tea", input: list)
                #expect(result.status == .exited(2) && result.standardError.contains("“\(remedy)”"), "\(result)")
            }
            let table = "id,title\n" + String(repeating: "1,Tea\n", count: 100)
            let csv = try await hunch("index", "import", "-", "--index", "tea", input: table)
            #expect(
                csv.status == .exited(2)
                    && csv.standardError.hasSuffix(
                        "none of the first lines is an item; see “hunch index import --help”\n"),
                "\(csv)")
            let apart = (1...40).map { #"{"id":"\#($0)","title":"a","index":"tea","app":"org.example.Tea"}"# }
            let once = try await hunch("index", "import", "-", input: apart.joined(separator: "\n"))
            let fault = "org.example.Tea indexes its own items; “--as script:NAME” copies them"
            #expect(
                once.standardError == "hunch: line 1: \(fault)\nhunch: 39 further lines have this fault: \(fault)\n"
                    + "hunch: 40 lines were skipped\n", "\(once)")
            let unknown = try await hunch("index", "imprt", "-")
            #expect(unknown.standardError.hasSuffix("did you mean “hunch index import”?\n"), "\(unknown)")
        }
    }

    @Test("A note without an address is shown, and counts as opened")
    func showing() async throws {
        try await withIndex { hunch in
            try hunch.withHistory { _ in }
            let shown = try await hunch("open", "1", "--find", "yank")
            #expect(shown.standardOutput == "Dim sum at Yank Sing\n\nwith Ann\n", "\(shown)")
            let json = try await hunch("open", "2", "--json")
            #expect(json.standardOutput == #"{"id":"2","text":"","title":"Jazz","way":"text"}"# + "\n", "\(json)")
            let factors = try await hunch("explain", "1", "--find", "yank").output()
            #expect(factors.contains("for such words, you opened it 1 of 1 times"), "\(factors)")
        }
    }

    @Test("Missing items are reported until the damaged file is removed")
    func damage() async throws {
        try await withIndex { hunch in
            let path = "state/hunch/index.sqlite"
            try hunch.home.directory.write("no database", to: path)
            let more = #"{"id":"3","title":"Tea"}"#
            let imported = try await hunch("index", "import", "-", "--index", "tea", input: more)
            #expect(imported.standardError.contains("the search index was damaged"), "\(imported)")
            let doctor = try await hunch("doctor").standardOutput
            #expect(doctor.contains("search index: the former one was damaged"), "\(doctor)")
            #expect(doctor.contains("rm \(hunch.home.directory.file(path)).unreadable"), "\(doctor)")
        }
    }

    @Test("Rebuilding starts a new index in place of a damaged one, also without an agent")
    func rebuilding() async throws {
        try await withIndex { hunch in
            let path = "state/hunch/index.sqlite"
            try hunch.home.directory.write("no database", to: path)
            let advice = try await hunch("find", "jazz")
            #expect(advice.standardError.contains("“hunch index rebuild” starts a new one"), "\(advice)")
            let rebuilt = try await hunch("index", "rebuild")
            #expect(rebuilt.standardError.contains("the search index was damaged"), "\(rebuilt)")
            #expect(try await hunch("find", "jazz").status == .exited(1))
        }
    }

    @Test("Indexes are listed and removed")
    func managing() async throws {
        try await withIndex { hunch in
            #expect(try await hunch("index", "list").standardOutput == "script:notes\tnotes\t2\n")
            let exported = try await hunch("index", "export", "--index", "notes").standardOutput
            let again = try await hunch("index", "import", "-", "--index", "copy", input: exported)
            #expect(again.standardOutput == "2 items indexed\n", "\(again)")
            let copy = try await hunch("index", "export", "--index", "copy").standardOutput
            #expect(copy == exported.replacing("notes", with: "copy"), "\(copy)")
            #expect(copy.contains(#""created":1793527200.0"#) && copy.contains(#""keywords":["music"]"#), "\(copy)")
            #expect(try await hunch("index", "remove", "copy").standardOutput == "2 items removed\n")
            let unknown = try await hunch("index", "remove", "other")
            #expect(unknown.status == .exited(1) && unknown.standardError.contains("no index “other”"), "\(unknown)")
            #expect(try await hunch("index", "remove", "notes").standardOutput == "2 items removed\n")
            #expect(try await hunch("index", "list").status == .exited(1))
            let whole = try await hunch("index", "import", "-", input: exported)
            #expect(whole.standardOutput == "2 items indexed\n" && whole.status == .exited(0), "\(whole)")
            #expect(try await hunch("index", "export").standardOutput == exported)
            #expect(try await hunch("index", "remove", "script:notes").standardOutput == "2 items removed\n")
            let app = try await hunch("index", "import", "-", "--index", "a", "--as", "org.example.App", input: "")
            #expect(app.status == .exited(2) && app.standardError.contains("script:NAME"), "\(app)")
        }
    }
}
