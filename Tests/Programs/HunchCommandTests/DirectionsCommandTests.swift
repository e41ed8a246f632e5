import FoundationEssentials
import TestSupport
import Testing

@Suite("hunch directions", .timeLimit(.minutes(15)))
struct DirectionsCommandTests {
    private struct Plan: Decodable {
        struct Suggestion: Decodable {
            var app: String
            var title: String
            var kind: String
            var modes: [String]
            var uri: String
            var desktopID: String?
        }
        struct Excluded: Decodable {
            struct Reason: Decodable {
                var code: String
                var ends: [String]?
            }
            var app: String
            var reasons: [Reason]
        }
        struct Item: Decodable {
            struct Position: Decodable, Equatable {
                var latitude: Double
                var longitude: Double
            }
            var coordinate: Position?
            var name: String?
        }
        var request: String
        var destination: Item
        var suggestions: [Suggestion]
        var excluded: [Excluded]
        var opened: String?
    }

    private struct Ambiguity: Decodable {
        struct Failure: Decodable { var code: String }
        struct Candidate: Decodable { var name: String }
        var candidates: [Candidate]
        var error: Failure
    }

    private func plan(_ hunch: HunchRunner, _ arguments: String...) async throws -> Plan {
        let areas = "\(Surroundings.packageRoot)/Regions"
        let result = try await run(
            builtProduct("hunch"), ["directions"] + arguments + ["--json", "--regions", areas],
            environment: hunch.home.environment)
        return try JSONDecoder().decode(Plan.self, from: Data(result.standardOutput.utf8))
    }

    private func installMaps(_ hunch: HunchRunner) throws {
        try hunch.home.directory.write(
            "[Desktop Entry]\nType=Application\nName=Maps\nExec=gapplication launch org.gnome.Maps %U\n"
                + "DBusActivatable=true\nMimeType=x-scheme-handler/geo;\n",
            to: "share/applications/org.gnome.Maps.desktop")
        try hunch.home.directory.write(
            "[Default Applications]\nx-scheme-handler/geo=org.gnome.Maps.desktop\n", to: "config/mimeapps.list")
    }

    @Test("The default map app follows routes if it shows pins; unsuitable apps say why")
    func ranking() async throws {
        try await withHunch { hunch async throws in
            try installMaps(hunch)
            let plan = try await plan(hunch, "-33.8688", "151.2093", "--by", "car")
            #expect(plan.destination.coordinate == .init(latitude: -33.8688, longitude: 151.2093))
            #expect(plan.suggestions.first?.app == "com.google.maps")
            let maps = try #require(plan.suggestions.first { $0.app == "org.gnome.Maps" })
            #expect(maps.desktopID == "org.gnome.Maps")
            #expect(maps.uri == "geo:-33.8688,151.2093" && maps.title == "Show -33.8688, 151.2093")
            let codes = Dictionary(uniqueKeysWithValues: plan.excluded.map { ($0.app, $0.reasons.map(\.code)) })
            #expect(codes["org.kde.marble"] == ["notInstalled"])
            #expect(codes["com.uber"] == ["modeUnsupported"])
            #expect(plan.opened == nil)
        }
    }

    @Test("Both ends must be covered; a link keeps every detail")
    func ends() async throws {
        try await withHunch { hunch async throws in
            let london = try await plan(hunch, "51.5,-0.12", "--from", "-33.8,151.2", "--by", "transit")
            let tfl = london.excluded.first { $0.app == "uk.gov.tfl" }
            #expect(tfl?.reasons.first?.code == "outsideCoverage" && tfl?.reasons.first?.ends == ["source"])
            let link = try await plan(hunch, "directions:?to=60.17,24.94&to.name=Oodi&from=60.2,24.65&by=bus")
            #expect(link.destination.name == "Oodi")
            #expect(link.suggestions.contains { $0.app == "fi.hsl.reittiopas" && $0.uri.contains("Oodi%3A%3A60.17") })
            #expect(link.request.hasPrefix("directions:?to=60.17,24.94&to.name=Oodi&from=60.2,24.65"))
        }
    }

