import FoundationEssentials
import TestSupport
import Testing

@Suite("Translated output", .timeLimit(.minutes(15)))
struct TranslatedOutputTests {
    private func withGermanHunch(
        _ body: nonisolated(nonsending) (HunchRunner, [String: String]) async throws -> Void
    ) async throws {
        try await withHunch { hunch async throws in
            try await body(hunch, Translations.german(in: hunch.home.directory).environment)
        }
    }

    @Test("The help is German, with the headings of the parser")
    func help() async throws {
        try await withGermanHunch { hunch, german async throws in
            let help = try await hunch("--help", also: german).output()
            #expect(help.hasPrefix("ÜBERSICHT: Schlägt vor, was als Nächstes läuft und wie Sie ans Ziel kommen.\n\n"))
            for text in [
                "\nAUFRUF: hunch <subcommand>\n", "\nOPTIONEN:\n", "Die Hilfe anzeigen.", "\nBEFEHLE (ALLTAG):\n",
                "  suggestions             Zeigt die aktuellen Vorschläge.\n",
            ] {
                #expect(help.contains(text), "\(text)")
            }
            let directions = try await hunch("directions", "--help", also: german).output()
            #expect(directions.contains("\nARGUMENTE:\n") && directions.contains("\nBeispiel:\n  hunch directions 60."))
            let limit = try await hunch("history", "--help", also: german).output()
            #expect(limit.contains("Die Höchstzahl der Zeilen, 1 bis 10000. (Standard: 50)"))
        }
    }

    @Test(
        "Errors of the parser are German",
        arguments: [
            (["status", "--jsno"], "unbekannte Option „--jsno“; ist „--json“ gemeint? Siehe „hunch status --help“"),
            (["history", "--limit"], "--limit braucht einen Wert; siehe „hunch history --help“"),
            (["status", "now"], "„now“ ist ein Argument zu viel; siehe „hunch status --help“"),
            (["device"], "das Argument <device> fehlt; siehe „hunch device --help“"),
            (
                ["lockscreen", "--titles", "maybe"],
                "--titles kann nicht „maybe“ sein; möglich sind on, off; "
                    + "siehe „hunch lockscreen --help“"
            ),
            (["history", "--limit", "0"], "--limit ist 1 bis 10000; siehe „hunch history --help“"),
            (["statsu"], "den Befehl „hunch statsu“ gibt es nicht; ist „hunch status“ gemeint?"),
        ])
    func parserErrors(arguments: [String], message: String) async throws {
        try await withGermanHunch { hunch, german async throws in
            let result = try await run(
                builtProduct("hunch"), arguments, environment: hunch.home.environment.merging(german) { $1 })
            #expect(result.status == .exited(2))
            #expect(result.standardError == "hunch: \(message)\n")
        }
    }

    @Test("Directions name countries, own places and words in German")
    func directions() async throws {
        try await withGermanHunch { hunch, german async throws in
            let row =
                "1\tColumbus\tColumbus\t\t39.96\t-83.0\tP\tPPLA\tUS\t\tOH\t\t\t\t900000\t\t10\tEtc/UTC\t2024-01-01"
            let towns = try hunch.home.directory.write(row, to: "dump/towns.txt")
            #expect(try await hunch("gazetteer", "import", towns).status == .exited(0))
            let result = try await hunch("directions", "Columbus", "--from", "Berlin Hbf", also: german)
            #expect(result.standardError.contains("von „Berlin Hbf“ nach Columbus"), "\(result)")
            #expect(result.standardError.contains("Vereinigte Staaten"), "\(result)")
        }
    }

