import Coordinates
import Glibc
import HunchModel
import MapLinks
import Places
import SeededRandom
import TestSupport
import Testing

@Suite struct PlaceParserTests {
    private let parser = PlaceParser()

    // Android's guide to common intents and the Google Maps guide to intents describe these forms.
    @Test("The coordinate of a geo: link with words only says where to search")
    func nearOfWords() throws {
        let place = try PlaceParser().parse("geo:37.7749,-122.4194?q=restaurants")
        #expect(place.near?.latitude == 37.7749 && place.item.coordinate == nil)
        #expect(try PlaceParser().parse("geo:0,0?q=restaurants").near == nil)
    }

    @Test(arguments: [
        ("geo:47.6,-122.3", "geo | 47.6,-122.3 | - | - | -"),
        ("geo:47.6,-122.3?z=11", "geo | 47.6,-122.3 | - | - | 11.0"),
        ("geo:0,0?q=34.99,-106.61(Treasure)", "geo | 34.99,-106.61 | Treasure | - | -"),
        ("geo:0,0?q=34.99,-106.61%28Treasure%20Island%29&z=3", "geo | 34.99,-106.61 | Treasure Island | - | 3.0"),
        ("geo:0,0?q=34.99%2C-106.61", "geo | 34.99,-106.61 | - | - | -"),
        ("geo:0,0?q=34.99,-106.61()", "geo | 34.99,-106.61 | - | - | -"),
        ("geo:0,0?q=34.99,-106.61(A+(B))", "geo | 34.99,-106.61 | A (B) | - | -"),
        ("geo:0,0?q=34.99,-106.61+(Treasure)", "geo | 34.99,-106.61 | Treasure | - | -"),
        ("geo:0,0?q=1600+Amphitheatre+Parkway%2C+CA", "geo | - | - | 1600 Amphitheatre Parkway, CA | -"),
        ("geo:0,0?q=my street address", "geo | - | - | my street address | -"),
        ("geo:0.0,-0.00?q=Z%C3%BCrich&z=12", "geo | - | - | Zürich | 12.0"),
        ("geo:?q=Berlin", "geo | - | - | Berlin | -"),
        ("geo:?Q=Berlin&Z=4.5", "geo | - | - | Berlin | 4.5"),
        ("geo:37.7749,-122.4194?q=restaurants", "geo | - | - | restaurants | - | near: 37.7749,-122.4194"),
        ("geo:37.7749,-122.4194?q=10,20(Elsewhere)", "geo | 10.0,20.0 | Elsewhere | - | -"),
        ("geo:0,0?q=849VCWC8%2BR9", "geo | 37.4220625,-122.0840625 | - | - | -"),
        ("geo:0,0?q=849VCWC8+R9", "geo | 37.4220625,-122.0840625 | - | - | -"),
        ("geo:0,0", "geo | 0.0,0.0 | - | - | -"),
        ("geo:0,0?z=5", "geo | 0.0,0.0 | - | - | 5.0"),
        ("geo:0,0?q=", "geo | 0.0,0.0 | - | - | -"),
        ("geo:1,2?z=99", "geo | 1.0,2.0 | - | - | -"),
        ("geo:1,2?z=-1", "geo | 1.0,2.0 | - | - | -"),
        ("geo:1,2?q=a&q=b", "geo | - | - | a | - | near: 1.0,2.0"),
        ("geo:1,2;u=5?q=Foo%0ABar%09%20Baz", "geo | - | - | Foo Bar Baz | - | near: 1.0,2.0"),
        ("geo:1,2?q=Mill#7", "geo | - | - | Mill | - | near: 1.0,2.0"),
        ("geo://1,2", "geo | 1.0,2.0 | - | - | -"),
        ("  geo:1,2\n", "geo | 1.0,2.0 | - | - | -"),
        ("37.79,-122.39", "coordinates | 37.79,-122.39 | - | - | -"),
        ("37.79, -122.39", "coordinates | 37.79,-122.39 | - | - | -"),
        ("37.79 -122.39", "coordinates | 37.79,-122.39 | - | - | -"),
        ("+37.79;\t-122.39", "coordinates | 37.79,-122.39 | - | - | -"),
        ("37.79N 122.39W", "coordinates | 37.79,-122.39 | - | - | -"),
        ("122.39W, 37.79N", "coordinates | 37.79,-122.39 | - | - | -"),
        ("s33.86 e151.2", "coordinates | -33.86,151.2 | - | - | -"),
        ("33.86° S, 151.2° E", "coordinates | -33.86,151.2 | - | - | -"),
        ("37.79,\u{2212}122.39", "coordinates | 37.79,-122.39 | - | - | -"),
        ("90.0, 0", "coordinates | 90.0,0.0 | - | - | -"),
        ("Yank Sing, San Francisco", "text | - | - | Yank Sing, San Francisco | -"),
        ("  Rue   de\tRivoli 5 ", "text | - | - | Rue de Rivoli 5 | -"),
        ("10115 20095", "text | - | - | 10115 20095 | -"),
        ("10115", "text | - | - | 10115 | -"),
        ("5, Main Street", "text | - | - | 5, Main Street | -"),
        ("Paris: the city", "text | - | - | Paris: the city | -"),
        ("東京", "text | - | - | 東京 | -"),
        ("N", "text | - | - | N | -"),
    ])
    func understood(input: String, expected: String) throws {
        #expect(try summary(parser.parse(input)) == expected)
    }

