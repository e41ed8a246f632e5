@testable import DesktopFiles
import FoundationEssentials
import SeededRandom
import Testing

@testable import HunchModel

/// Tests of kinds of actions.
@Suite("Kinds of actions") struct KindTests {
    /// 2025-06-02 09:30:00 UTC.
    private static let now = Date(timeIntervalSince1970: 1_748_856_600)

    private func combination(_ kind: Donation.Kind, _ values: [String: String]) throws -> [String] {
        let declaration = try #require(KindDeclaration.standard[kind])
        return try declaration.combination(of: values, at: Self.now)
    }

    private func refusal(_ kind: Donation.Kind, _ values: [String: String]) throws -> KindError.Code? {
        do {
            _ = try combination(kind, values)
            return nil
        } catch let error as KindError {
            #expect(error.message.utf8.count < 600, "\(error)")
            return error.code
        }
    }

    @Test(
        "The first complete combination is used",
        arguments: [
            (Donation.Kind.playMedia, ["item": "a", "title": "t", "artist": "b"], ["item"]),
            (.playMedia, ["title": "t", "artist": "b", "item": ""], ["artist", "title"]),
            (.playMedia, ["title": "t", "album": "c"], ["title"]),
            (.getDirections, ["latitude": "52.5", "longitude": "13.4", "name": "Zoo"], ["latitude", "longitude"]),
            (.getDirections, ["latitude": "52.5", "name": "Zoo"], ["name"]),
            (.openItem, ["uri": "file:///a", "item": "b"], ["uri"]),
            (.sendMessage, ["recipient": "+49 30 1234567"], ["recipient"]),
            (.startCall, ["contact": "491701748856600", "name": "A"], ["contact"]),
            (
                .getReservationDetails, ["container": "hotel", "reservation": "1748856600"],
                ["container", "reservation"]
            ),
        ])
    func supported(kind: Donation.Kind, values: [String: String], names: [String]) throws {
        #expect(try combination(kind, values) == names)
    }

    @Test(
        "Invalid parameters are refused with the matching error code",
        arguments: [
            (["title": ""], .incomplete), ([:], .incomplete), (["artist": "b"], .incomplete),
            (["item": "a", "colour": "red"], .unknownParameter), (["item": "a", "startTime": "x"], .timestamp),
            (["item": "a", "play_count": "3"], .timestamp), (["item": "a\0"], .invalidValue),
            (["item": String(repeating: "a", count: 4_097)], .invalidValue),
            (["item": "a", "title": String(repeating: "é", count: 513)], .invalidValue),
            (["item": "1748856600"], .timestamp), (["item": "1748856600123"], .timestamp),
            (["item": "1748856600.5"], .timestamp), (["item": "2025-06-02"], .timestamp),
            (["item": "20251102T120000"], .timestamp), (["item": "Mon, 02 Jun 2025 08:30:00 GMT"], .timestamp),
            (["item": "Sat Nov 21 14:54:37 2026"], .timestamp), (["item": "21.11.2026"], .timestamp),
            (["item": "14:54"], .timestamp), (["item": "2025-06-02T09:30:00.123+02:00"], .timestamp),
            (["item": "11/21/2026, 2:05 pm"], .timestamp), (["item": "21. November 2026"], .timestamp),
            (["item": "00:11:22:33:44:55"], nil), (["item": "192.168.10.1"], nil), (["item": "1984"], nil),
            (["item": "rec-2025-06-02T09:30:00.ogg"], nil), (["item": "June 2025"], nil), (["item": "3:16"], nil),
            (["item": "1.2.3"], nil), (["item": "12 monkeys"], nil),
            (["item": "2025-06-02T09:30:00Z"], .timestamp), (["item": "a", "title": "2025-06-02"], nil),
            (["item": "748856600"], nil), (["item": "2025-06-02x"], nil), (["item": "1999"], nil),
        ] as [([String: String], KindError.Code?)])
    func refused(values: [String: String], code: KindError.Code?) throws {
        #expect(try refusal(.playMedia, values) == code)
    }

