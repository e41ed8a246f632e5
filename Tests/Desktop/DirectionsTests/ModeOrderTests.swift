import Directions
import HunchModel
import Places
import Testing

/// The first of several travel modes, which a link carries if it has room for one.
@Suite("Order of modes")
struct ModeOrderTests {
    @Test(
        "The mode that was typed first comes first",
        arguments: [
            ("nach Hamburg mit dem Zug oder dem Auto", [.train, .car]), ("Hamburg by train or car", [.train, .car]),
            ("to Hamburg by car or train", [.car, .train]),
            ("from Ulm by bike or on foot to Bonn", [.bike, .pedestrian]),
            ("Potsdam zu Fuß oder mit dem Rad", [.pedestrian, .bike]), ("徒歩か自転車で渋谷に行く", [.pedestrian, .bike]),
            ("directions:?to.name=Ulm&by=train,car", [.train, .car]), ("to Hamburg by train", [.train]),
        ] as [(String, [TransportMode])])
    func typed(_ text: String, modes: [TransportMode]) throws {
        let request =
            text.hasPrefix("directions:")
            ? try DirectionsRequest(uri: text) : DirectionsRequest(to: try PlaceParser().parse(text))
        #expect(request.modes == modes)
    }

    @Test("A list of modes keeps its first, and the names of modes their order")
    func list() {
        var request = DirectionsRequest(to: MapItem(query: "Ulm"))
        request.travel(by: [.train, .bike, .car])
        #expect(request.modes == [.train, .car, .bike])
        #expect(TransportMode.phrase(request.modes) == "by train or by car or by bike")
    }
}