    @Test("Directions name towns in German if that is one of their names")
    func towns() async throws {
        try await withGermanHunch { hunch, german async throws in
            let rows = [
                "Munich\tMunich\tMünchen,Monaco\t48.14\t11.58\tP\tPPLA\tDE\t\t02\t\t\t\t1260391",
                "Prague\tPrague\tPrag,Praha\t50.09\t14.42\tP\tPPLC\tCZ\t\t52\t\t\t\t1165581",
                "Milano\tMilano\tMilan,Mailand\t45.46\t9.19\tP\tPPLA\tIT\t\t09\t\t\t\t1371498",
                // A namesake without the German name.
                "Vienna\tVienna\t\t38.9\t-77.27\tP\tPPL\tUS\t\tVA\t\t\t\t16522",
            ].enumerated().map { "\($0)\t\($1)\t\t10\tEtc/UTC\t2024-01-01" }
            let towns = try hunch.home.directory.write(rows.joined(separator: "\n"), to: "dump/towns.txt")
            #expect(try await hunch("gazetteer", "import", towns).status == .exited(0))
            for (words, said) in [
                ("Munich", "nach München, Deutschland"), ("nach Prag", "nach Prag, Tschechien"),
                ("Milan", "nach Mailand, Italien"),
                ("Vienna", "nach Vienna, Virginia, Vereinigte Staaten"),
                ("Munich to Prag", "von München, Deutschland nach Prag"),
            ] {
                let result = try await hunch("directions", words, also: german)
                #expect(result.standardError.contains(said), "\(result)")
            }
            let json = try await hunch("directions", "Munich", "--json", also: german).output()
            #expect(json.contains("Route: München"), "\(json)")
        }
    }