    @Test(
        "A value of the wrong type is refused",
        arguments: [
            (.openItem, ["uri": "no link"]), (.openItem, ["uri": ":a"]), (.openItem, ["uri": "1a:b"]),
            (.getDirections, ["latitude": "north", "longitude": "1"]),
            (.getDirections, ["latitude": "nan", "longitude": "1"]),
            (.getDirections, ["latitude": "inf", "longitude": "1"]),
            (.getDirections, ["latitude": "91", "longitude": "1"]),
            (.getDirections, ["latitude": "-90.001", "longitude": "1", "name": "Pole"]),
            (.getDirections, ["latitude": "1", "longitude": "nan"]),
            (.getDirections, ["latitude": "1", "longitude": "1e999"]),
            (.getDirections, ["latitude": "0x10", "longitude": "1"]),
        ] as [(Donation.Kind, [String: String])])
    func types(kind: Donation.Kind, values: [String: String]) throws {
        #expect(try refusal(kind, values) == .invalidValue)
    }

    @Test("Latitudes are limited to ±90 degrees, and longitudes wrap")
    func degrees() throws {
        for (latitude, longitude) in [("90", "540"), ("-90", "-180.5"), ("1e1", "0")] {
            let values = ["latitude": latitude, "longitude": longitude]
            #expect(try combination(.getDirections, values) == ["latitude", "longitude"])
        }
        let error = #expect(throws: KindError.self) {
            try combination(.getDirections, ["latitude": "91", "longitude": "1"])
        }
        #expect(error?.message == "“latitude” is 91; it must be -90 to 90")
    }

    @Test("The error for a time parameter explains the refusal")
    func explained() throws {
        let error = #expect(throws: KindError.self) { try combination(.playMedia, ["item": "a", "timestamp": "5"]) }
        #expect(error?.message.contains("“timestamp” holds a time or a counter") == true)
    }

    @Test(
        "Parameter names reveal times and counters",
        arguments: [
            ("time", true), ("startTime", true), ("created_date", true), ("play-count", true), ("Timestamp", true),
            ("index", true), ("runtimeName", false), ("sometime", false), ("account", false),
            ("dateOfBirthPlace", false),
            ("", false), ("é", false),
        ])
    func names(name: String, isFleeting: Bool) {
        #expect(KindDeclaration.isFleeting(name: name) == isFleeting)
    }

    @Test("Equivalent donations have equal identities")
    func equivalence() {
        func play(_ item: String, _ title: String) -> Donation {
            Donation(
                application: "a", kind: .playMedia, parameters: ["item": item, "title": title], date: Self.now,
                combination: ["item"])
        }
        #expect(play("1", "One").identity == play("1", "One (live)").identity)
        #expect(play("1", "One").identity != play("2", "One").identity)
        var whole = play("1", "One")
        whole.combination = nil
        #expect(whole.identity == whole.parameters)
    }

    @Test("A summary uses the parameters that are present")
    func summary() throws {
        let play = try #require(KindDeclaration.standard[.playMedia])
        #expect(play.summary(of: ["title": "Radio {item}"]) == "Play Radio {item}")
        #expect(play.summary(of: [:]) == "Play")
        let open = try #require(KindDeclaration.standard[.openItem])
        #expect(open.summary(of: ["uri": "file:///home/ann/report.pdf"]) == "Open report.pdf")
        #expect(open.summary(of: ["uri": "file:///home/ann/report.pdf", "title": " \n"]) == "Open report.pdf")
        #expect(open.summary(of: ["uri": " ", "item": "letter 7", "title": ""]) == "Open letter 7")
        var odd = play
        odd.summary = "{ {a} } {"
        #expect(odd.summary(of: ["a": "x"]) == "} {")
    }

    @Test(
        "A donation without a title is described by its content",
        arguments: [
            (.openItem, ["uri": "file:///home/ada/R%C3%A9sum%C3%A9.pdf"], "Open Résumé.pdf"),
            (.openItem, ["uri": "https://example.org/a/b/?x=1#top"], "Open example.org/a/b"),
            (.openItem, ["uri": "HTTP://example.org"], "Open example.org"),
            (.openItem, ["uri": "file:///"], "Open file:///"),
            (.openItem, ["uri": "file:///a%ZZ"], "Open a%ZZ"),
            (.openItem, ["uri": "weather:forecast", "title": ""], "Open weather:forecast"),
            (.openItem, ["item": "note-7"], "Open note-7"),
            (.openItem, ["uri": "weather:forecast", "title": "Forecast"], "Open Forecast"),
            (.getDirections, ["latitude": "52.5", "longitude": "13.4"], "Get directions to 52.5, 13.4"),
            (.getDirections, ["address": "Main St 1"], "Get directions to Main St 1"),
            (.startCall, ["contact": "+49123"], "Call +49123"),
            (.sendMessage, ["conversation": "Ann"], "Send a message to Ann"),
            (.getReservationDetails, ["reservation": "X7", "container": "Inn"], "Show the reservation Inn, X7"),
            (.openItem, ["unknown": "x"], "Open"),
        ] as [(Donation.Kind, [String: String], String)])
    func untitled(kind: Donation.Kind, values: [String: String], words: String) throws {
        #expect(try #require(KindDeclaration.standard[kind]).summary(of: values) == words)
    }

    // MARK: Declared kinds

    private func declared(_ group: String, kind: String = "orderCoffee") throws -> KindDeclaration? {
        let entry = try DesktopEntry(
            id: "org.example.Coffee",
            text: "[Desktop Entry]\nType=Application\nName=Coffee\nExec=coffee\n\(group)\n")
        return try KindDeclaration(
            Donation.Kind(rawValue: kind), declaredIn: entry, interface: "org.hunch.Donations1", locales: ["de"])
    }

    private static let coffee = """
        [org.hunch.Donations1 Kind orderCoffee]
        Parameters=drink;size:text:32;milk:boolean;
        Combinations=drink,size;drink;
        Summary=Order {drink}
        Summary[de]={drink} bestellen
        """

    @Test("An app declares a kind in its desktop entry")
    func declaration() throws {
        let kind = try #require(try declared(Self.coffee))
        #expect(kind.parameters.map(\.name) == ["drink", "size", "milk"])
        #expect(kind.parameters.map(\.type) == [.text, .text, .boolean])
        #expect(kind.parameters.map(\.limit) == [1_024, 32, 1_024])
        #expect(kind.summary(of: ["drink": "Mokka"]) == "Mokka bestellen")
        #expect(try kind.combination(of: ["drink": "Mokka", "milk": "true"], at: Self.now) == ["drink"])
        #expect(try kind.combination(of: ["drink": "Mokka", "size": "s"], at: Self.now) == ["drink", "size"])
        #expect(throws: KindError.self) { try kind.combination(of: ["drink": "a", "milk": "yes"], at: Self.now) }
        #expect(try declared(Self.coffee, kind: "orderTea") == nil)
        #expect(try declared(Self.coffee, kind: "") == nil)
    }

    @Test(
        "A malformed declaration gives one error",
        arguments: [
            ("Parameters=\nCombinations=a;\nSummary=s", "has no parameter; add “Parameters=NAME;”"),
            ("Combinations=a;\nSummary=s", "has no parameter"),
            ("Parameters=a;\nSummary=s", "which parameters distinguish actions; add “Combinations=NAME;”"),
            ("Parameters=a;\nCombinations=b;\nSummary=s", "combines “b”, which is not a parameter"),
            ("Parameters=a;a;\nCombinations=a;\nSummary=s", "has “a” twice"),
            ("Parameters=a:colour;\nCombinations=a;\nSummary=s", "unknown type “colour”"),
            ("Parameters=a:text:0;\nCombinations=a;\nSummary=s", "a limit outside 1…4096"),
            ("Parameters=a:text:9999999999999999999;\nCombinations=a;\nSummary=s", "a limit outside"),
            ("Parameters=a:text:1:2;\nCombinations=a;\nSummary=s", "NAME:TYPE:LIMIT"),
            ("Parameters=:text;\nCombinations=a;\nSummary=s", "NAME:TYPE:LIMIT"),
            ("Parameters=a b;\nCombinations=a;\nSummary=s", "NAME:TYPE:LIMIT"),
            ("Parameters=a;\nCombinations=,;\nSummary=s", "an empty combination"),
            (
                "Parameters=\((0..<17).map { "p\($0)" }.joined(separator: ";"));\nCombinations=p0;\nSummary=s",
                "more than 16 parameters"
            ),
            (
                "Parameters=a;\nCombinations=\(String(repeating: "a;", count: 17))\nSummary=s",
                "more than 16 parameters or combinations"
            ),
            ("Parameters=a;\nCombinations=a;", "has no summary; add “Summary=…”"),
            ("Parameters=a;\nCombinations=a;\nSummary[de]=Ein {a}", "has no summary"),
            ("Parameters=a;\nCombinations=a;\nSummary= ", "an empty summary"),
            ("Parameters=a;\nCombinations=a;\nSummary=s\nSummary[de]=", "an empty summary"),
            ("Parameters=a;\nCombinations=a;\nSummary=Order {b}", "“{b}” in its summary, which is not a parameter"),
            ("Parameters=a;\nCombinations=a;\nSummary=Order {}", "“{}” in its summary, which is not a parameter"),
            ("Parameters=a;\nCombinations=a;\nSummary=s\nSummary[fr]=Un {b}", "“{b}” in its summary"),
            ("Parameters=a;\nCombinations=a;\nSummary=Order {a", "an unpaired “{”"),
            ("Parameters=a;\nCombinations=a;\nSummary=Order a}", "an unpaired “}”"),
            ("Parameters=a;\nCombinations=a;\nSummary={{a}}", "an unpaired “{”"),
            ("Parameters=a;\nCombinations=a;\nSummary=\(String(repeating: "x", count: 513))", "more than 512 bytes"),
        ])
    func malformed(group: String, words: String) throws {
        let error = #expect(throws: KindError.self) {
            try declared("[org.hunch.Donations1 Kind orderCoffee]\n\(group)")
        }
        #expect(
            error?.code == .invalidDeclaration && (error?.message.utf8.count ?? 0) < 300, "\(String(describing: error))"
        )
        let message = error?.message ?? ""
        #expect(message.contains(words) && message.contains("“orderCoffee” of org.example.Coffee"), "\(message)")
    }

    @Test("A combination with a time is refused; plain text is kept")
    func declaredTimes() throws {
        let group = "[org.hunch.Donations1 Kind orderCoffee]\nSummary=Coffee\n"
        let error = #expect(throws: KindError.self) {
            try declared(group + "Parameters=startTime;\nCombinations=startTime;")
        }
        #expect(error?.code == .timestamp)
        #expect(try declared(group + "Parameters=a;\nCombinations=a;")?.summary(of: ["a": "x"]) == "Coffee")
    }

    @Test("All declared kinds are listed with their problems")
    func listing() throws {
        let entry = try DesktopEntry(
            id: "org.example.Coffee",
            text: """
                [Desktop Entry]
                Type=Application
                \(Self.coffee)
                [X-org.hunch.Donations1 Kind orderTea]
                Parameters=leaf;
                Combinations=leaf;
                [org.hunch.Donations1 Kind playMedia]
                Parameters=item;
                Combinations=item;
                Summary=Play {item}
                [org.example.Donations1 Kind orderMilk]
                """)
        let kinds = KindDeclaration.declared(in: entry, interface: "org.hunch.Donations1")
        #expect(kinds.map(\.kind.rawValue) == ["orderCoffee", "orderTea", "playMedia"])
        let faults = kinds.map { kind -> String? in
            if case .failure(let error) = kind.declaration { error.message } else { nil }
        }
        #expect(faults[0] == nil && faults[1]?.contains("has no summary") == true)
        #expect(faults[2]?.contains("a standard one") == true)
    }

    @Test("Random declarations and values never trap")
    func random() throws {
        var random = SplitMix64(seed: 21)
        let pieces = [
            "item", "time", "latitude", "-1e309", "1748856600", "2025-06-02", "\u{202E}", "", "{", "é", "a:b", "\0",
        ]
        func piece() -> String {
            (0..<Int.random(in: 0...3, using: &random)).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &random)]
            }
            .joined()
        }
        for _ in 0..<2_000 {
            var values: [String: String] = [:]
            for _ in 0..<Int.random(in: 0...4, using: &random) { values[piece()] = piece() }
            for kind in KindDeclaration.standard.values {
                if let names = try? kind.combination(of: values, at: Self.now) {
                    #expect(names == names.sorted() && names.allSatisfy { values[$0]?.isEmpty == false })
                }
                _ = kind.summary(of: values)
            }
        }
    }
}