    @Test(
        arguments: [
            ("", .notAPlace), (" \n\t", .notAPlace), ("?!", .notAPlace), ("mailto:a@example.org", .notAPlace),
            ("tel:+15551234", .notAPlace), ("91,0", .badCoordinate), ("-90.5 10", .badCoordinate),
            ("10N 20N", .badCoordinate), ("10N 20", .badCoordinate), ("-10N 20E", .badCoordinate),
            ("geo:0,0?q=95,5", .badCoordinate), ("geo:x", .badCoordinate), ("geo:1,x?q=Berlin", .badCoordinate),
            ("geo:95,0?q=x", .badCoordinate),
            ("geo:?z=5", .badCoordinate), ("geo:1,2;crs=gcj02?q=x", .unsupportedDatum),
            ("geo:1,2?q=%E4", .malformedLink), ("geo:1,2?q=5,6(x", .malformedLink),
            ("https://example.org/maps/@1,2,3z", .unsupportedLink), ("www.example.org/place", .unsupportedLink),
            ("HTTP://example.org", .unsupportedLink), ("foursquare:?ll=1,2", .unsupportedLink),
            ("file:///etc/passwd", .unsupportedLink), ("https://maps.app.goo.gl/abc", .needsNetwork),
            ("https://goo.gl/maps/abc", .needsNetwork),
        ] as [(String, PlaceError.Code)])
    func refused(input: String, code: PlaceError.Code) {
        let error = #expect(throws: PlaceError.self) { try parser.parse(input) }
        #expect(error?.code == code)
        #expect(error?.message.isEmpty == false)
    }

    @Test("Uncertainty follows the height of a satellite view")
    func uncertaintyOfGoogleViews() throws {
        #expect(try parser.parse("https://www.google.com/maps/@48.85,2.29,500m/data=!3m1!1e3").uncertainty == 250)
        #expect(try parser.parse("https://www.google.com/maps/@48.85,2.29,3a,75y,90t").uncertainty == nil)
        #expect(try parser.parse("https://www.google.com/maps/@48.85,2.29").uncertainty != nil)
    }

