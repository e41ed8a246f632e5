@testable import GazetteerImport
import Directions
import Gazetteers
import Geocoding
import HunchModel
import TestSupport
import Testing

/// Places that the words only may mean, so that the user is asked.
@Suite("Doubt") struct DoubtTests {
    private static func fill(_ writer: GazetteerWriter) throws {
        var areas: [String: GazetteerArea.ID] = [:]
        for (code, name) in [
            ("US", "United States"), ("CA", "Canada"), ("FR", "France"), ("IT", "Italy"), ("DE", "Germany"),
            ("GR", "Greece"), ("AU", "Australia"), ("JP", "Japan"), ("CN", "China"), ("GB", "United Kingdom"),
            ("SK", "Slovakia"),
        ] {
            areas[code] = try writer.add(
                GazetteerArea(name: name, aliases: [code], countryCode: code, isCountry: true))
        }
        let ohio = try writer.add(
            GazetteerArea(name: "Ohio", aliases: ["OH"], countryCode: "US", isCountry: false),
            in: areas["US"])
        func city(
            _ name: String, _ alternates: [String], _ latitude: Double, _ longitude: Double, _ importance: Double,
            _ area: String, kind: PlaceKind = .city, isApproximate: Bool = false
        ) throws {
            try writer.add(
                GazetteerPlace(
                    name: name, alternates: alternates, kind: kind,
                    coordinate: try Coordinate(latitude: latitude, longitude: longitude), isApproximate: isApproximate,
                    importance: importance, area: area == "OH" ? ohio : areas[area]))
        }
        // Small towns are known around Ohio and Osaka, and not around the other starts.
        for index in 1...5 {
            try city("Ohio Village \(index)", [], 40.8 + 0.05 * Double(index), -83.0, 0.4, "OH")
            try city("Osaka Village \(index)", [], 34.7 + 0.05 * Double(index), 135.5, 0.4, "JP")
        }
        for (index, quarter) in ["Lichtenberg", "Rudow", "Karow"].enumerated() {
            try city(quarter, [], 52.5, 13.4 + 0.05 * Double(index), 0.55, "DE", kind: .suburb)
        }
        try city("Alger", [], 39.9, -83.84, 0.35, "OH")
        try city("Cleveland", [], 41.5, -81.7, 0.68, "OH")
        for (index, area) in ["US", "US", "US", "AU", "CA"].enumerated() {
            try city("Cleveland", [], 30 + 2 * Double(index), -95, 0.55, area)
        }
        try city("Kusatsu", [], 35.02, 135.96, 0.62, "JP")
        try city("Kusatsu", [], 36.62, 138.6, 0.47, "JP")
        try city("Rüdersdorf", [], 50.9, 11.96, 0.37, "DE")
        try city("Nagasaki", [], 32.75, 129.88, 0.68, "JP")
        try city("Nagasaki", [], 35.73, 139.69, 0.52, "JP", kind: .suburb)
        try city("Algiers", ["Alger"], 36.75, 3.06, 0.84, "GR")
        // Outside of Ohio
        try city("Worthington", [], 43.62, -95.6, 0.55, "US", isApproximate: true)
        try city("Worthington", [], 43.65, -95.58, 0.3, "US", kind: .weatherStation)
        try city("Marietta", [], 33.95, -84.55, 0.585, "US")
        try city("Loveland", [], 40.4, -105.07, 0.6, "US")
        try city("Bexley", [], 51.44, 0.15, 0.65, "GB")
        try city("Chicago", [], 41.85, -87.65, 0.77, "US")
        try city("London", ["Londn"], 51.51, -0.13, 0.91, "GB")
        try city("London", [], 37.13, -84.08, 0.46, "US")
        try city("Paris", [], 48.85, 2.35, 0.84, "FR")
        // Names that are not only those of places
        try city("Nordbahnhof", [], 52.28, 10.52, 0.58, "DE")
        try city("Schiller Park", [], 41.96, -87.87, 0.62, "US")
        try city("Porter", [], 41.62, -87.07, 0.57, "US")
        for index in 1...9 { try city("Porter", [], 30 + Double(index), -97, 0.3, "US") }
        try city("Lonely Town", [], 41.62, -87.07, 0.57, "US")
        try city("Mỹ Tho", ["Mita"], 10.36, 106.36, 0.65, "CN")
        try city("Ryōgoku", [], 35.72, 140.37, 0.57, "JP")
        try city("Yachiyo", ["八千代町"], 36.18, 139.89, 0.5, "JP")
        try city("Ogawa", ["小川町"], 36.06, 139.26, 0.5, "JP")
        try city("Fujimino", ["Fujimi"], 35.9, 139.52, 0.61, "JP")
        try city("Kamakura", [], 35.31, 139.55, 0.69, "JP")
        try city("Den’enchōfu", ["Denenchofu"], 35.59, 139.67, 0.5, "JP")
        try city("Hong Kong", ["Victoria"], 22.29, 114.16, 0.82, "CN")
        try city("Victoria", [], 22.287, 114.144, 0.62, "CN")
        try city("Hellersdorf", [], 52.54, 13.6, 0.55, "DE", kind: .suburb)
        try city("Buckow", [], 52.43, 13.46, 0.53, "DE", kind: .suburb)
        try city("Blankenburg", [], 51.79, 10.96, 0.53, "DE")
        try city("Weimar", [], 50.98, 11.33, 0.59, "DE")
        try city("Osaka", ["大阪"], 34.7, 135.52, 0.52, "JP", isApproximate: true)
        try city("Ota", [], 36.3, 139.37, 0.65, "JP")
        try city("Toyota", ["Toyoda"], 35.08, 137.15, 0.68, "JP")
        try city("Badou", [], 7.58, 0.6, 0.5, "GR")
        try city("Strasbourg", ["Strasburg", "Straßburg"], 48.58, 7.75, 0.66, "FR")
        try city("Athens", ["Athen"], 37.98, 23.73, 0.8, "GR")
        try city("Rome", ["Rom", "Roma", "Рим", "روما"], 41.89, 12.51, 0.9, "IT")
        try city("Rom", [], 53.44, 11.95, 0.25, "DE")
        try city("Fostoria", ["Rome", "Risdon"], 41.16, -83.42, 0.5, "OH")
        try city("Bressanone", ["Brixen"], 46.72, 11.66, 0.5, "IT")
        try city("Kitchener", ["Berlin"], 43.43, -80.51, 0.66, "CA")
        try city("Berlin", [], 52.52, 13.4, 0.95, "DE")
        try city("Sydney", ["Sidney"], -33.87, 151.21, 0.9, "AU")
        try city("Sidney", [], 40.28, -84.16, 0.5, "OH")
        try city("Tokyo", ["東京都", "東京"], 35.69, 139.69, 0.95, "JP")
        try city("Minato", ["港区"], 35.66, 139.75, 0.6, "JP")
        try city("Osaka", ["大阪市"], 34.69, 135.5, 0.9, "JP")
        try city("Nakano", [], 36.74, 138.37, 0.5, "JP")
        try city("Kita", ["北区"], 34.71, 135.51, 0.55, "JP", kind: .suburb)
        try city("Naniwa", [], 34.66, 135.49, 0.5, "JP", kind: .suburb)
        try city("Tennoji", [], 34.65, 135.51, 0.5, "JP", kind: .suburb)
        try city("Beijing", ["北京市", "北京", "Peking"], 39.91, 116.4, 0.95, "CN")
        try city("Dublin", [], 53.33, -6.25, 0.76, "GB")
        try city("Dublin", [], 40.1, -83.11, 0.55, "OH")
        try city("Zhongshan", ["中山"], 22.52, 113.38, 0.77, "CN")
        try city("Songjiang", ["松江"], 31.03, 121.23, 0.7, "CN")
        try city("Haidian", ["海淀区"], 39.96, 116.3, 0.6, "CN")
        try city("Kaohsiung", ["Takao"], 22.62, 120.31, 0.78, "CN")
        try city("The Hague", ["Den Haag"], 52.08, 4.31, 0.69, "GB")
        try city("Okazaki", ["Aichi"], 34.95, 137.17, 0.67, "JP")
        try city("Maebashi", [], 36.39, 139.06, 0.7, "JP")
        try city("Tashkent", ["Lithopolis"], 41.26, 69.22, 0.84, "GR")
        try city("Lithopolis", [], 39.8, -82.8, 0.42, "OH")
        try city("Baltimore", [], 39.29, -76.61, 0.7, "US")
        try city("Baltimore", [], 40.2, -82.7, 0.44, "OH")
        try city("Rothenburg ob der Tauber", [], 49.38, 10.19, 0.5, "DE")
        try city("Whitby", [], 54.48, -0.61, 0.6, "GB")
        try city("Rye", ["Рай", "راي"], 50.95, 0.73, 0.45, "GB")
        try city("Battle", [], 50.92, 0.49, 0.45, "GB")
        try city("Martin", [], 49.06, 18.92, 0.6, "SK")
        try city("Trnava", [], 48.37, 17.59, 0.6, "SK")
        try city("Toyota", [], 35.08, 137.16, 0.68, "JP")
        try city("Hoover", [], 33.41, -86.81, 0.6, "US")
        try city("Tampa", [], 27.95, -82.46, 0.67, "US")
        try city("Toledo", [], 41.66, -83.56, 0.66, "OH")
        try city("Hakone", ["箱根"], 35.19, 139.03, 0.5, "JP")
        try city("Naebashi", [], 36.39, 139.06, 0.7, "JP")
        try city("Nabashi", [], 35.81, 139.92, 0.5, "JP")
        try city("Cusco", ["Cosco"], -13.52, -71.97, 0.72, "GR")
        try city("Nanjing", ["Nankin", "Нанкин", "نانجينغ"], 32.06, 118.78, 0.85, "CN")
        try city("Kyoto", ["京都", "Киото", "كيوتو"], 35.02, 135.75, 0.73, "JP")
        try city("Penzance", ["Пензанс", "بنزانس"], 50.12, -5.53, 0.5, "GB")
        try city("Lubin", ["Lüben"], 51.4, 16.2, 0.57, "DE")
        try city("Munich", ["München", "Мюнхен", "ميونخ"], 48.14, 11.58, 0.77, "DE")
        try city("Arad", ["Road"], 46.18, 21.32, 0.64, "GR")
        try city("Niš", ["Nix", "Нис", "نيس"], 43.32, 21.9, 0.65, "GR")
        try city("Łódź", [], 44.0, 21.0, 0.7, "GR")
        try city("Oslo", [], 59.91, 10.75, 0.72, "GB")
        try city("Brno", ["Bern"], 49.2, 16.61, 0.66, "SK")
        try writer.add(
            GazetteerArea(name: "Toledo", aliases: [], countryCode: "GR", isCountry: false), in: areas["GR"])
        for index in 1...5 { try city("London Village \(index)", [], 51.5, 0.3 + 0.02 * Double(index), 0.4, "GB") }
    }

