import Directions
import FoundationEssentials
import Geocoding
import HunchModel
import JourneyWords
import MapLinks
import Places
import Testing

@Suite struct PlannerTests {
    /// A geocoder with fixed answers.
    private struct Book: Geocoder {
        var entries: [String: [GeocodingCandidate]]
        var failure: GeocoderError?
        var near: [GeocodingCandidate] = []

        func candidates(for query: GeocodingQuery) throws(GeocoderError) -> [GeocodingCandidate] {
            if let failure { throw failure }
            return entries[query.text] ?? []
        }
        func places(near coordinate: Coordinate, limit: Int) -> [GeocodingCandidate] { near }
    }

    private func place(
        _ name: String, _ latitude: Double?, _ confidence: Double = 1, match: NameMatch = .ownName,
        kind: PlaceKind = .city, address: PostalAddress? = nil
    ) throws -> GeocodingCandidate {
        GeocodingCandidate(
            item: MapItem(
                name: name, coordinate: try latitude.map { try Coordinate(latitude: $0, longitude: 1) },
                address: address), kind: kind, confidence: confidence, match: match, matched: [name])
    }

    private func resolve(
        _ item: MapItem, _ entries: [String: [GeocodingCandidate]]
    ) async throws -> ResolvedDirections {
        try await DirectionsPlanner(geocoder: Book(entries: entries)).resolve(DirectionsRequest(to: item))
    }

    @Test("One place that outranks the others is certain")
    func certain() async throws {
        let berlin = try place("Berlin", 52.5, 0.8)
        let resolved = try await resolve(MapItem(query: "Berlin"), ["Berlin": [berlin, try place("Berlin", 44, 0.2)]])
        #expect(resolved.destination == .certain(berlin))
        #expect(resolved.isCertain && resolved.request.destination.coordinate == berlin.item.coordinate)
    }

    @Test("Equally likely places are ambiguous")
    func ambiguous() async throws {
        let places = [try place("Springfield", 39, 0.6), try place("Springfield", 37, 0.4)]
        let resolved = try await resolve(MapItem(query: "Springfield"), ["Springfield": places])
        #expect(resolved.destination == .ambiguous(places))
        #expect(!resolved.isCertain && resolved.request.destination.coordinate == nil)
        let chosen = resolved.choosing(destination: places[1])
        #expect(chosen.isCertain && chosen.request.destination.coordinate == places[1].item.coordinate)
    }

    @Test("Text between two distant certain places can be a route")
    func possibleRoute() async throws {
        let ends = [
            "Ulm": [try place("Ulm", 48)], "Bonn": [try place("Bonn", 50)], "Beuel": [try place("Beuel", 50.1)],
        ]
        let route = try await resolve(MapItem(query: "Ulm to Bonn by train"), ends)
        #expect(route.isCertain && route.request.modes == [.train])
        guard case .place(let start) = route.request.source else {
            Issue.record("the route has no start")
            return
        }
        #expect(start.coordinate?.latitude == 48)
        #expect(try await resolve(MapItem(query: "Bonn to Beuel"), ends).request.destination.name == "Beuel")
        let part = try await resolve(MapItem(query: "Bonn - Beuel"), ends)
        #expect(part.request.destination == MapItem(query: "Bonn - Beuel") && part.request.source == .unknown)
    }

    @Test(
        "A common noun or a shop may be one end of a route, which apps search for",
        arguments: [
            ("the zoo to Ulm", "zoo", "Ulm"), ("Zoo nach Ulm mit dem Rad", "Zoo", "Ulm"),
            ("Ulm vom Bahnhof", "Bahnhof", "Ulm"),
            ("airport to Halle", "airport", "Halle"), ("IKEA to Ulm", "IKEA", "Ulm"),
            ("Ulm to the library", "Ulm", "the library"),
            ("zoo to the library", "zoo", "the library"), ("動物園からUlm", "動物園", "Ulm"), ("Bar a Ulm", nil, "Bar a Ulm"),
            ("Gateway to Ulm", nil, "Gateway to Ulm"), ("zoo to Bleck", nil, "zoo to Bleck"),
            ("zoo to Bonn", "zoo", "Bonn"),
        ] as [(String, String?, String)])
    func thing(words: String, start: String?, end: String) async throws {
        var bonn = try place("Bonn", 50, 0.7)
        bonn.isDoubtful = true
        let book = [
            "Ulm": [try place("Ulm", 48)], "Bonn": [bonn],
            "Halle": [try place("Halle", 51, 0.5), try place("Halle", 50, 0.5)],
        ]
        let route = try await resolve(MapItem(query: words), book).request
        let source: MapItem? = if case .place(let item) = route.source { item } else { nil }
        #expect((source?.name ?? source?.query) == start)
        #expect((route.destination.name ?? route.destination.query) == end)
        #expect(route.modes == (words.hasSuffix("Rad") ? [.bike] : []))
    }