    @Test(
        "A view has an uncertainty",
        arguments: [
            "https://mapy.cz/zakladni?x=14.9&y=50.3&z=9", "https://osm.org/go/0EEQjEEb",
            "https://maps.google.com/maps?ll=47.5,15.2&spn=0.5,1&z=10", "https://cycle.travel/map?lat=47&lon=15&zoom=9",
            "https://www.google.com/maps/place/Graz/@47.06,15.43,17z", "https://waze.com/live-map?zoom=9&lat=47&lon=15",
            "https://wikimapia.org/#lang=en&lat=47.067&lon=15.439&z=17", "https://example.org/#17/47.0671/15.4395",
            "https://example.org/?lat=47.0671&lon=15.4395&zoom=9", "https://example.org/?c=47.0671,15.4395&z=17",
        ])
    func uncertaintyOfViews(link: String) throws { #expect(try parser.parse(link).uncertainty != nil) }

    @Test(
        "A pin has no uncertainty",
        arguments: [
            "https://mapy.cz/zakladni?x=14.9&y=50.3&z=9&uc=9hAK0xXxOK", "https://osm.org/go/0EEQjEEb?m",
            "https://maps.google.com/maps?q=Uhrturm&ll=47.5,15.2&z=10",
            "https://waze.com/live-map?zoom=9&lat=47&lon=15&pin=1", "https://waze.com/ul?ll=47.06,15.43&z=9",
            "https://example.org/?lat=47.0671&lon=15.4395&zoom=16", "https://example.org/?lat=47.0671&lon=15.4395",
            "https://example.org/?lat=47.0671&lon=15.4395&zoom=9&name=Graz",
            "https://example.org/?pin=47.0671,15.4395&zoom=9",
        ])
    func uncertaintyOfPins(link: String) throws { #expect(try parser.parse(link).uncertainty == nil) }

    @Test(
        "A refusal states the reason and the expected form",
        arguments: [
            ("12,50", "“12,50” may be one number; write 12.0, 50.0 for coordinates"),
            ("http://", "the link ends after “http://”; copy all of it, or give an address or a name"),
            (
                "https://www.google.com/search?q=brandenburger+tor",
                "the link searches the web for “brandenburger tor”; give these words alone if they name a place"
            ),
            (
                "https://example.org/map?center=48.1374,11.5755",
                "the link does not say which number is the latitude; give 48.1374,11.5755 or 11.5755,48.1374"
            ),
            (
                "Treffpunkt 47.2184° N 1.5536° O am Tor",
                "O may mean east or west; give 47.2184,1.5536 or 47.2184,-1.5536"
            ),
            (
                "https://maps.me/catalogue",
                "the link has no place; copy the link of a place, or give coordinates or a name"
            ),
        ])
    func reasons(input: String, message: String) {
        #expect(#expect(throws: PlaceError.self) { try parser.parse(input) }?.message == message)
    }

    @Test("A reversed pair is refused with its correct order")
    func reversedPair() {
        func message(_ input: String) -> String? {
            #expect(throws: PlaceError.self) { try PlaceParser().parse(input) }?.message
        }
        let expected = "latitude 151.2 is outside −90…90; are the two swapped? Try -33.85,151.2"
        for input in [
            "151.2,-33.85", "151.2 -33.85", "geo:151.2,-33.85", "https://maps.google.com/?q=151.2,-33.85",
            "https://maps.apple.com/?ll=151.2,-33.85", "{\"lat\":151.2,\"lng\":-33.85}", "POINT(-33.85 151.2)",
        ] {
            #expect(message(input) == expected, "\(input)")
        }
        // Where the other order is not a position either, and where a number is missing.
        for input in ["191,5", "151.2,-133.85", "91,0"] {
            #expect(message(input)?.contains("swapped") == false, "\(input)")
        }
    }

    @Test("Height and uncertainty are kept")

    func heightAndUncertaintyAreKept() throws {
        let place = try parser.parse("geo:1,2,3;u=4")
        #expect(place.altitude == 3)
        #expect(place.uncertainty == 4)
        #expect(!place.needsGeocoding)
        #expect(try parser.parse("Berlin").needsGeocoding)
    }

    @Test(arguments: [
        "a", " ", "1", "-", "é", "%", "geo:", "geo:1,2?q=", "geo:1,2;", "https://", "1,", "a ", "https://x.y/ ",
        "https://maps.google.com/?q=", "geo:1,95 ", "!1m9", "(", ":", "://", "a.b/c ", "BEGIN:VCARD\n", "ADR:;",
        "GEO:1;2\n", "LOCATION:", "\\", "+", "\"", "&q=", "1°", "°",
    ])
    func everyLengthIsAnsweredSoon(unit: String) {
        let start = Self.processorTime()
        defer { #expect(Self.processorTime() - start < 3, "seconds of this process for a megabyte twice") }
        for size in [1_000, 16_384, 1_048_576, 1_048_577] {
            let repeated = String(repeating: unit, count: size / unit.utf8.count)
            let input = repeated + String(repeating: "1", count: size - repeated.utf8.count)
            let place = try? parser.parse(input)
            #expect(size <= PlaceParser.maximumLength || place == nil)
        }
        let tooLong = String(repeating: "a", count: PlaceParser.maximumLength + 1)
        #expect(#expect(throws: PlaceError.self) { try parser.parse(tooLong) }?.code == .tooLong)
    }

    /// Each of these once took a second or more: marks removed one by one, a possible scheme's colon at every byte, and
    /// a character of a megabyte.
    @Test(
        "No form of input is slow",
        arguments: [
            "https://maps.apple.com/?ll=1,2&q=" + String(repeating: ".", count: 16_000),
            "http://a.bc/" + String(repeating: "\"", count: 16_000), String(repeating: ":", count: 16_000),
            "BEGIN:VCARD\n" + String(repeating: "X:y\nGEO:x\nEND:VCARD\nBEGIN:VCARD\n", count: 500),
            "LOCATION:W" + String(repeating: "\u{301}", count: 8_000),
        ])
    func noShapeIsSlow(unit: String) {
        for input in [unit, String(repeating: unit + " ", count: 1_048_576 / (unit.utf8.count + 1))] {
            let start = Self.processorTime()
            _ = try? parser.parse(input)
            #expect(Self.processorTime() - start < 3)
        }
    }

    /// Of this thread, which other tests do not slow down; an unoptimised build takes many times what a user waits for.
    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    @Test("Mutated input causes no trap")

    func mutationsNeverTrap() {
        let seeds = [
            "geo:48.198634,16.371648,12;crs=wgs84;u=40?q=5,6(Caf%C3%A9)&z=3", "37.79°N, 122.39°W",
            "geo:0,0?q=Zürich+HB",
            "https://example.org/a?b=c#d", "N37 W122",
        ]
        let pool = Array("%,;?&=()+-.:/#0123456789NSEWgeo \u{0}\u{301}é\u{2212}°".unicodeScalars)
        var random = SplitMix64(seed: 7)
        for round in 0..<20_000 {
            var scalars = Array(seeds[round % seeds.count].unicodeScalars)
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = Int.random(in: 0...scalars.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: scalars.insert(pool[Int.random(in: 0..<pool.count, using: &random)], at: place)
                case 1 where place < scalars.count: scalars.remove(at: place)
                case 2 where place < scalars.count:
                    scalars[place] = pool[Int.random(in: 0..<pool.count, using: &random)]
                default: scalars.append(contentsOf: scalars.prefix(place))
                }
            }
            let input = String(String.UnicodeScalarView(scalars))
            do {
                let place = try parser.parse(input)
                // A place that was understood always leads somewhere.
                #expect(place.item.coordinate != nil || place.item.query != nil, "\(input)")
            } catch {
                #expect(!error.message.isEmpty)
            }
        }
    }

    @Test("A rule from another module is tried first")

    func aRuleOfAnotherModuleIsAskedFirst() throws {
        struct Home: PlaceRule {
            let name = "home"
            func place(in input: PlaceInput) throws(PlaceError) -> ParsedPlace? {
                guard input.scheme == "home" else { return nil }
                return ParsedPlace(item: MapItem(name: String(input.body), query: "home"), rule: name)
            }
        }
        let parser = PlaceParser(rules: [Home()] + PlaceParser.standardRules)
        #expect(try parser.parse("home:sweet").rule == "home")
        #expect(try parser.parse("geo:1,2").rule == "geo")
    }
}