    static let ohio = (40.8, -83.0)
    static let berlin = (52.52, 13.4)
    static let tokyo = (35.68, 139.76)
    private static let osaka = (34.7, 135.5)
    private static let london = (51.51, -0.13)
    private static let nebraska = (41.1, -102.98)
    private static let indiana = (39.77, -86.16)

    func outcome(
        _ text: String, from here: (Double, Double)? = nil, isByLand: Bool = false
    ) async throws -> GeocodingOutcome {
        try await withTemporaryDirectory { directory in
            let file = GazetteerFile(path: directory.file("data/gazetteer.sqlite"))
            _ = try file.importSource(GazetteerFixture.source("doubt"), read: Self.fill)
            let near = try here.map { try Coordinate(latitude: $0.0, longitude: $0.1) }
            var query = GeocodingQuery(text, near: near)
            query.isByLand = isByLand
            return GeocodingOutcome(try Gazetteer(file).candidates(for: query))
        }
    }

    @Test("A far town whose name only resembles the words is ambiguous")
    func resembling() async throws {
        for words in ["Strasburg", "Straßburg"] {
            let far = try await outcome(words, from: Self.ohio)
            #expect(!far.isCertain && far.candidates.first?.item.name == "Strasbourg", "\(words)")
            #expect(try await outcome(words, from: Self.berlin).isCertain, "\(words)")
        }
        #expect(try await outcome("Strasbourg", from: Self.ohio).isCertain)
        // Names of large cities in other languages are known everywhere.
        for words in ["Athen", "Rom", "Roma"] {
            #expect(try await outcome(words, from: Self.berlin).isCertain, "\(words)")
        }
        #expect(try await !outcome("Sidney", from: Self.nebraska).isCertain)
    }

