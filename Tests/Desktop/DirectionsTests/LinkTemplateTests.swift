import Directions
import FoundationEssentials
import HunchModel
import Testing

@Suite("Link templates")
struct LinkTemplateTests {
    private func link(
        _ template: LaunchTemplate, _ request: DirectionsRequest, _ mode: TransportMode? = nil
    ) -> String? {
        template.link(for: request, mode: mode)?.uri
    }

    @Test("Links use the app's mode words and the known source")
    func links() throws {
        let template = LaunchTemplate(
            toDestination: try LinkTemplate("a:{lat},{lon}?m={mode}&l={label}"), fromHere: try LinkTemplate("h:{lat}"),
            withSource: try LinkTemplate("f:{from.lat},{from.lon},{from.label}/{lat},{lon}"),
            modeWords: [.car: "drive/fast"])
        let there = try place(-33.8, 1e-7, name: "Über & Café")
        let from = try place(1, 2)
        #expect(
            link(template, DirectionsRequest(to: there), .car)
                == "a:-33.8,0.0000001?m=drive/fast&l=%C3%9Cber%20%26%20Caf%C3%A9")
        #expect(link(template, DirectionsRequest(to: there, from: .currentLocation), .car) == "h:-33.8")
        #expect(
            link(template, DirectionsRequest(to: there, from: .place(from)), .car)
                == "f:1,2,1%2C2/-33.8,0.0000001")
        // A mode without a word leaves that template out; the next that can be filled is used.
        #expect(link(template, DirectionsRequest(to: there), .bus) == "h:-33.8")
        #expect(link(template, DirectionsRequest(to: MapItem(query: "x")), .car) == nil)
    }

    @Test("An optional part without a value is left out or replaced")
    func optionalParts() throws {
        let template = LaunchTemplate(
            toDestination: try LinkTemplate("a:{lat},{lon}[,{name}]?m[&z={zoom}&u={uncertainty}|&z={zoom}|&none]"),
            withSource: try LinkTemplate("f:{from.lat}[_{from.name}]/{lat}[_{name}]"))
        var request = DirectionsRequest(to: try place(1, 2))
        #expect(link(template, request) == "a:1,2?m&none")
        request.zoom = 15.2
        #expect(link(template, request) == "a:1,2?m&z=15")
        request.uncertainty = 12.3
        #expect(link(template, request) == "a:1,2?m&z=15&u=13")
        let named = DirectionsRequest(to: try place(1, 2, name: "a b"), from: .place(try place(3, 4)))
        #expect(link(template, named) == "f:3/1_a%20b")
    }

    @Test(
        "Each field has its form",
        arguments: [
            ("{lat.e6},{lon.e6},{from.lat.e6}", "-33868800,151209300,60169900"),
            ("{name|form}", "A+%22b%22+%2B+%C3%A9"), ("{name|twice}", "A%2520%2522b%2522%2520%252B%2520%25C3%25A9"),
            ("{name|json}", "A%20%5C%22b%5C%22%20%2B%20%C3%A9"), ("{time},{time.ms}", "1769882400,1769882400000"),
            ("{time.iso|form}", "2026-01-31T18%3A00%3A00Z"), ("{time.date}", "2026-01-31"), ("{time.clock}", "20%3A00"),
            ("{time.local}", "2026-01-31T20%3A00%3A00"), ("{arrive}{arrive.1}", "true1"),
            ("{time.day}.{time.month}.{time.year}+{time.hour}{time.minute}", "31.01.2026+2000"),
            ("{time.minute.tens}-{time.minute.ones}", "0-0"),
            ("[{arrive.mark}a][{depart.mark}d]", "a"), ("{query}", "A%20%22b%22%20%2B%20%C3%A9"),
        ])
    func forms(fields: String, expected: String) throws {
        let template = LaunchTemplate(
            toDestination: nil, withSource: try LinkTemplate("x:{lat}/\(fields)"),
            timeZone: TimeZone(identifier: "Europe/Helsinki"))
        let request = DirectionsRequest(
            to: try place(-33.8688, 151.2093, name: "A \"b\" + é"), from: .place(try place(60.1699, 24.9384)),
            at: .arrival(Date(timeIntervalSince1970: 1_769_882_400.7)))
        #expect(link(template, request) == "x:-33.8688/" + expected)
    }

    @Test(
        "A service that takes names gets only a name it can find",
        arguments: [
            (MapItem(name: "Bern", address: PostalAddress(city: "Bern", country: "Switzerland")), "Bern"),
            (MapItem(name: "Zoo", address: PostalAddress(city: "Bern", country: "Switzerland")), "Zoo, Bern"),
            (
                MapItem(name: "Ann", address: PostalAddress(street: "Gasse 1", city: "Bern")), "Gasse 1, Bern"
            ), (MapItem(name: "Home"), nil), (MapItem(), nil),
            (MapItem(name: "9G8F+6X", address: PostalAddress(city: "Zürich")), nil),
        ])
    func searchableNames(item: MapItem, expected: String?) throws {
        let byName = LaunchTemplate(toDestination: try LinkTemplate("x:{name}"))
        let byPosition = LaunchTemplate(toDestination: try LinkTemplate("x:{lat}/{name}"))
        var there = item
        there.coordinate = try Coordinate(latitude: 47, longitude: 7)
        let name = expected.map { $0.replacing(" ", with: "%20").replacing(",", with: "%2C") }
        #expect(link(byName, DirectionsRequest(to: there)) == name.map { "x:" + $0 })
        // With a position, it is the view of the map.
        #expect((link(byPosition, DirectionsRequest(to: there)) != nil) == (item.name != nil))
    }

    @Test("Links carry the travel time or a search for the destination")
    func timesAndSearches() throws {
        let template = LaunchTemplate(
            toDestination: try LinkTemplate("a:{lat}[?time={time}&arriveBy={arrive}]"),
            search: try LinkTemplate("s:{query}"))
        var request = DirectionsRequest(to: try place(1, 2))
        #expect(link(template, request) == "a:1")
        request.travel(at: .departure(Date(timeIntervalSince1970: 1_769_882_400.7)))
        #expect(link(template, request) == "a:1?time=1769882400&arriveBy=false")
        request.destination = MapItem(query: "Yank Sing")
        #expect(link(template, request) == "s:Yank%20Sing")
    }

    @Test(
        "An invalid template is refused with the reason",
        arguments: [
            ("x:{lat}{nope}", "{nope}"), ("x:{lat", "“{” is not closed"), ("x:[{nope}]{lat}", "{nope}"),
            ("x:[{lat]", "“{” is not closed"), ("x:[{lat}", "“[” is not closed"), ("x:{lat}]", "“]”"),
            ("x:{lat}}", "“}”"), ("x:[a[{lat}]]", "“[”"), ("x:{lat|loud}", "|loud"), ("x:{mode}", "no destination"),
            ("x:{from.lat}", "no destination"), ("{lat}", "scheme"), ("//example.org/{lat}", "scheme"),
            ("", "destination"),
        ])
    func faults(text: String, words: String) {
        let error = #expect(throws: LinkTemplateError.self) { try LinkTemplate(text) }
        #expect(error?.description.contains(words) == true, "\(String(describing: error))")
    }
}