    @Test("A ride is titled as a ride, not as directions")
    func ride() async throws {
        try await withHunch { hunch async throws in
            let plan = try await plan(hunch, "geo:0,0?q=37.7929,-122.3971(Yank Sing)", "--by", "rideShare")
            #expect(Set(plan.suggestions.map(\.title)) == ["Get a ride to Yank Sing"])
        }
    }

    @Test("Names are looked up, and ambiguous ones are refused")
    func names() async throws {
        try await withHunch { hunch async throws in
            try hunch.installPlaceList()
            let sydney = try await plan(hunch, "Sydney")
            #expect(sydney.destination.coordinate == .init(latitude: -33.883333, longitude: 151.216667))
            #expect(sydney.suggestions.first?.title == "Get directions to Sydney")
            let texas = try await plan(hunch, "Paris,", "Texas", "--from", "Sydney")
            #expect(texas.destination.coordinate?.longitude == -95.555513)
            for words in ["Paris, Texas to Sydney", "from Paris, Texas to Sydney", "Paris, Texas → Sydney"] {
                let route = try await hunch("directions", words)
                let understood = "hunch: from Paris, Texas, United States to Sydney, Australia (13,960\u{A0}km away)\n"
                #expect(route.standardError == understood, "\(words)")
                #expect(route.standardOutput.contains("33.660939") && route.standardOutput.contains("-33.883333"))
            }
            let asked = try await hunch("directions", "directions to Sydney")
            #expect(asked.standardError.hasPrefix("hunch: to Sydney, Australia\n"))
            let unknown = try await hunch("directions", "Atlantis")
            #expect(unknown.status == .exited(0) && unknown.standardError.contains("“Atlantis” was not found here"))
            #expect(unknown.standardOutput.contains("to=Atlantis"))
            // Two places of that name, whose sizes the list does not have.
            let paris = try await hunch("directions", "Paris")
            #expect(paris.status == .exited(2) && paris.standardError.contains("Paris, France; Paris, Texas"))
            // Only its town is known.
            let street = try await hunch("directions", "Harbour Street 5, Sydney")
            #expect(street.status == .exited(0) && street.standardError.contains("was not found here, only Sydney"))
            #expect(street.standardOutput.contains("to=Harbour%20Street%205%2C%20Sydney"))
            let start = try await hunch("directions", "vom Hauptbahnhof nach Sydney")
            #expect(start.standardError.hasPrefix("hunch: from “Hauptbahnhof” to Sydney, Australia\n"), "\(start)")
            let date = try await hunch("directions", "Sydney 12/24")
            #expect(date.standardError.contains("to Sydney, Australia, 24 Dec "), "\(date)")
            for words in ["Zug Sydney", "Sydney train"] {
                let bare = try await hunch("directions", words)
                #expect(bare.standardError.hasPrefix("hunch: to Sydney, Australia, by train\n"), "\(bare)")
            }
            let country = try await hunch("directions", "Australia")
            #expect(country.status == .exited(0))
            #expect(country.standardError == "hunch: “Australia” is a whole country; name a place in it\n")
            #expect(country.standardOutput.contains("it searches for the words itself"))
            let words = try await plan(hunch, "Harbour Street 5, Sydney")
            #expect(words.destination.coordinate == nil)
            #expect(Set(words.suggestions.map(\.title)) == ["Search for Harbour Street 5, Sydney"])
            let ambiguity = try await hunch.json(Ambiguity.self, "directions", "Paris", "--json")
            #expect(ambiguity.first?.candidates.count == 2 && ambiguity.first?.error.code == "ambiguous")
        }
    }