    @Test(
        "A route from here in words without “from” begins at the position of the user",
        arguments: ["here to Bonn", "hier nach Bonn"])
    func fromHere(words: String) async throws {
        let wrong = try place("Heraklion", 35.3)
        let route = try await resolve(
            MapItem(query: words), ["here": [wrong], "hier": [wrong], "Bonn": [try place("Bonn", 50)]])
        #expect(route.isCertain && route.request.source == .currentLocation)
        #expect(route.request.destination.coordinate?.latitude == 50)
    }

    @Test("The other end of a route does not decide for a doubtful place")
    func doubtful() async throws {
        var tegel = try place("Berlin Brandenburg Airport", 52.4, 0.6)
        tegel.isDoubtful = true
        let book = Book(entries: ["Tegel": [tegel, try place("Leipzig Halle Airport", 60, 0.4)]])
        let start = MapItem(coordinate: try Coordinate(latitude: 52.5, longitude: 1))
        let request = DirectionsRequest(to: MapItem(query: "Tegel"), from: .place(start))
        let resolved = try await DirectionsPlanner(geocoder: book).resolve(request)
        #expect(resolved.isAmbiguous && resolved.request.destination.coordinate == nil)
    }

    @Test(
        "A word for a travel mode or a day next to a town is read, unless both form a name",
        arguments: [
            ("Rad Ulm", "Ulm", .bike), ("Ulm Zug", "Ulm", .train), ("bike Ulm", "Ulm", .bike), ("Ulm Fr", "Ulm", nil),
            ("Rad Haus", "Rad Haus", nil), ("drive Ulm", "Ulm", .car), ("S5 Ulm", "Ulm", .train),
            ("Ulm RE 1", "Ulm", .train), ("Bike Shop", "Bike Shop", nil),
            ("Ulm mit dem Kanu", "Ulm", nil), ("Ulm spät abends Fr", "Ulm", nil),
            ("Bus IKEA", "IKEA", .bus), ("Rewe Rad", "Rewe", .bike),
        ] as [(String, String, TransportMode?)])
    func possibleRequest(_ words: String, name: String, mode: TransportMode?) async throws {
        let book = [
            "Ulm": [try place("Ulm", 48)], "Haus": [try place("Haus", 47)], "Rad Haus": [try place("Rad Haus", 46)],
        ]
        let resolved = try await resolve(MapItem(query: words), book)
        #expect((resolved.request.destination.name ?? resolved.request.destination.query) == name)
        #expect(resolved.request.modes.first == mode)
        #expect((resolved.request.time != nil) == words.hasSuffix("Fr"))
        #expect(resolved.ignored == ["S5", "RE 1", "mit dem Kanu"].first { words.contains($0) })
    }

    @Test("Several towns with the name of a shop are not asked about, and none of them is its rough position")
    func shops() async throws {
        var towns = [try place("Chase", 51, 0.5), try place("Chase", 50, 0.5)]
        for index in towns.indices { towns[index].isByCommonWord = true }
        let resolved = try await resolve(MapItem(query: "Chase"), ["Chase": towns])
        #expect(!resolved.isAmbiguous && !resolved.isCertain && resolved.destination?.candidates.count == 2)
        #expect(resolved.request.roughDestination == nil && resolved.destination?.guesses.isEmpty == true)
    }

    @Test("A time before the name of several towns is kept")
    func timeBesideNamesakes() async throws {
        let towns = ["Halle": [try place("Halle", 51, 0.5), try place("Halle", 50, 0.5)]]
        let resolved = try await resolve(MapItem(query: "tomorrow at 9 Halle"), towns)
        #expect(resolved.isAmbiguous && resolved.request.destination.query == "Halle" && resolved.request.time != nil)
    }

