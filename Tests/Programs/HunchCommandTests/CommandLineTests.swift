import FoundationEssentials
import TestSupport
import Testing

/// Tests of arguments, errors and foreign text in every command.
@Suite("Command line", .timeLimit(.minutes(15)))
struct CommandLineTests {
    private struct Failure: Decodable {
        struct Detail: Decodable {
            var code: String
            var message: String
        }
        var error: Detail
    }

    private static let placeCommands: [[String]] = [
        ["place"], ["geocode"], ["reverse"], ["directions"], ["regions", "check"],
    ]

    @Test("An unknown option is reported wherever it appears", arguments: placeCommands)
    func unknownOptions(command: [String]) async throws {
        try await withHunch { hunch async throws in
            for wrong in [
                ["--jsno", "1", "2"], ["1", "2", "--limt=3"], ["-x", "1", "2"], ["1", "2", "--jsno", "--", "3"],
            ] {
                let result = try await run(
                    builtProduct("hunch"), command + wrong, environment: hunch.home.environment)
                let option = try #require(wrong.first { $0.hasPrefix("-") }).prefix { $0 != "=" }
                #expect(result.status == .exited(2), "\(result)")
                #expect(
                    result.standardError
                        == "hunch: unknown option “\(option)”; see “hunch \(command.joined(separator: " ")) --help”\n")
                #expect(result.standardOutput.isEmpty)
            }
        }
    }

    @Test(
        "A misspelt command is reported with the closest match",
        arguments: [
            ("direction", "hunch directions"), ("Geocode", "hunch geocode"), ("plcae", "hunch place"),
            ("suggest", "hunch suggestions"), ("regions chek 1 2", "hunch regions check"), ("nonsense", nil),
            ("regions nonsense", nil), ("\u{1B}x", nil),
        ] as [(String, String?)])
    func misspeltCommands(typed: String, meant: String?) async throws {
        try await withHunch { hunch async throws in
            let result = try await run(
                builtProduct("hunch"), typed.split(separator: " ").map(String.init), environment: hunch.home.environment
            )
            #expect(result.status == .exited(2) && result.standardOutput.isEmpty)
            let complaint = result.standardError
            #expect(complaint.hasPrefix("hunch: there is no command “hunch "))
            #expect(complaint.hasSuffix(meant.map { "; did you mean “\($0)”?\n" } ?? " --help”\n"), "\(complaint)")
            #expect(!complaint.contains("\u{1B}"))
        }
    }

    @Test(
        "Errors in the arguments are in Hunch's words",
        arguments: [
            ("history --limit many", "--limit cannot be “many”; see “hunch history --help”"),
            (
                "lockscreen --titles maybe",
                "--titles cannot be “maybe”; use one of on, off; see “hunch lockscreen --help”"
            ),
            ("history --limit", "--limit needs a value; see “hunch history --help”"),
            ("device", "the argument <device> is missing; see “hunch device --help”"),
            ("status now", "“now” is one argument too many; see “hunch status --help”"),
            ("status now then", "these arguments are too many: now, then; see “hunch status --help”"),
            ("status --jsno", "unknown option “--jsno”; did you mean “--json”? See “hunch status --help”"),
            ("status --json=1", "--json takes no value, so leave out “1”; see “hunch status --help”"),
            ("enable -x", "unknown option “-x”; see “hunch enable --help”"),
        ])
    func parserErrors(typed: String, message: String) async throws {
        try await withHunch { hunch async throws in
            let arguments = typed.split(separator: " ").map(String.init)
            let result = try await run(builtProduct("hunch"), arguments, environment: hunch.home.environment)
            #expect(result.status == .exited(2) && result.standardError == "hunch: \(message)\n", "\(result)")
        }
    }

    @Test("Words that were not looked up are called words")
    func words() async throws {
        try await withHunch { hunch async throws in
            let words = try await hunch("place", "Yank", "Sing")
            #expect(words.status == .exited(1) && words.standardOutput == "query\tYank Sing\nrule\ttext\n")
            #expect(
                words.standardError
                    == "hunch: “Yank Sing” is only words, which were not looked up; "
                    + "“hunch geocode 'Yank Sing'” looks for them\n")
            #expect(try await hunch("place", "geo:1,2?q=Sing").standardError.isEmpty)
        }
    }

    @Test("hunch settings returns while the window is open")
    func settings() async throws {
        try await withHunch { hunch async throws in
            let directory = hunch.home.directory
            let command = directory.file("bin/hunch")
            let window = try directory.write(
                "#!/bin/sh\nread -r _ < '\(directory.file("close"))'\necho closed > '\(directory.file("closed"))'\n",
                to: "bin/hunch-settings")
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: window)
            try FileManager.default.copyItem(atPath: builtProduct("hunch"), toPath: command)
            _ = try await run("mkfifo", [directory.file("close"), directory.file("closed")]).output()
            let opened = try await run(command, ["settings"], environment: hunch.home.environment)
            #expect(opened.status == .exited(0) && opened.standardError.isEmpty, "\(opened)")
            // The window waits for this line, so it was open.
            let script = "echo > '\(directory.file("close"))'; cat '\(directory.file("closed"))'"
            #expect(try await run("/bin/sh", ["-c", script]).output() == "closed\n")
            try directory.write("#!/bin/sh\nexit 3\n", to: "bin/hunch-settings")
            let failed = try await run(command, ["settings"], environment: hunch.home.environment)
            #expect(failed.status == .exited(3) && failed.standardError.contains("did not open"), "\(failed)")
            try FileManager.default.removeItem(atPath: window)
            let missing = try await run(command, ["settings"], environment: hunch.home.environment)
            #expect(missing.status == .exited(3) && missing.standardError.contains("make install"), "\(missing)")
        }
    }

    @Test("“--” ends the options; negative numbers need no “--”")
    func endOfOptions() async throws {
        try await withHunch { hunch async throws in
            #expect(try await hunch("place", "--", "Yank", "Sing").standardOutput == "query\tYank Sing\nrule\ttext\n")
            #expect(try await hunch("place", "--", "-x").standardOutput == "query\t-x\nrule\ttext\n")
            #expect(try await hunch("place", "--", "--", "--json").standardOutput.hasPrefix("query\t-- --json\n"))
            #expect(try await hunch("place", "--").status == .exited(2))
            for text in ["-33.9,151.2", "-0.5,2", "-33.9 -151.2"] {
                #expect(try await hunch("place", text).standardOutput.hasPrefix("coordinate\t-"), "\(text)")
            }
            try hunch.installPlaceList()
            #expect(try await hunch("reverse", "--", "-33", "-151").standardOutput.hasPrefix("Sydney"))
            #expect(try await hunch("geocode", "Paris", "--near", "-33,-95").status == .exited(0))
            #expect(try await hunch("geocode", "Paris", "--near", "--json").status == .exited(2))
            #expect(try await hunch("directions", "1", "2", "--from", "--json").status == .exited(2))
        }
    }

    @Test(
        "--json prints an error as an object on standard output",
        arguments: [
            (["place", "--jsno", "x"], 2, "usage"), (["nonsense"], 2, "usage"),
            (["reverse", "91", "0"], 2, "badCoordinate"),
            (["regions", "check", "1", "x"], 2, "badCoordinate"), (["status"], 3, ""),
            (["directions", "geo:91,0"], 2, "badCoordinate"), (["gazetteer", "import", "/none.txt"], 2, "unreadable"),
            (["geocode", "Paris"], 3, "noGazetteer"), (["accept", "x"], 3, ""), (["gazetteer", "remove"], 2, "usage"),
            (["directions", "1", "2", "--by", "broom"], 2, "usage"), (["place", "geo:91,0"], 2, "badCoordinate"),
        ])
    func jsonErrors(arguments: [String], status: Int32, code: String) async throws {
        try await withHunch { hunch async throws in
            let result = try await run(
                builtProduct("hunch"), arguments + ["--json"], environment: hunch.home.environment)
            #expect(result.status == .exited(status), "\(result)")
            let lines = result.standardOutput.split(separator: "\n")
            #expect(lines.count == 1, "\(result)")
            let failure = try JSONDecoder().decode(Failure.self, from: Data(result.standardOutput.utf8))
            #expect(failure.error.code == code || code.isEmpty && !failure.error.code.isEmpty)
            let complaint = result.standardError
            #expect(complaint.hasPrefix("hunch: ") && complaint.split(separator: "\n").count == 1, "\(result)")
            #expect(complaint.contains(failure.error.message))
        }
    }

    @Test("A coordinate is geocoded without a gazetteer")
    func positionWithoutGazetteer() async throws {
        try await withHunch { hunch async throws in
            let found = try await hunch("geocode", "48.2,", "16.37", "--json")
            #expect(found.status == .exited(0), "\(found)")
            #expect(found.standardOutput.contains("\"latitude\":48.2,\"longitude\":16.37"), "\(found)")
        }
    }

    @Test("A batch exits with its worst status; unreadable input fails")
    func batches() async throws {
        try await withHunch { hunch async throws in
            try hunch.installPlaceList()
            let good = try await hunch("place", "-", input: "1,2\nHere\n")
            #expect(good.status == .exited(0) && good.standardError.isEmpty)
            let bad = try await hunch("place", "-", "--json", input: "1,2\n91,0\n")
            #expect(bad.status == .exited(2))
            #expect(bad.standardError == "hunch: of 2 lines, 1 could not be understood\n")
            #expect(bad.standardOutput.split(separator: "\n").count == 2)
            for (input, status) in [("Paris\nsydney\n", Int32(0)), ("Paris\nAtlantis\n", 1), ("Atlantis\n,\n", 2)] {
                for option in [[], ["--json"]] {
                    let result = try await run(
                        builtProduct("hunch"), ["geocode", "-"] + option, environment: hunch.home.environment,
                        input: input)
                    #expect(result.status == .exited(status), "\(result)")
                }
            }
            // A folder can be opened but not read.
            for command in ["place", "geocode", "regions check"] {
                let result = try await run(
                    "/bin/sh", ["-c", "exec \"$0\" \(command) - </", try builtProduct("hunch")],
                    environment: hunch.home.environment)
                #expect(result.status == .exited(2), "\(result)")
                #expect(result.standardError.contains("standard input cannot be read: Is a directory"))
            }
        }
    }

    @Test("Control characters are removed, or escaped in JSON")
    func hostileText() async throws {
        try await withHunch { hunch async throws in
            let hostile = "a\u{7F}b\u{85}c\u{9B}31md\u{202E}e\u{2066}f\u{200F}g"
            let plain = try await hunch("place", hostile)
            #expect(plain.standardOutput == "query\ta b c 31mdefg\nrule\ttext\n")
            let lines = try await hunch("place", "-", input: hostile + "\n")
            #expect(lines.standardOutput == "a b c 31mdefg\n")
            let json = try await hunch("place", hostile, "--json").standardOutput
            #expect(json.contains(#""input":"a\u007fb\u0085c\u009b31md\u202ee\u2066f\u200fg""#), "\(json)")
            for command in [["geocode"], ["regions", "check"], ["directions"]] {
                try hunch.installPlaceList()
                for option in [[], ["--json"]] {
                    let result = try await run(
                        builtProduct("hunch"), command + [hostile] + option, environment: hunch.home.environment)
                    let all = (result.standardOutput + result.standardError).unicodeScalars
                    #expect(!all.isEmpty)
                    #expect(!all.contains { "\u{7F}\u{85}\u{9B}\u{202E}\u{2066}\u{200F}".unicodeScalars.contains($0) })
                }
            }
        }
    }

    @Test("A long input is answered and echoed only in part", arguments: [4_096, 4_097, 1_000_000, 1_200_000])
    func longInput(count: Int) async throws {
        try await withHunch { hunch async throws in
            let text = String(repeating: "é", count: count)
            struct Line: Decodable {
                var input: String
            }
            for command in ["place", "geocode"] {
                try hunch.installPlaceList()
                let result = try await hunch(command, "-", "--json", input: text + "\n")
                let line = try JSONDecoder().decode(Line.self, from: Data(result.standardOutput.utf8))
                #expect(line.input == String(text.prefix(4_096)) + (count > 4_096 ? "…" : ""))
                let plain = try await hunch(command, "-", input: text + "\n")
                #expect(plain.standardError.utf8.count < 20_000)
            }
        }
    }

    @Test("Altitude and uncertainty of a link are printed")
    func altitudeAndUncertainty() async throws {
        try await withHunch { hunch async throws in
            let json = try await hunch("place", "geo:48.2010,16.3695,183;u=40", "--json").standardOutput
            #expect(json.contains(#""altitude":183,"#) && json.contains(#""uncertainty":40,"#))
        }
    }

    @Test("directions takes a list of modes and names an unknown one")
    func modes() async throws {
        try await withHunch { hunch async throws in
            let result = try await hunch("directions", "1", "2", "--by", "car, bike", "--json")
            #expect(result.standardOutput.contains("by=bike") || result.standardOutput.contains("by=car"))
            let refused = try await hunch("directions", "1", "2", "--by", "car,broom")
            #expect(refused.status == .exited(2))
            #expect(refused.standardError.contains("“broom”") && refused.standardError.contains("bike"))
            #expect(try await hunch("directions", "1", "2", "--by", "").status == .exited(2))
        }
    }

    @Test("--open reports an app that did not open, and exits 3")
    func openingFails() async throws {
        try await withHunch { hunch async throws in
            let script = try hunch.home.directory.write("#!/bin/sh\nexit 4\n", to: "bin/marble")
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
            try hunch.home.directory.write(
                "[Desktop Entry]\nType=Application\nName=Marble\nExec=\(script) --geo-uri=%u\nNoDisplay=true\n",
                to: "share/applications/marble_geo.desktop")
            let areas = "\(Surroundings.packageRoot)/Regions"
            let result = try await hunch(
                "directions", "geo:60.17,24.94?z=15", "--open", "--app", "Marble", "--regions", areas)
            #expect(result.status == .exited(3), "\(result)")
            #expect(result.standardError.contains("did not open") && result.standardError.contains("exit code 4"))
            #expect(result.standardOutput.isEmpty)
        }
    }

    @Test(
        "Every command reports output that cannot be written",
        arguments: [
            ["--help"], ["--version"], ["help", "place"], ["place", "1,2"], ["place", "1,2", "--json"],
            ["directions", "1,2"], ["regions", "list"], ["manual"], ["doctor"],
            ["--generate-completion-script", "fish"],
        ])
    func fullDisk(arguments: [String]) async throws {
        try await withHunch { hunch async throws in
            let script = #"exec "$@" >/dev/full"#
            let result = try await run(
                "/bin/sh", ["-c", script, "sh", builtProduct("hunch")] + arguments,
                environment: hunch.home.environment)
            #expect(result.status == .exited(3))
            #expect(result.standardError.contains("the output cannot be written: No space left on device"))
        }
    }

    @Test("Help shows everyday commands first")
    func groups() async throws {
        try await withHunch { hunch async throws in
            let help = try await hunch("--help").output()
            let groups = [
                "EVERYDAY", "\n  directions", "\n  suggestions", "\n  find", "ON AND OFF", "\n  doctor", "PRIVACY",
                "\n  forget", "DEVICES AND PROGRAMS", "\n  handler", "TOOLS", "\n  gazetteer",
            ]
            let places = groups.map { help.firstRange(of: $0)?.lowerBound }
            #expect(!places.contains(nil) && places.compactMap(\.self) == places.compactMap(\.self).sorted())
            let former = try await hunch("resume")
            #expect(former.status == .exited(2) && former.standardError.contains("hunch unpause"))
        }
    }

    @Test("The first lookup fills the gazetteer; remove all needs --all")
    func gazetteer() async throws {
        try await withHunch { hunch async throws in
            try hunch.installPlaceList()
            let first = try await hunch("geocode", "Sydney")
            #expect(first.status == .exited(0) && first.standardError.contains("filling the gazetteer"))
            #expect(first.standardError.split(separator: "\n").count == 1)
            #expect(try await hunch("geocode", "Sydney").standardError.isEmpty)
            let refused = try await hunch("gazetteer", "remove")
            #expect(refused.status == .exited(2) && refused.standardError.contains("--all"))
            #expect(try await hunch("gazetteer", "remove", "gnome-places", "--all").status == .exited(2))
            #expect(try await hunch("geocode", "Sydney").status == .exited(0))
            #expect(try await hunch("gazetteer", "remove", "--all").status == .exited(0))
        }
    }
}
