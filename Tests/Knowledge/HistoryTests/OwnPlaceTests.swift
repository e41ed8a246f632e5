import HunchModel
import Testing

@testable import History

/// Home, work and other places that the user named.
@Suite("Named places") struct OwnPlaceTests {
    private let home = MapItem(name: "Torstraße 1", coordinate: try? Coordinate(latitude: 52.53, longitude: 13.41))

    @Test("A place is set, replaced, removed and forgotten")
    func life() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            #expect(try store.setOwnPlace(home, named: "home"))
            #expect(try !store.setOwnPlace(home, named: "home"))
            #expect(try store.setOwnPlace(MapItem(query: "Alte Gasse 3, Ulm"), named: "Grandma"))
            #expect(try store.ownPlaces() == ["home": home, "Grandma": MapItem(query: "Alte Gasse 3, Ulm")])
            #expect(try store.setOwnPlace(nil, named: "Grandma"))
            #expect(try !store.setOwnPlace(nil, named: "Grandma"))
            // Its name, its words and its position forget it.
            for text in ["home", "torstraße", "52.53,13.41"] {
                _ = try store.setOwnPlace(home, named: "home")
                #expect(try store.forget(.place(text)).ownPlaces == 1, "\(text)")
                #expect(try history.filesHolding("Torstraße") == [])
            }
            _ = try store.setOwnPlace(home, named: "home")
            #expect(try store.forget(.place("Potsdam")).ownPlaces == 0)
            #expect(try store.forget(.everything).ownPlaces == 1)
        }
    }

    @Test("Nameless, overlong and too many places are refused, and nothing is lost")
    func limits() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            for name in ["", String(repeating: "n", count: 65)] {
                let error = #expect(throws: HistoryError.self) { try store.setOwnPlace(home, named: name) }
                #expect(error?.code == .invalidInput)
            }
            #expect(throws: HistoryError.self) { try store.setOwnPlace(MapItem(name: "Nowhere"), named: "home") }
            for number in 0..<HistoryLimits.ownPlaces { _ = try store.setOwnPlace(home, named: "\(number)") }
            #expect(throws: HistoryError.self) { try store.setOwnPlace(home, named: "one more") }
            #expect(try store.setOwnPlace(MapItem(query: "Ulm"), named: "7"))
            #expect(try store.ownPlaces().count == HistoryLimits.ownPlaces)
        }
    }
}