    @Test("A day before a time that was read already changes only its day")
    func dayBesideTime() async throws {
        let now = Date()
        let request = DirectionsRequest(to: try PlaceParser().parse("Ulm FR bis 14 Uhr"), now: now)
        let planner = DirectionsPlanner(geocoder: Book(entries: ["Ulm": [try place("Ulm", 48)]]))
        let time = try #require(try await planner.resolve(request).request.time)
        let friday = try #require(JourneyTime("Friday at 14:00")?.seconds(after: Int(now.timeIntervalSince1970)))
        #expect(time == .arrival(Date(timeIntervalSince1970: Double(friday))))
    }

    @Test("The other end of a route decides unless it is implausible")
    func nearOtherEnd() async throws {
        let book = Book(entries: [
            "Madrid": [try place("Madrid", 40)],
            "Barcelona": [try place("Barcelona", 41, 0.6), try place("Barcelona", 10, 0.4)],
            "Valencia": [try place("Valencia", 10, 0.6), try place("Valencia", 39, 0.4)],
        ])
        let planner = DirectionsPlanner(geocoder: book)
        func route(_ source: String, _ destination: String, by modes: Set<TransportMode> = []) async throws -> Bool {
            var request = DirectionsRequest(
                to: MapItem(query: destination), from: .place(MapItem(query: source)))
            request.travel(by: modes)
            return try await planner.resolve(request).isCertain
        }
        #expect(try await route("Barcelona", "Madrid"))
        #expect(try await route("Madrid", "Barcelona"))
        #expect(try await !route("Madrid", "Barcelona", by: [.plane]))
        #expect(try await !route("Valencia", "Madrid"))
    }

    @Test("An explicit start takes precedence over the start of a route in words")
    func givenStart() async throws {
        let book = Book(entries: ["Madrid": [try place("Madrid", 40)], "Valencia": [try place("Valencia", 39)]])
        let start = MapItem(name: "Toledo", coordinate: try Coordinate(latitude: 42, longitude: 0))
        let resolved = try await DirectionsPlanner(geocoder: book).resolve(
            DirectionsRequest(to: MapItem(query: "Madrid to Valencia"), from: .place(start)))
        #expect(resolved.request.destination.name == "Valencia" && resolved.request.source == .place(start))
        #expect(resolved.ignored == "Madrid")
    }

    @Test("The words for home do not reach an app")
    func ownPlace() async throws {
        var home = try place("", 40)
        (home.item.name, home.kind) = (nil, .own)
        let resolved = try await resolve(MapItem(query: "home"), ["home": [home]])
        #expect(resolved.isCertain && resolved.request.destination.query == nil)
    }

    @Test("An inflected name is found at a route's end, but not alone")
    func nominative() async throws {
        let moscow = ["Москва": [try place("Москва", 55)], "Казань": [try place("Казань", 56)]]
        let request = DirectionsRequest(to: MapItem(query: "Казань"), from: .place(MapItem(query: "Москвы")))
        #expect(try await DirectionsPlanner(geocoder: Book(entries: moscow)).resolve(request).isCertain)
        #expect(try await !resolve(MapItem(query: "Москвы"), moscow).isCertain)
    }

    @Test("A partial match is never certain", arguments: [1.0, 0.9, 0.5])
    func partial(confidence: Double) async throws {
        let town = try place("Berlin", 52.5, confidence, match: .partial)
        let words = "Unter den Linden 1, Berlin"
        let resolved = try await resolve(MapItem(query: words), [words: [town]])
        #expect(resolved.destination == .unresolved([town]))
        #expect(resolved.request.destination == MapItem(query: words))
        #expect(resolved.request.roughDestination == town.item.coordinate)
    }

    @Test("A country is never a destination", arguments: [PlaceKind.country, .state])
    func area(kind: PlaceKind) async throws {
        let ireland = try place("Ireland", nil, 0.99, kind: kind)
        let village = try place("Ireland", 38, 0.01)
        let alone = try await resolve(MapItem(query: "Ireland"), ["Ireland": [ireland]])
        #expect(alone.destination == .unresolved([ireland]))
        let both = try await resolve(MapItem(query: "Ireland"), ["Ireland": [ireland, village]])
        #expect(both.destination == .ambiguous([ireland, village]))
        // Chosen by the user, it stays words.
        let chosen = both.choosing(destination: ireland)
        #expect(!chosen.isCertain && chosen.request.destination.query == "Ireland")
    }