    @Test("The interpretation of coordinates is reported, too")
    func coordinates() async throws {
        try await withHunch { hunch async throws in
            for (words, understood) in [
                ("52.5,13.4", "to 52.5,13.4"), ("52.5,13.4 by bike", "to 52.5,13.4, by bike"),
                ("geo:52.5,13.4?q=52.5,13.4(Lab)", "to Lab (52.5,13.4)"),
                ("from 52.5,13.4 to 52.4,13.1", "from 52.5,13.4 to 52.4,13.1"),
                ("Treffpunkt 52.45, 13.1 mit dem Rad", "to Treffpunkt (52.45,13.1), by bike"),
                ("52.5,13.4 by RE1", "“RE1” is ignored\nhunch: to 52.5,13.4, by train"),
                (
                    "52.5,13.4 on 1 May 2020",
                    "the time is past and is ignored: 1 May 2020, 09:00\nhunch: to 52.5,13.4"
                ),
            ] {
                let result = try await hunch("directions", words)
                #expect(
                    result.status == .exited(0) && result.standardError.hasPrefix("hunch: \(understood)\n"), "\(result)"
                )
            }
        }
    }

    @Test("A travel mode and a time in the words for the start count, too")
    func wordsOfStart() async throws {
        try await withHunch { hunch async throws in
            let result = try await hunch("directions", "52.5,13.4", "--from", "52.4,13.1 by bike on 1 May 2099 at 9")
            #expect(
                result.standardError == "hunch: from 52.4,13.1 to 52.5,13.4, by bike, 1 May 2099, 09:00\n", "\(result)")
        }
    }

    @Test("Home and work that are not set are an error that says how to set them")
    func unset() async throws {
        try await withHunch { hunch async throws in
            for (words, place) in [
                ("zurück nach Hause", "home"), ("back home", "home"), ("heim", "home"), ("zur Arbeit", "work"),
                ("back to work", "work"), ("my house", "home"), ("meine Wohnung", "home"), ("自宅", "home"),
                ("仕事", "work"), ("会社", "work"), ("the office", "work"), ("rentrer à la maison", "home"),
                ("from work to 52.5,13.4", "work"),
            ] {
                let result = try await hunch("directions", words)
                #expect(result.status == .exited(2) && result.standardOutput.isEmpty, "\(result)")
                #expect(result.standardError.contains("set it with “hunch places set \(place) ADDRESS”"), "\(result)")
            }
        }
    }

    @Test("A suggestion never equals the words")
    func sameWords() async throws {
        try await withHunch { hunch async throws in
            let row = "1\tNara\tNara\t\t15.17\t-7.29\tP\tPPL\t\t\t\t\t\t\t900\t\t10\tEtc/UTC\t2024-01-01"
            let dump = try hunch.home.directory.write(row, to: "towns.txt")
            #expect(try await hunch("gazetteer", "import", dump).status == .exited(0))
            for words in ["Nara", "NARA", "nára"] {
                let result = try await hunch("directions", words, "--from", "34.7,135.5")
                // A typed accent that the name lacks makes another name.
                let said = words == "nára" ? "was not found here: apps" : "the only “\(words)” known here is 13,"
                #expect(result.standardError.contains(said), "\(result)")
                #expect(!result.standardError.contains("did you mean"), "\(result)")
            }
        }
    }

    @Test(
        "Unknown stations and sights name the command that adds them", arguments: ["Brandenburg Gate", "Hauptbahnhof"])
    func unknown(words: String) async throws {
        try await withHunch { hunch async throws in
            try hunch.installPlaceList()
            let environment = hunch.home.environment.merging(["LC_ALL": "de_DE.UTF-8", "LANGUAGE": "en"]) { $1 }
            let result = try await run(builtProduct("hunch"), ["directions", words], environment: environment)
            #expect(
                result.status == .exited(0) && result.standardError.contains("“hunch gazetteer get DE” adds"),
                "\(result)")
            #expect(result.standardOutput.contains("it searches for the words itself"))
            let elsewhere = try await run(
                builtProduct("hunch"), ["directions", words, "--from", "48.86,2.35"], environment: environment)
            #expect(elsewhere.standardError.contains("“hunch gazetteer get FR” adds"), "\(elsewhere)")
        }
    }

    @Test("--open passes the app of a row the link in its own form")
    func opening() async throws {
        try await withHunch { hunch async throws in
            let report = try hunch.installMarble()
            let link = "geo:60.17,24.94?z=15"
            let apps = try await plan(hunch, link, "--by", "walk").suggestions.map(\.app)
            let row = try #require(apps.firstIndex(of: "org.kde.marble")) + 1
            let plan = try await plan(hunch, link, "--by", "walk", "--open", "\(row)")
            #expect(plan.opened == "org.kde.marble")
            try await waitForFile(at: report)
            #expect(try hunch.home.directory.read("opened") == "--geo-uri=geo:60.17,24.94\n")
        }
    }

    @Test(
        "A missing row is one error, and other words after --open are the destination",
        arguments: [
            (["60.17,24.94", "--open", "999"], "there is no row 999: the list has"),
            (["60.17,24.94", "--open", "0"], "there is no row 0: the list has"),
            (["60.17,24.94", "--open=1", "--app", "marble"], "give --app or the row of an app, not both"),
            (["--open", "Atlantis", "--app", "nowhere"], "no app is called “nowhere”"),
            (["--open", "91", "13"], "latitude"),
        ])
    func rows(arguments: [String], words: String) async throws {
        try await withHunch { hunch async throws in
            let result = try await run(
                builtProduct("hunch"), ["directions"] + arguments, environment: hunch.home.environment)
            #expect(result.status == .exited(2) && result.standardOutput.isEmpty)
            #expect(result.standardError.components(separatedBy: words).count == 2, "\(result.standardError)")
        }
    }

    @Test("A terminal shows a title, row numbers and whole links, and asks once")
    func terminal() async throws {
        try await withHunch { hunch async throws in
            let report = try hunch.installMarble()
            try hunch.home.directory.write(
                "[Default Applications]\nx-scheme-handler/geo=marble_geo.desktop\n", to: "config/mimeapps.list")
            let environment = hunch.home.environment.merging(["NO_COLOR": "1", "TERM": "vt100"]) { $1 }
            func ask(_ arguments: String..., answers: [String] = []) async throws -> CommandResult {
                let areas = ["--regions", "\(Surroundings.packageRoot)/Regions"]
                return try await runOnTerminal(
                    builtProduct("hunch"), ["directions", "60.17,24.94"] + areas + arguments, answers: answers,
                    environment: environment)
            }
            let list = try await ask("--from", "60.2,24.65", "--by", "car").standardOutput
            #expect(list.contains("\nGet directions to 60.17, 24.94\n#  App "), "\(list)")
            let link = "https://www.google.com/maps/dir/?api=1&origin=60.2%2C24.65&destination=60.17%2C24.94"
            #expect(list.contains("\n1  Google Maps ") && list.contains("\n   \(link)&travelmode=driving\n"), "\(list)")
            #expect(!list.contains("web service") && list.contains("many people there use it"))

            let asked = try await ask("--open", answers: ["none", "0", ""])
            #expect(asked.status == .exited(1) && asked.standardOutput.contains("no app was chosen"))
            #expect(asked.standardOutput.components(separatedBy: "Which app do you want?").count == 2)
            #expect(!FileManager.default.fileExists(atPath: report))
        }
    }

    @Test("--app selects one app and hints at a misspelt name")
    func oneApp() async throws {
        try await withHunch { hunch async throws in
            let plan = try await plan(hunch, "60.17,24.94", "--app", "google maps")
            #expect(plan.suggestions.map(\.app) == ["com.google.maps"] && plan.opened == nil)
            let arguments = [
                "directions", "60.17,24.94", "--app", "Google", "--regions", "\(Surroundings.packageRoot)/Regions",
            ]
            let result = try await run(builtProduct("hunch"), arguments, environment: hunch.home.environment)
            #expect(result.status == .exited(2))
            #expect(result.standardError.contains("no app is called “Google”; did you mean “Google Maps”?"))
        }
    }

    @Test(
        "Bad places and modes exit 2; no capable app exits 1",
        arguments: [
            (["directions"], 2, "destination"), (["directions", "geo:91,0"], 2, "latitude"),
            (["directions", "1", "2", "--by", "broom"], 2, "broom"),
            (["directions", "directions:?to=1"], 2, "LATITUDE"),
            (["directions", "1", "2", "--depart", "9999-12-31T23:59:59Z"], 2, "more than ten years ahead"),
            (["directions", "0", "-30", "--by", "other"], 1, "no app can show the route; --all says why"),
        ])
    func failures(arguments: [String], status: Int32, words: String) async throws {
        try await withHunch { hunch async throws in
            let result = try await run(builtProduct("hunch"), arguments, environment: hunch.home.environment)
            #expect(result.status == .exited(status))
            #expect(result.standardOutput.isEmpty && result.standardError.contains(words))
        }
    }
}
