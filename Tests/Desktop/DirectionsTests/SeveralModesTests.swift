import Directions
import HunchModel
import TestSupport
import Testing

/// Links with several travel modes, with a mode and words, and with a mode that does not lead to the place.
@Suite("Modes in links")
struct SeveralModesTests {
    private let words = #""mode_words": {"car": "drive", "bike": "cycle", "train": "transit", "bus": "transit"}"#
    private let uri = #"{"to": "https://a/{lat}[?m={mode}]", "search": "https://a/{query}[?m={mode}]"}"#

    @Test("Of several modes, the first is in the link, and those of other kinds are named as left out")
    func several() async throws {
        try await withMachine { machine in
            try machine.cover("b.bikes", "null", modes: #"["bike"]"#, more: words + #", "app": "all""#, uri: uri)
            try machine.cover(
                "c.trains", "null", modes: #"["train","bus"]"#, more: words + #", "app": "all""#, uri: uri)
            try machine.cover("trains", "null", modes: #"["train"]"#)
            let catalogue = try machine.catalogue()
            func offers(_ modes: Set<TransportMode>) throws -> [AppID: DirectionsPlan.Offer] {
                let plan = catalogue.plan(for: DirectionsRequest(to: try place(5, 5), by: modes))
                return Dictionary(uniqueKeysWithValues: plan.offers.map { ($0.app.id, $0) })
            }
            let both = try offers([.train, .bike])
            #expect(both["all"]?.launch.uri == "https://a/5?m=transit")
            #expect(both["all"]?.cautions == [.leavesOut([.bike])] && both["all"]?.missing == [.mode])
            #expect(both["trains"]?.cautions == [.leavesOut([.bike])])
            #expect(try offers([.bus, .train])["all"]?.cautions == [])
            #expect(try offers([.bike])["all"]?.launch.uri == "https://a/5?m=cycle")
        }
    }

    @Test("An app that searches for words gets them without a mode that it does not have")
    func search() async throws {
        try await withMachine { machine in
            try machine.cover("cars", "null", modes: #"["car","bike"]"#, more: words, uri: uri)
            try machine.cover("trains", "null", modes: #"["train"]"#, more: words, uri: uri)
            let catalogue = try machine.catalogue()
            let plan = catalogue.plan(for: DirectionsRequest(to: MapItem(query: "IKEA"), by: [.train]))
            #expect(plan.offers.map(\.launch.uri) == ["https://a/IKEA?m=transit", "https://a/IKEA"])
            #expect(plan.offers.last?.missing == [.mode] && plan.offers.last?.modes == [])
            let known = catalogue.plan(for: DirectionsRequest(to: try place(5, 5), by: [.train]))
            #expect(known.offers.map(\.app.id) == ["trains"])
        }
    }

    @Test("A service is listed only with modes that suit the distance, and with none across an ocean")
    func reach() async throws {
        try await withMachine { machine in
            try machine.cover("all", "null", modes: #"["car","train","plane","bike","pedestrian"]"#)
            let catalogue = try machine.catalogue()
            func modes(_ start: (Double, Double), _ end: (Double, Double)) throws -> [TransportMode]? {
                let here = try Coordinate(latitude: start.0, longitude: start.1)
                return catalogue.plan(for: DirectionsRequest(to: try place(end.0, end.1)), here: here).offers.first?
                    .modes
            }
            let (berlin, munich, tokyo, seoul) = ((52.52, 13.4), (48.14, 11.58), (35.68, 139.76), (37.57, 126.98))
            #expect(try modes(berlin, (52.4, 13.06)) == [.car, .train, .plane, .bike, .pedestrian])
            #expect(try modes(berlin, munich) == [.car, .train, .plane])
            #expect(try modes(tokyo, (34.05, -118.24)) == [.plane])
            #expect(try modes(tokyo, seoul) == [.plane])
        }
    }
}