    @Test(
        "A former name is ambiguous",
        arguments: ["Rome, Ohio", "Rome, OH", "Risdon", "Risdon, Ohio", "Berlin, Canada"])
    func former(_ words: String) async throws {
        let outcome = try await outcome(words)
        #expect(!outcome.isCertain && outcome.candidates.first?.match == .otherName, "\(outcome)")
    }

    @Test(
        "A name in another language is certain",
        arguments: ["Brixen", "Brixen, Italy", "Rom, Italy", "Berlin", "Fostoria, Ohio"])
    func current(_ words: String) async throws { #expect(try await outcome(words).isCertain) }

    @Test(
        "An address is not the middle of its city",
        arguments: [
            "東京都港区芝公園4丁目2-8", "東京都港区1-1", "大阪市北区梅田3-1-1", "大阪市北区1-1", "北京市海淀区中关村大街27号", "東京都港区芝公園4丁目2番8号",
            "東京 4-2-8", "Tokyo Minato 4-2-8", "〒105-0011 東京都港区芝公園4丁目2-8", "東京都港区芝公園４丁目２−８",
        ])
    func eastern(_ words: String) async throws { #expect(try await !outcome(words).isCertain) }

    @Test("A small far town is ambiguous in a large city whose quarters are not known")
    func unknownQuarter() async throws {
        #expect(try await !outcome("Nakano", from: Self.tokyo).isCertain)
        // Quarters of Osaka are known.
        #expect(try await outcome("Nakano", from: Self.osaka).isCertain)
        #expect(try await outcome("Nakano").isCertain)
    }

    @Test(
        "Where small towns are not known, a far town that is not large is ambiguous",
        arguments: ["Worthington", "Marietta", "Loveland", "Bexley", "Athens", "London", "Paris"])
    func unknownTown(_ words: String) async throws {
        let outcome = try await outcome(words, from: Self.indiana)
        #expect(!outcome.isCertain && outcome.candidates.first?.isDoubtful == true, "\(outcome)")
    }

    @Test(
        "A far town is certain where small towns are known, with its area, or if it is large",
        arguments: [
            ("Marietta", nil), ("Worthington, United States", Self.indiana), ("Bexley, United Kingdom", Self.indiana),
            ("Loveland", (40.4, -105.0)), ("Chicago", Self.indiana), ("Tokyo", Self.indiana), ("Paris", Self.berlin),
            ("London", Self.berlin), ("Chicago", Self.berlin), ("Weimar", Self.berlin), ("大阪", Self.tokyo),
            ("Chicago", Self.ohio), ("Paris", Self.ohio),
        ] as [(String, (Double, Double)?)])
    func knownTown(_ words: String, from here: (Double, Double)?) async throws {
        let outcome = try await outcome(words, from: here)
        #expect(outcome.isCertain, "\(outcome)")
    }

    @Test(
        "A city is certain despite smaller, farther namesakes; a quarter is not if its country has a city of that name"
    )
    func namesakes() async throws {
        #expect(try await outcome("Cleveland", from: Self.ohio).isCertain)
        #expect(try await !outcome("Cleveland", from: Self.tokyo).isCertain)
        let nagasaki = try await outcome("Nagasaki", from: Self.tokyo)
        #expect(!nagasaki.isCertain && nagasaki.candidates.count == 2)
        #expect(try await !outcome("Kusatsu", from: Self.tokyo).isCertain)
        #expect(try await outcome("Kusatsu", from: Self.osaka).isCertain)
        #expect(try await !outcome("Rüdersdorf", from: Self.berlin).isCertain)
    }

    @Test("A village nearby with the name of a city on another continent is ambiguous")
    func village() async throws {
        #expect(try await !outcome("Alger", from: Self.ohio).isCertain)
    }

    @Test("A town next to the quarters of a metropolis, or with a similar name, is ambiguous")
    func besideQuarters() async throws {
        for (words, here) in [("Ota", Self.tokyo), ("Toyoda", Self.tokyo), ("Blankenburg", Self.berlin)] {
            #expect(try await !outcome(words, from: here).isCertain, "\(words)")
        }
    }

    @Test("A far town is ambiguous under a name that exists in every town, and by a common one")
    func commonName() async throws {
        #expect(try await !outcome("Nordbahnhof", from: Self.berlin).isCertain)
        for words in ["Schiller Park", "Porter"] {
            #expect(try await !outcome(words, from: Self.ohio).isCertain, "\(words)")
        }
        for words in ["Lonely Town", "Schiller Park, United States"] {
            #expect(try await outcome(words, from: Self.ohio).isCertain, "\(words)")
        }
        #expect(try await !outcome("Mita", from: Self.tokyo).isCertain)
        // The name of a part of a city is not a name of the city.
        #expect(try await !outcome("Victoria", from: Self.ohio).isCertain)
    }

    @Test("Near a metropolis whose quarters are not known, only a city is certain")
    func besideMetropolis() async throws {
        for words in ["Ryogoku", "Fujimi"] {
            #expect(try await !outcome(words, from: Self.tokyo).isCertain, "\(words)")
        }
        for words in ["Kamakura", "Fujimino", "Denenchofu"] {
            #expect(try await outcome(words, from: Self.tokyo).isCertain, "\(words)")
        }
    }

    @Test("The full name of a Japanese municipality is certain, and that of a quarter is not")
    func municipality() async throws {
        #expect(try await outcome("八千代町", from: Self.tokyo).isCertain)
        #expect(try await !outcome("小川町", from: Self.tokyo).isCertain)
    }

    @Test("Of two quarters of a city, none is left out")
    func twoQuarters() async throws {
        #expect(try await !outcome("Hellersdorf Buckow", from: Self.berlin).isCertain)
        #expect(try await outcome("Buckow, Berlin", from: Self.berlin).isCertain)
    }

    @Test("A city on another continent is ambiguous if the user travels by land")
    func overland() async throws {
        for (words, here) in [("Tokyo", Self.ohio), ("Chicago", Self.berlin), ("Paris", Self.ohio)] {
            #expect(try await !outcome(words, from: here, isByLand: true).isCertain, "\(words)")
        }
        for (words, here) in [("Tokyo, Japan", Self.ohio), ("Paris", Self.berlin), ("Chicago", Self.nebraska)] {
            #expect(try await outcome(words, from: here, isByLand: true).isCertain, "\(words)")
        }
    }

    @Test("A town nearby is certain though one overseas is larger", arguments: ["Dublin", "Sidney", "Toledo"])
    func nearby(words: String) async throws {
        let outcome = try await outcome(words, from: Self.ohio)
        #expect(outcome.isCertain && outcome.candidates.first?.item.address?.state == "Ohio", "\(outcome)")
    }

    @Test("Where towns have the names of persons, only a city is certain far away")
    func namedAfterPersons() async throws {
        #expect(try await !outcome("Hoover", from: Self.ohio).isCertain)
        #expect(try await outcome("Tampa", from: Self.ohio).isCertain)
    }

    @Test("A far town with the name of a person or a make is ambiguous", arguments: ["Martin", "Toyota"])
    func sharedName(words: String) async throws {
        #expect(try await !outcome(words, from: Self.berlin).isCertain)
        #expect(try await outcome("Trnava", from: Self.berlin).isCertain)
    }

    @Test("Of several places, the nearer ones come first", arguments: ["Dublin", "Sidney"])
    func nearerFirst(words: String) async throws {
        let asked = try await outcome(words, from: Self.indiana)
        #expect(!asked.isCertain)
        let areas = asked.candidates.map { $0.item.address?.state ?? $0.item.address?.country }
        #expect(areas.first == "Ohio", "\(areas)")
        #expect(asked.candidates.map(\.confidence) == asked.candidates.map(\.confidence).sorted(by: >))
    }

    @Test("A city is ambiguous if a village of that name is nearby, and comes first")
    func besideVillage() async throws {
        let baltimore = try await outcome("Baltimore", from: Self.ohio)
        #expect(!baltimore.isCertain && baltimore.candidates.count == 2)
        #expect(baltimore.candidates.first?.item.address?.state == nil)
        #expect(try await outcome("Baltimore", from: Self.berlin).isCertain)
    }

    @Test("Dropping an “e” that is not part of an umlaut gives another name")
    func digraph() async throws {
        #expect(try await !outcome("Mabashi", from: Self.tokyo).isCertain)
        for words in ["Maebashi", "Naebashi"] {
            #expect(try await outcome(words, from: Self.tokyo).isCertain, "\(words)")
        }
    }

    @Test("Near a metropolis whose quarters are not known, a town that other countries know is certain")
    func renowned() async throws {
        #expect(try await outcome("Rye", from: Self.london).isCertain)
        #expect(try await !outcome("Battle", from: Self.london).isCertain)
        #expect(try await outcome("箱根", from: Self.osaka).isCertain)
    }

    @Test("A name overseas that is spelled nearly alike is ambiguous, and one in another language is a metropolis")
    func otherSpelling() async throws {
        for (words, here) in [("Londn", Self.osaka), ("Londn", Self.ohio), ("Nankin", Self.ohio)] {
            #expect(try await !outcome(words, from: here).isCertain, "\(words)")
        }
        for (words, here) in [("München", Self.osaka), ("京都", Self.ohio)] {
            #expect(try await outcome(words, from: here).isCertain, "\(words)")
        }
    }

    @Test("Near a metropolis whose quarters are not known, a small renowned town is asked about if it is very far")
    func farRenowned() async throws { #expect(try await !outcome("Penzance", from: Self.london).isCertain) }

    @Test("A guess for a mistyped name is near for the letters that differ", arguments: ["Costco", "Lübben"])
    func silly(words: String) async throws {
        #expect(try await outcome(words, from: Self.berlin).candidates.isEmpty)
        #expect(try await outcome("Münchenn", from: Self.berlin).guesses.first?.item.name == "Munich")
    }

    @Test("A name of many words is certain far away")
    func longName() async throws {
        #expect(try await outcome("Rothenburg ob der Tauber", from: Self.tokyo).isCertain)
        // In a metropolis whose quarters are not known, a shorter one is ambiguous.
        #expect(try await !outcome("Whitby", from: Self.london).isCertain)
        #expect(try await outcome("Whitby, United Kingdom", from: Self.london).isCertain)
    }

    @Test("A short fragment does not match a far town")
    func fragment() async throws {
        #expect(try await outcome("Bad", from: Self.berlin).candidates.isEmpty)
        #expect(try await outcome("Bad").candidates.isEmpty)
        #expect(try await outcome("Toky").candidates.first?.item.name == "Tokyo")
        #expect(try await outcome("Blanken", from: Self.indiana).candidates.first?.item.name == "Blankenburg")
    }

    @Test("A quarter in its city is certain", arguments: ["東京都港区", "Minato, Tokyo", "Tokyo Minato"])
    func quarter(_ words: String) async throws {
        let outcome = try await outcome(words)
        #expect(outcome.isCertain && outcome.candidates.first?.item.name == "Minato", "\(outcome)")
    }
}