    @Test("Answers and errors are German")
    func answers() async throws {
        try await withGermanHunch { hunch, german async throws in
            let history = try await hunch("history", also: german)
            #expect(
                history
                    == CommandResult(
                        status: .exited(1), standardOutput: "",
                        standardError: "hunch: bisher wurde nichts aufgezeichnet; spielen Sie nach „hunch enable“ "
                            + "etwas eine halbe Minute lang ab, oder fragen Sie nach einer Route\n"))
            let empty = hunch.home.directory.file("config")
            let directions = try await hunch("directions", "60.17,24.94", "--regions", empty, also: german)
            #expect(directions.status == .exited(1))
            #expect(directions.standardError.hasSuffix("hunch: keine App kann die Route anzeigen\n"), "\(directions)")
            #expect(
                try await hunch("online", also: german).output()
                    == "Orte werden nicht im Netzwerk nachgeschlagen.\nKurzlinks werden nicht aufgelöst.\n"
                    + "Cover werden nicht heruntergeladen.\nBeliebtheit wird nicht ausgetauscht.\n")
        }
    }

    @Test(
        "Errors in input are German",
        arguments: [
            (["place", "95,200"], "", "der Breitengrad 95 liegt außerhalb von −90…90 Grad\n"),
            (
                ["donate", "-"], "{\n",
                "Zeile 1: kein JSON: der Text endet, bevor ein Name in doppelten Anführungszeichen kommt, in Spalte 2\n"
            ),
            (
                ["donate", "-"], "{\"a\" 1}\n",
                "Zeile 1: kein JSON: hier fehlt ein Doppelpunkt nach dem Namen, in Spalte 6\n"
            ),
            (
                ["index", "import", "-", "--index", "x"], #"{"id":"a","title":"x","latitude":95}"# + "\n",
                "Zeile 1: „latitude“ und „longitude“ müssen beide angegeben sein\n"
            ),
            (
                ["index", "import", "-", "--index", "x"], #"{"id":"a","title":"x","rating":"good"}"# + "\n",
                "Zeile 1: „rating“ muss eine Zahl sein\n"
            ),
            (["find", ""], "", "gesuchte Wörter angeben"), (["forget", "--app", " "], "", "--app ist leer"),
            (["donate", "/"], "", "„/“ ist ein Ordner; eine Datei angeben\n"),
        ])
    func inputErrors(arguments: [String], input: String, message: String) async throws {
        try await withGermanHunch { hunch, german async throws in
            let result = try await run(
                builtProduct("hunch"), arguments, environment: hunch.home.environment.merging(german) { $1 },
                input: input)
            #expect(result.status == .exited(2) && result.standardError.hasPrefix("hunch: " + message), "\(result)")
        }
    }

    @Test("Numbers and defaults are German")
    func numbers() async throws {
        try await withGermanHunch { hunch, german async throws in
            try hunch.installPlaceList()
            let near = try await hunch("reverse", "-33.9", "151.25", also: german).output()
            #expect(near.hasSuffix("\t3,6\u{A0}km\n"), "\(near)")
            let places = try await hunch("places", "--help", also: german).output()
            #expect(places.contains("list (Standard)"), "\(places)")
        }
    }

    @Test("JSON keeps its keys and codes; only messages are German")
    func json() async throws {
        try await withGermanHunch { hunch, german async throws in
            let history = try await hunch("history", "--json", also: german)
            #expect(
                history.standardOutput.hasPrefix(
                    #"{"error":{"code":"notFound","message":"bisher wurde nichts aufgezeichnet; spielen Sie"#))
            let settings = try await hunch("online", "--json", also: german).output()
            #expect(settings == (try await hunch("online", "--json").output()))
        }
    }

    @Test("Tables have German headings on a terminal")
    func tables() async throws {
        try await withGermanHunch { hunch, german async throws in
            let shown = try await runOnTerminal(
                builtProduct("hunch"), ["place", "geo:37.79,-122.39"], answers: [],
                environment: hunch.home.environment.merging(german) { $1 }.merging(["NO_COLOR": "1"]) { $1 }
            ).output()
            #expect(shown.hasPrefix("Feld") && shown.contains("\nKoordinate  37.79,-122.39\n"), "\(shown)")
        }
    }

    @Test("The manual page and completions of the build are English in every environment")
    func generated() async throws {
        try await withGermanHunch { hunch, german async throws in
            let build = german.merging(["LC_ALL": "C"]) { $1 }
            for arguments in [["manual"], ["--generate-completion-script", "zsh"]] {
                let english = try await run(builtProduct("hunch"), arguments).output()
                let built = try await run(
                    builtProduct("hunch"), arguments, environment: hunch.home.environment.merging(build) { $1 })
                #expect(try built.output() == english)
            }
        }
        let commands = try await run(
            "make", ["-C", Surroundings.packageRoot, "-n", "install", "BIN=/bin", "DESTDIR=/nonexistent"]
        ).output().split(separator: "\n").filter {
            $0.contains("--generate-completion-script") || $0.contains(" manual")
        }
        #expect(commands.count == 9)
        for command in commands { #expect(command.hasPrefix("LC_ALL=C "), "\(command)") }
    }

    @Test("A state has its German name, and is left out after its country if no catalogue has one")
    func states() async throws {
        try await withGermanHunch { hunch, german async throws in
            let rows = [("Palermo", 38.13, 13.34, "15", 1), ("Como", 45.81, 9.08, "09", 2)].map { town in
                "\(town.4)\t\(town.0)\t\(town.0)\t\t\(town.1)\t\(town.2)\tP\tPPL\tIT\t\t\(town.3)\t\t\t\t800000\t\t10\tEtc/UTC\t2024-01-01"
            }
            let dump = try hunch.home.directory.write(rows.joined(separator: "\n"), to: "dump/towns.txt")
            try hunch.home.directory.write(
                "IT.15\tSicily\tSicily\t3\nIT.09\tLombardia\tLombardia\t4\n", to: "dump/admin1CodesASCII.txt")
            #expect(try await hunch("gazetteer", "import", dump).status == .exited(0))
            for (town, label) in [("Palermo", "Palermo, Italien"), ("Como", "Como, Lombardei, Italien")] {
                let found = try await hunch("geocode", town, also: german).output()
                #expect(found.hasPrefix("\(label)\t"), "\(found)")
            }
        }
    }

    @Test("Lines have no words from outside the catalogue")
    func bracketed() async throws {
        try await withHunch { hunch async throws in
            let brackets = try await Translations.bracketed(in: hunch.home.directory).environment
            let empty = hunch.home.directory.file("config")
            let result = try await hunch("directions", "51.5,-0.12", "--regions", empty, also: brackets)
            let last = result.standardError.split(separator: "\n").last.map(String.init) ?? ""
            #expect(Translations.withoutBrackets(last) == "hunch: ", "\(result)")
            let help = try await hunch("status", "--help", also: brackets).output()
            let rest = Translations.withoutBrackets(help).split(whereSeparator: \.isWhitespace)
            #expect(Set(rest).isSubset(of: ["-h,", "--help", "--json", "--version"]), "\(rest)")
        }
    }
}
