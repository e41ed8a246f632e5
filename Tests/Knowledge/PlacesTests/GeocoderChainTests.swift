import Geocoding
import HunchModel
import Synchronization
import Testing

@Suite struct GeocoderChainTests {
    /// A gazetteer that gives one answer to everything.
    private struct Fixed: Geocoder {
        let answer: Result<[GeocodingCandidate], GeocoderError>

        func candidates(for query: GeocodingQuery) throws(GeocoderError) -> [GeocodingCandidate] { try answer.get() }
        func places(near coordinate: Coordinate, limit: Int) -> [GeocodingCandidate] { [] }
    }

    private func place(
        _ name: String, _ match: NameMatch, latitude: Double = 1, city: String? = nil
    ) throws -> GeocodingCandidate {
        GeocodingCandidate(
            item: MapItem(
                name: name, coordinate: try Coordinate(latitude: latitude, longitude: 2),
                address: city.map { PostalAddress(city: $0) }),
            kind: .city, confidence: 1, match: match, matched: [name])
    }

    private func error(_ code: GeocoderError.Code) -> GeocoderError { GeocoderError(code, "no") }

    /// The candidates, and whether the network was asked.
    private func ask(
        _ text: String, gazetteer: Result<[GeocodingCandidate], GeocoderError>, seen: [MapItem] = [],
        network: Result<[GeocodingCandidate]?, GeocoderError> = .success(nil)
    ) async throws -> (candidates: [GeocodingCandidate], isNetworkAsked: Bool) {
        let asked = Asked()
        let chain = GeocoderChain(gazetteer: Fixed(answer: gazetteer), seen: { seen }) { _ throws(GeocoderError) in
            asked.note()
            return try network.get()
        }
        let found = try await chain.candidates(for: GeocodingQuery(text))
        return (found, asked.isAsked)
    }

    private final class Asked: Sendable {
        private let state = Mutex(false)
        func note() { state.withLock { $0 = true } }
        var isAsked: Bool { state.withLock(\.self) }
    }

    @Test("A user's own place is found behind a preposition", arguments: ["Oma", "zu Oma", "to Oma", "bei oma"])
    func own(_ text: String) async throws {
        let place = MapItem(coordinate: try Coordinate(latitude: 51.34, longitude: 12.37))
        let chain = GeocoderChain(gazetteer: Fixed(answer: .success([])), own: { ["Oma": place] })
        var named = place
        named.name = "Oma"
        #expect(try await chain.candidates(for: GeocodingQuery(text)).map(\.item) == [named])
    }

    @Test(
        "A place of one's own that is only a coordinate has the user's name for it", arguments: ["home", "nach Hause"])
    func ownName(_ text: String) async throws {
        var place = MapItem(coordinate: try Coordinate(latitude: 51.34, longitude: 12.37))
        func answer() async throws -> [MapItem] {
            let own = ["home": place]
            let chain = GeocoderChain(gazetteer: Fixed(answer: .success([])), own: { own })
            return try await chain.candidates(for: GeocodingQuery(text)).map(\.item)
        }
        #expect(try await answer().map(\.name) == ["home"])
        place.name = "Torstraße 1"
        #expect(try await answer() == [place])
    }

    @Test("A complete match in the gazetteer skips the network")
    func complete() async throws {
        let known = try place("Berlin", .ownName)
        let answer = try await ask("Berlin", gazetteer: .success([known]), network: .success([]))
        #expect(answer.candidates == [known])
        #expect(!answer.isNetworkAsked)
    }

    @Test("A partial match in the gazetteer is looked up online")
    func partial() async throws {
        let town = try place("Berlin", .partial)
        let street = try place("Unter den Linden 1", .partial, latitude: 52.5, city: "Berlin")
        let answer = try await ask(
            "Unter den Linden 1, Berlin", gazetteer: .success([town]), network: .success([street]))
        #expect(answer.candidates.map(\.item.name) == ["Unter den Linden 1"])
        #expect(answer.candidates.map(\.match) == [.ownName])
        #expect(answer.candidates.map(\.confidence) == [1])
    }

    @Test("Without network results the partial match is kept")
    func notAllowed() async throws {
        let town = try place("Berlin", .partial)
        let answer = try await ask("Unter den Linden 1, Berlin", gazetteer: .success([town]))
        #expect(answer.candidates == [town] && answer.isNetworkAsked)
        let offline = try await ask(
            "Unter den Linden 1, Berlin", gazetteer: .success([town]), network: .failure(error(.unreachable)))
        #expect(offline.candidates == [town])
    }

    @Test("Network places are complete only if they match all words")
    func networkMatches() async throws {
        let found = [
            try place("Main Street", .partial, city: "Berlin"),
            try place("Elm Street", .partial, latitude: 10, city: "Springfield"),
            try place("Elm Street", .partial, latitude: 10.01, city: "Springfield"),
            try place("Elm Street", .partial, latitude: 20, city: "Springfield"),
        ]
        let answer = try await ask("Elm Street, Springfield", gazetteer: .success([]), network: .success(found))
        #expect(answer.candidates.map(\.match) == [.ownName, .ownName, .partial])
        #expect(answer.candidates.compactMap(\.item.coordinate?.latitude) == [10, 20, 1])
        // Neither of the two is certain.
        #expect(answer.candidates[0].confidence < 0.75)
    }

    @Test("A seen place is found without a gazetteer")
    func seen() async throws {
        let seen = [MapItem(name: "Yank Sing", coordinate: try Coordinate(latitude: 37.79, longitude: -122.39))]
        let answer = try await ask("yank sing", gazetteer: .failure(error(.noGazetteer)), seen: seen)
        #expect(answer.candidates.map(\.item) == seen)
    }

    @Test(
        "Without an answer the problems are reported",
        arguments: [
            (GeocoderError.Code.noGazetteer, nil), (.storage, nil), (.noGazetteer, GeocoderError.Code.unreachable),
        ])
    func troubles(gazetteer: GeocoderError.Code, network: GeocoderError.Code?) async throws {
        let failure = await #expect(throws: GeocoderError.self) {
            try await ask(
                "other", gazetteer: .failure(error(gazetteer)),
                network: network.map { .failure(error($0)) } ?? .success(nil))
        }
        #expect(failure?.code == network ?? gazetteer)
    }

    @Test("A query that names no place is refused without a search")
    func placeless() async throws {
        let failure = await #expect(throws: GeocoderError.self) {
            try await ask("Zoom meeting", gazetteer: .success([]), network: .success([]))
        }
        #expect(failure?.code == .notAPlace)
    }
}
