import BulkFiles
import Directions
import FoundationEssentials
import Geocoding
import HunchModel
import Gazetteers
import SeededRandom
import TestSupport
import Testing

@testable import GazetteerImport

/// GNOME's `Locations.xml`, as its DTD lays it out.
@Suite struct PlaceListTests {
    private static let list = """
        <?xml version="1.0" encoding="utf-8"?>
        <!DOCTYPE gweather SYSTEM "locations.dtd">
        <gweather format="1.0">
          <named-timezone><_name>Universal</_name><timezones><timezone id="UTC"/></timezones>
            <tz-hint>UTC</tz-hint><code>@UTC</code></named-timezone>
          <region><_name>Europe</_name>
            <country><_name>Germany</_name><iso-code>DE</iso-code><fips-code>GM</fips-code>
              <timezones><timezone id="Europe/Berlin"><_name>Middle Europe</_name></timezone></timezones>
              <state><_name>Bavaria</_name><fips-code>GM02</fips-code>
                <location><name>Munich Airport</name><code>EDDM</code>
                  <coordinates>48.350000 11.783333</coordinates></location>
                <city><_name>Munich</_name><coordinates>48.150000 11.583333</coordinates></city>
              </state>
              <city><!-- The capital of Germany --><_name msgctxt="City in Germany">Berlin</_name>
                <coordinates>52.516667 13.400000</coordinates></city>
              <city><_name>Nowhere</_name></city>
              <city><_name>Beyond</_name><coordinates>99 13</coordinates></city>
            </country>
            <country><_name>United States</_name><iso-code>US</iso-code>
              <state><_name>Texas</_name><city><_name>Berlin &amp; Sons</_name><coordinates>30 -98</coordinates></city>
                <city><_name>Berlin</_name><coordinates>31 -98</coordinates></city></state>
            </country>
          </region>
        </gweather>
        """

    @Test("Towns, stations and areas are read")