    @Test("A name outranks the town of its address")
    func nameBeforeTown() async throws {
        let item = MapItem(name: "Alexanderplatz", address: PostalAddress(city: "Berlin"))
        let (square, town) = (try place("Alexanderplatz", 52.52), try place("Berlin", 52.5))
        let known = try await resolve(item, ["Alexanderplatz, Berlin": [square], "Berlin": [town]])
        #expect(known.request.destination.coordinate == square.item.coordinate)
        let unknown = try await resolve(item, ["Berlin": [town]])
        #expect(!unknown.isCertain && unknown.request.destination.query == "Alexanderplatz, Berlin")
    }

    @Test("A known street gives a named place its coordinate")
    func streetOfName() async throws {
        let address = PostalAddress(street: "101 Spear St", city: "San Francisco")
        let house = try place("101 Spear St", 37.79, kind: .house)
        let resolved = try await resolve(
            MapItem(name: "Yank Sing", address: address), ["101 Spear St, San Francisco": [house]])
        #expect(resolved.isCertain && resolved.request.destination.name == "Yank Sing")
    }

    @Test("A seen place without a coordinate lies at its address")
    func seenAddress() async throws {
        let address = PostalAddress(street: "101 Spear St", city: "San Francisco")
        let seen = try place("Yank Sing", nil, 0.8, kind: .seen, address: address)
        let house = try place("101 Spear St", 37.79, kind: .house)
        let known = try await resolve(
            MapItem(query: "yank sing"), ["yank sing": [seen], address.singleLine: [house]])
        #expect(known.isCertain && known.request.destination.coordinate == house.item.coordinate)
        let unknown = try await resolve(MapItem(query: "yank sing"), ["yank sing": [seen]])
        #expect(!unknown.isCertain)
        #expect(unknown.request.destination.query == "Yank Sing, 101 Spear St, San Francisco")
    }

    @Test(
        "A common noun or a shop on a map is searched in the town at its middle",
        arguments: [
            ("https://www.google.com/maps/search/pharmacy/@40.39,-82.48,14z", "pharmacy, Ulm"),
            ("geo:48.4,10?q=Apotheke", "Apotheke, Ulm"), ("geo:48.4,10?q=IKEA", "IKEA, Ulm"),
            ("geo:48.4,10?q=Bleck", "Bleck"), ("geo:0,0?q=Apotheke", "Apotheke"), ("Apotheke", "Apotheke"),
        ])
    func onMap(link: String, words: String) async throws {
        let book = Book(entries: [:], near: [try place("Ulm", 48)])
        let request = DirectionsRequest(to: try PlaceParser().parse(link))
        let resolved = try await DirectionsPlanner(geocoder: book).resolve(request)
        #expect(resolved.request.destination.query == words)
        #expect(resolved.request.destination.coordinate == nil)
    }

    @Test(
        "Apps that search get the words of an unknown place without a word such as “to”",
        arguments: [
            ("to grandma", "grandma"), ("zum Arzt", "Arzt"), ("zu Oma", "Oma"), ("naar oma", "oma"),
            ("au musée", "musée"),
            ("al dentista", "dentista"), ("Zum Löwen", "Zum Löwen"), ("al dente", "al dente"),
            ("la boqueria", "la boqueria"),
            ("do it best", "do it best"), ("to", "to"),
        ])
    func unknownBehindTo(_ text: String, words: String) async throws {
        let request = DirectionsRequest(to: MapItem(query: text))
        let resolved = try await DirectionsPlanner(geocoder: Book(entries: [:])).resolve(request)
        #expect(resolved.request.destination.query == words)
    }

    @Test("Without a gazetteer a place in words is unresolved")
    func noGazetteer() async throws {
        let request = DirectionsRequest(to: MapItem(query: "Potsdam"))
        func planner(_ code: GeocoderError.Code) -> DirectionsPlanner {
            DirectionsPlanner(geocoder: Book(entries: [:], failure: GeocoderError(code, "no")))
        }
        let resolved = try await planner(.noGazetteer).resolve(request)
        #expect(resolved.destination == .unresolved([]) && resolved.request == request)
        await #expect(throws: GeocoderError.self) { try await planner(.storage).resolve(request) }
    }
}
