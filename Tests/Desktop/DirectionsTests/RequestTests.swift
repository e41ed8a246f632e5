import Coordinates
import Directions
import FoundationEssentials
import HunchModel
import MapLinks
import Places
import SeededRandom
import TestSupport
import Testing

@Suite("Requests for directions")
struct RequestTests {
    @Test("A link carries the whole request")
    func everything() throws {
        let request = try DirectionsRequest(
            uri: "directions:?to=37.79,-122.39&to.name=Yank%20Sing&to.street=49%20Stevenson%20St&to.cc=US"
                + "&to.phone=+1415&from=here&by=transit,pedestrian&arrive=2026-01-31T18:00:00Z&alternates=yes&later=1")
        #expect(request.destination.name == "Yank Sing")
        #expect(request.destination.coordinate == (try Coordinate(latitude: 37.79, longitude: -122.39)))
        #expect(request.destination.address == PostalAddress(street: "49 Stevenson St", countryCode: "US"))
        #expect(request.destination.phoneNumber == "+1415")
        #expect(request.source == .currentLocation)
        #expect(Set(request.modes) == TransportMode.transit.union([.pedestrian]))
        #expect(request.time == .arrival(Date(timeIntervalSince1970: 1_769_882_400)))
        #expect(request.wantsAlternates)
        #expect(!request.needsGeocoding)
    }

    @Test("Any request is read back from its link")
    func roundTrip() throws {
        var random = SplitMix64(seed: 23)
        for _ in 0..<5_000 {
            let request = try Self.request(&random)
            let uri = request.uri
            #expect(try DirectionsRequest(uri: uri) == request, "\(uri)")
            #expect(uri.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
            #expect(DirectionsRequest.isDirectionsRequest(uri))
        }
    }

    private static func request(_ random: inout SplitMix64) throws -> DirectionsRequest {
        func maybe<T>(_ value: @autoclosure () throws -> T) rethrows -> T? {
            Bool.random(using: &random) ? try value() : nil
        }
        func text() -> String {
            let alphabet = Array("aZ09 &=+%#?,;:/'\"ßé漢🚋\u{301}\n")
            return String(
                (0..<Int.random(in: 1...12, using: &random)).compactMap { _ in
                    alphabet.randomElement(using: &random)
                })
        }
        func coordinate() throws -> Coordinate {
            let scale: Double = [1, 1e-3, 1e-7].randomElement(using: &random) ?? 1
            return try Coordinate(
                latitude: Double.random(in: -90...90, using: &random) * scale,
                longitude: Double.random(in: -180...180, using: &random) * scale)
        }
        func place() throws -> MapItem {
            MapItem(
                name: maybe(text()), coordinate: try maybe(try coordinate()),
                address: maybe(
                    PostalAddress(
                        street: maybe(text()), city: maybe(text()), state: maybe(text()), postalCode: maybe(text()),
                        country: maybe(text()), countryCode: maybe(text()))), query: maybe(text()),
                phoneNumber: maybe(text()))
        }
        var destination = try place()
        destination.query = text()
        let date = Date(timeIntervalSince1970: Double(Int.random(in: 0...4_000_000_000, using: &random)))
        return DirectionsRequest(
            to: destination,
            from: [.unknown, .currentLocation, .place(try place())].randomElement(using: &random) ?? .unknown,
            by: Set(TransportMode.allCases.filter { _ in Int.random(in: 0...3, using: &random) == 0 }),
            at: maybe(Bool.random(using: &random) ? .departure(date) : .arrival(date)),
            wantsAlternates: Bool.random(using: &random), near: try maybe(try coordinate()))
    }

    @Test(
        "An invalid directions: link is refused with its error",
        arguments: [
            ("directions:", "destination"), ("directions:?from=1,2", "destination"), ("directions:?to=", "destination"),
            ("directions:?to=1", "LATITUDE,LONGITUDE"), ("directions:?to=1,2,3", "LATITUDE,LONGITUDE"),
            ("directions:?to=a,b", "LATITUDE,LONGITUDE"), ("directions:?to=nan,0", "LATITUDE,LONGITUDE"),
            ("directions:?to=91,0", "latitude"), ("directions:?to=1,2&to=3,4", "twice"),
            ("directions:?to=1,2&by=broom", "broom"), ("directions:?to=1,2&depart=soon", "time"),
            ("directions:?to=1,2&depart=2026-01-31T18:00:00Z&arrive=2026-01-31T18:00:00Z", "both"),
            ("directions:?to=1,2&alternates=maybe", "yes nor no"), ("directions:?to.name=%zz", "percent"),
            ("directions:?to.name=%FF", "percent"), ("directions:?to.name=a%00", "percent"),
            ("directions:?to.name=" + String(repeating: "a", count: 20_000), "longer"),
        ])
    func malformed(uri: String, words: String) {
        #expect { try DirectionsRequest(uri: uri) } throws: { error in
            (error as? DirectionsError)?.message.contains(words) == true
        }
        #expect(!DirectionsRequest.isDirectionsRequest(uri))
    }

    @Test("geo: links are requests; texts and other links are not")
    func otherLinks() throws {
        let request = try DirectionsRequest(uri: "geo:37.79,-122.39")
        #expect(request.destination.coordinate == (try Coordinate(latitude: 37.79, longitude: -122.39)))
        #expect(request.source == .unknown && request.modes.isEmpty)
        #expect(try DirectionsRequest(uri: "geo:0,0?q=Berlin").needsGeocoding)
        #expect(try DirectionsRequest(uri: "DIRECTIONS:?to=1,2").destination.coordinate != nil)
        for text in ["Berlin", "37.79,-122.39", "Paris: the city", "mailto:a@b", "https://example.org/x", "", ":"] {
            #expect(!DirectionsRequest.isDirectionsRequest(text), "\(text)")
        }
    }

    @Test("A map link's route gives ends, modes and search area")
    func routes() throws {
        let route = try DirectionsRequest(
            uri: "https://www.google.com/maps/dir/52.52,13.405/Potsdam/@52.45,13.2,11z/data=!4m2!4m1!3e3")
        #expect(route.destination.query == "Potsdam")
        #expect(route.source == .place(MapItem(coordinate: try Coordinate(latitude: 52.52, longitude: 13.405))))
        #expect(Set(route.modes) == TransportMode.transit)
        #expect(route.near == (try Coordinate(latitude: 52.45, longitude: 13.2)))
        #expect(try DirectionsRequest(uri: route.uri) == route)
        #expect(DirectionsRequest.isDirectionsRequest("maps.apple.com/?daddr=Berlin"))
        #expect(!DirectionsRequest.isDirectionsRequest("https://maps.app.goo.gl/abc"))
    }

    @Test("The place parser reads directions: links with this rule")
    func rule() throws {
        let parser = PlaceParser(rules: [DirectionsRule()] + PlaceParser.standardRules)
        let place = try parser.parse("directions:?to=1,2&to.name=X&from=3,4")
        #expect(place.item.name == "X" && place.rule == "directions")
        #expect(place.source?.coordinate == (try Coordinate(latitude: 3, longitude: 4)))
        #expect(throws: PlaceError.self) { try parser.parse("directions:?to=1") }
        #expect(try parser.parse("geo:1,2").rule == "geo")
    }

    @Test("Words give travel modes")
    func modeNames() {
        #expect(TransportMode.named("transit") == TransportMode.transit)
        #expect(TransportMode.named("RideShare") == [.rideShare])
        #expect(TransportMode.named("walk") == [.pedestrian])
        #expect(TransportMode.named("tram") == [.streetcar])
        #expect(TransportMode.named("broom") == nil)
    }
}
