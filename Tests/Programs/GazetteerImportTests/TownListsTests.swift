import Directions
import Foundation
import GazetteerImport
import Geocoding
import HunchModel
import Gazetteers
import TestSupport
import Testing

/// The lists of towns that Debian's libtimezonemap-data and libgweather-4-common install, as the first use imports them.
@Suite(.timeLimit(.minutes(15))) struct TownListsTests {
    /// Texts with the country and the name of the place that they lead to, with `?` and the countries to choose from, or with
    /// `-` where the words are passed on.
    private static let answers: [(text: String, expected: String)] = [
        ("Berlin", "DE Berlin"), ("Berlín", "DE Berlin"), ("Берлин", "DE Berlin"), ("ニューヨーク", "US New York City"),
        ("上海", "CN Shanghai"), ("香港", "HK Hong Kong"), ("Québec", "CA Québec"), ("巴塞罗那", "ES Barcelona"),
        ("दिल्ली", "IN Delhi"), ("الدار البيضاء", "MA Casablanca"), ("Chania", "GR Chaniá"), ("Odesa", "UA Odesa"),
        ("Straßburg", "FR Strasbourg"), ("Bakı", "AZ Baku"), ("اسلام آباد", "PK Islamabad"), ("Luik", "BE Liège"),
        ("Luxembourg", "LU Luxembourg"), ("Monaco", "MC Monaco"), ("Manhattan", "US Manhattan"),
        ("Cambridge, Ontario", "CA Cambridge"), ("London, Ontario", "CA London"), ("Paris, Texas", "US Paris"),
        ("Cartagena, Spain", "ES Cartagena"), ("Köln", "DE Köln"), ("Gothenburg", "SE Göteborg"),
        ("LIMA", "PE Lima"),
        // Several towns are meant about as often.
        ("Brest", "? BY FR"), ("Barcelona", "? ES VE"), ("Reading", "? GB US"), ("Dover", "? US GB"),
        ("Cambridge", "? GB CA US NZ"), ("Córdoba", "? AR ES MX CO"), ("Nelson", "? NZ GB CA"),
        // GNOME's list has this name only for the one in Texas.
        ("敖德萨", "UA Odessa"), ("大阪", "JP Osaka"), ("תל אביב", "IL Tel Aviv"),
        // Abbreviations of large cities, in capitals.
        ("LA", "US Los Angeles"), ("NYC", "US New York City"), ("SF", "US San Francisco"),
        ("Manchester", "? GB JM US"),
        // Countries that are one town.
        ("San Marino", "SM San Marino"), ("Vatican City", "VA Vatican City"), ("澳門", "MO Macau"),
        // Countries, and towns whose states or streets no list has.
        ("Mali", "-"), ("Lesotho", "-"), ("Waterville, Ontario", "-"), ("Oxford Street, London", "-"),
        ("London SW1A 1AA", "-"), ("Dublin 2", "-"), ("University of Cambridge", "-"),
        // Three capital letters are the code of an airport, which no list has.
        ("ORK", "-"), ("CAN", "-"), ("BER", "-"), ("ORD", "-"), ("TER", "-"), ("Pai", "-"),
        ("札幌", "JP Sapporo"), ("横浜", "JP Yokohama"), ("神戸", "JP Kobe"),
    ]

    @Test("Both place lists together give the expected answers")
    func answers() async throws {
        let lists = GazetteerImport.installedPlaceLists(environment: ["XDG_DATA_DIRS": "/usr/share"])
        try #require(lists.count == 2, "install libtimezonemap-data and libgweather-4-common")
        try await withTemporaryDirectory { directory in
            let fixture = ImportFixture(directory)
            for list in lists {
                _ = try GazetteerImport(into: fixture.file).importFile(at: list, date: ImportFixture.date)
            }
            let gazetteer = try Gazetteer(fixture.file)
            for (text, expected) in Self.answers {
                let outcome = GeocodingOutcome(try gazetteer.candidates(for: GeocodingQuery(text)))
                var countries: [String] = []
                for country in outcome.candidates.compactMap(\.item.address?.countryCode)
                where !countries.contains(country) { countries.append(country) }
                let answer =
                    switch outcome {
                    case .certain(let place):
                        "\(place.item.address?.countryCode ?? "") \(place.item.name ?? "")"
                    case .ambiguous: "? " + countries.joined(separator: " ")
                    case .unresolved: "-"
                    }
                #expect(answer == expected, "\(text)")
            }
            // Its weather station is 27 km away.
            let middle = try Coordinate(latitude: -34.61, longitude: -58.38)
            let city = try gazetteer.candidates(for: GeocodingQuery("Buenos Aires")).first
            #expect(try #require(city?.item.coordinate).distance(to: middle) < 3_000)
        }
    }
}