    func readsTownsStationsAndAreas() async throws {
        try await withTemporaryDirectory { directory in
            let fixture = ImportFixture(directory)
            let outcome = try fixture.add(Self.list, as: "share/libgweather-4/Locations.xml")
            #expect(outcome.source.name == "gnome-places")
            #expect(outcome.source.placeCount == 5)
            #expect(outcome.skipped == 2)
            #expect(
                try fixture.found("Berlin").prefix(2) == [
                    "Berlin | - | Germany | city", "Berlin | Texas | United States | city",
                ])
            #expect(try fixture.found("Berlin TX").first == "Berlin | Texas | United States | city")
            #expect(try fixture.found("munich bavaria").first == "Munich | Bavaria | Germany | city")
            #expect(try fixture.found("EDDM") == ["Munich Airport | Bavaria | Germany | airport"])
            #expect(try fixture.found("Berlin & Sons") == ["Berlin & Sons | Texas | United States | city"])
        }
    }

    @Test("Translations add names in other languages", arguments: [false, true])
    func translationsGiveNamesInOtherLanguages(bigEndian: Bool) async throws {
        try await withTemporaryDirectory { directory in
            let fixture = ImportFixture(directory)
            let german = messageCatalog(
                ["Munich": "München", "Bavaria": "Bayern", "": "Content-Type: text/plain", "Universal": "X"],
                bigEndian: bigEndian)
            let japanese = messageCatalog(["City in Germany\u{4}Berlin": "ベルリン", "Berlin": "別"], bigEndian: bigEndian)
            let path = "LC_MESSAGES/libgweather-4.0-locations.mo"
            try directory.write(german, to: "share/locale/de/\(path)")
            try directory.write(japanese, to: "share/locale/ja/\(path)")
            try directory.write("no catalogue at all, but long enough to hold a header", to: "share/locale/xx/\(path)")
            try fixture.add(Self.list, as: "share/libgweather-4/Locations.xml")
            #expect(try fixture.found("München, Bayern") == ["Munich | Bavaria | Germany | city"])
            #expect(try fixture.found("ベルリン") == ["Berlin | - | Germany | city"])
            #expect(try fixture.found("別") == ["Berlin | Texas | United States | city"])
        }
    }

    @Test(
        "Broken lists are refused",
        arguments: [
            ("<gweather><region>", .malformed), ("<html></html>", .unknownFormat),
            ("<gweather></gweather>", .malformed), ("<gweather>&undefined;</gweather>", .malformed),
            ("<", .malformed),
        ] as [(String, ImportError.Code)])
    func brokenListsAreRefused(content: String, code: ImportError.Code) async throws {
        try await withTemporaryDirectory { directory in
            let error = #expect(throws: ImportError.self) { try ImportFixture(directory).add(content, as: "l.xml") }
            #expect(error?.code == code)
            #expect(!FileManager.default.fileExists(atPath: directory.file("data/gazetteer.sqlite")))
        }
    }

    @Test("Entities that expand without limit are refused")

    func entitiesThatGrowAreRefused() async throws {
        var bomb = "<!DOCTYPE gweather [<!ENTITY e0 \"aaaaaaaaaa\">"
        for level in 1...20 {
            bomb += "<!ENTITY e\(level) \"" + String(repeating: "&e\(level - 1);", count: 10) + "\">"
        }
        let list = "\(bomb)]><gweather><region><_name>&e20;</_name></region></gweather>"
        try await withTemporaryDirectory { directory in
            _ = #expect(throws: ImportError.self) { try ImportFixture(directory).add(list, as: "l.xml") }
        }
    }

    @Test("External entities are not read")

    func foreignEntitiesAreNotRead() async throws {
        try await withTemporaryDirectory { directory in
            let secret = try directory.write("Secretville", to: "secret")
            let list = """
                <!DOCTYPE gweather [<!ENTITY x SYSTEM "file://\(secret)">]>
                <gweather><region><country><iso-code>US</iso-code><city><_name>A&x;</_name>
                <coordinates>1 2</coordinates></city></country></region></gweather>
                """
            let fixture = ImportFixture(directory)
            _ = try? fixture.add(list, as: "l.xml")
            #expect(try !fixture.file.exists || fixture.found("ASecretville").isEmpty)
        }
    }

    @Test("Truncated and mutated catalogs cause no trap")

    func catalogsSurviveEveryTruncationAndManyMutations() {
        let whole = messageCatalog(["Munich": "München", "Paris": "パリ", "": "Header", "City\u{4}X": "Y"])
        #expect(GettextCatalog(whole)?.translation(of: GettextCatalog.key("X", context: "City")) == "Y")
        #expect(GettextCatalog(whole)?.translation(of: Array("X".utf8)) == nil)
        let keys = ["Munich", "Paris", "", "zzz"].map { Array($0.utf8) }
        for length in 0..<whole.count {
            let catalog = GettextCatalog(Array(whole[..<length]))
            for key in keys { _ = catalog?.translation(of: key) }
        }
        var random = SplitMix64(seed: 23)
        for _ in 0..<5_000 {
            var bytes = whole
            for _ in 0..<4 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let catalog = GettextCatalog(bytes)
            for key in keys { _ = catalog?.translation(of: key) }
        }
        #expect(GettextCatalog([]) == nil)
    }

    @Test("Installed lists are found through the environment")

    func installedListsAreFoundThroughTheEnvironment() async throws {
        try await withTemporaryHome { home in
            #expect(GazetteerImport.installedPlaceLists(environment: home.environment).isEmpty)
            let path = try home.directory.write(Self.list, to: "share/libgweather-4/Locations.xml")
            #expect(GazetteerImport.installedPlaceLists(environment: home.environment) == [path])
            let towns = try home.directory.write("", to: "share/libtimezonemap/ui/cities15000.txt")
            #expect(GazetteerImport.installedPlaceLists(environment: home.environment) == [towns, path])
            #expect([path, towns].allSatisfy(GazetteerImport.isPlaceList))
            #expect(!GazetteerImport.isPlaceList("/home/me/Locations.xml"))
            #expect(GazetteerImport.installedPlaceLists(environment: ["XDG_DATA_DIRS": "relative"]).isEmpty)
        }
    }

    /// The list and translations that Debian's libgweather-4-common installs.
    @Test("The real list of GNOME is read")
    func readsTheRealList() async throws {
        let list = try #require(
            GazetteerImport.installedPlaceLists(environment: ["XDG_DATA_DIRS": "/usr/share"]).last,
            "install libgweather-4-common")
        try await withTemporaryDirectory { directory in
            let fixture = ImportFixture(directory)
            let outcome = try GazetteerImport(into: fixture.file).importFile(at: list, date: ImportFixture.date)
            #expect(outcome.source.placeCount > 5_000)
            #expect(outcome.skipped == 0)
            let gazetteer = try Gazetteer(fixture.file)
            for (text, name, country) in [
                ("Paris", "Paris", "FR"), ("Paris, Texas", "Paris", "US"), ("London UK", "London", "GB"),
                ("Sydney", "Sydney", "AU"), ("Tokyo", "Tokyo", "JP"), ("Zurich", "Zürich", "CH"),
            ] {
                let first = try gazetteer.candidates(for: GeocodingQuery(text)).first
                #expect(first?.item.name == name && first?.item.address?.countryCode == country, "\(text)")
            }
            #expect(try gazetteer.candidates(for: GeocodingQuery("Springfield")).count > 3)
            let nearest = try gazetteer.places(near: Coordinate(latitude: -33.87, longitude: 151.21), limit: 1)
            #expect(nearest.first?.item.name == "Sydney")
            for (text, expected) in Self.realAnswers {
                let candidates = try gazetteer.candidates(for: GeocodingQuery(text))
                let isCertain = GeocodingOutcome(candidates).isCertain
                let taken = candidates.first.map { ($0.item.address?.countryCode ?? "") + (isCertain ? "" : "?") }
                #expect(taken == expected, "\(text)")
            }
            let panama = try gazetteer.places(near: Coordinate(latitude: 8.96, longitude: -79.53), limit: 2)
            #expect(panama.count == 2 && Set(panama.map(\.item.name)).isDisjoint(with: ["Panama City"]))
        }
    }

    /// Names with the country of the likeliest place, and a question mark where the list does not settle which is meant.
    private static let realAnswers = [
        "London": "GB", "Paris": "FR", "Berlin": "DE", "Rome": "IT", "Moscow": "RU", "Athens": "GR", "Cairo": "EG",
        "Lima": "PE", "Warsaw": "PL", "Naples": "IT", "Geneva": "CH", "Singapore": "SG", "Luxembourg": "LU",
        "New York": "US", "Kuwait": "KW", "Mexico City": "MX", "Alexandria": "EG?", "Dublin": "IE?", "Granada": "ES?",
        // Capitals that have a larger namesake.
        "San Jose": "US?", "Hamilton": "BM?", "Saint John's": "AG?", "George Town": "KY?", "Stanley": "FK?",
        "Georgetown": "GY?", "Victoria": "SC?",
        // One is the other's neighbour.
        "Kansas City": "US?", "Panama City": "US?",
        // Countries of which the list has no town, and not the towns that have the name in another language.
        "Lesotho": "LS?", "Mali": "ML?", "Montserrat": "MS?", "Liberia": "LR?", "Angola": "AO?",
    ]

    @Test("A coordinate selects among towns of the same name")
    func nearTowns() async throws {
        let list = try #require(
            GazetteerImport.installedPlaceLists(environment: ["XDG_DATA_DIRS": "/usr/share"]).last,
            "install libgweather-4-common")
        try await withTemporaryDirectory { directory in
            let fixture = ImportFixture(directory)
            _ = try GazetteerImport(into: fixture.file).importFile(at: list, date: ImportFixture.date)
            let gazetteer = try Gazetteer(fixture.file)
            for (text, latitude, longitude, state) in [
                ("Hamilton", 43.2, -79.8, "Ontario"), ("Victoria", 48.4, -123.3, "British Columbia"),
                ("London", 42.98, -81.25, "Ontario"), ("Paris", 33.66, -95.55, "Texas"),
            ] {
                let near = try Coordinate(latitude: latitude, longitude: longitude)
                let found = try gazetteer.candidates(for: GeocodingQuery(text, near: near))
                #expect(found.first?.item.address?.state == state, "\(text)")
            }
            // Far from all of them, the position says nothing.
            let far = try gazetteer.candidates(
                for: GeocodingQuery("London", near: Coordinate(latitude: -30, longitude: 20)))
            #expect(far.first?.item.address?.countryCode == "GB")
        }
    }

    @Test("A word is not corrected to an airport code")
    func codesAreNotCorrected() async throws {
        try await withTemporaryDirectory { directory in
            let fixture = ImportFixture(directory)
            try fixture.add(Self.list, as: "share/libgweather-4/Locations.xml")
            #expect(try fixture.found("EDDM").count == 1)
            #expect(try fixture.found("EDDN").isEmpty)
        }
    }
}
