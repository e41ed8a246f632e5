import AgentInterface
import FoundationEssentials
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

/// Links for apps that show routes.
@Suite("Parsing of links", .timeLimit(.minutes(15))) struct ParseTests {
    @Test func `A link is parsed to the request that it means, with nothing looked up`() async throws {
        try await withAgentInside { rig in
            let whole = try await rig.agent.parseDirections(
                "directions:?to=48.86,2.29&to.name=Tower&from=here&by=subway,bus&arrive=2026-01-31T18:00:00Z&zoom=12&alternates=yes"
            )
            var expected = DirectionsQuery(
                destination: MapItem(name: "Tower", coordinate: try Coordinate(latitude: 48.86, longitude: 2.29)))
            expected.startsHere = true
            expected.modes = ["subway", "bus"]
            expected.arrival = Date(timeIntervalSince1970: 1_769_882_400)
            (expected.wantsAlternates, expected.zoom) = (true, 12)
            #expect(whole == expected)
            let words = try await rig.agent.parseDirections("geo:0,0?q=Tour+Eiffel")
            #expect(words.destination?.query == "Tour Eiffel" && words.destination?.coordinate == nil)
            // What was parsed can be asked for.
            #expect(try await rig.agent.suggestDirections(whole).resolved.destination == whole.destination)
            for (link, word) in [("geo:91,0", "latitude"), ("directions:?by=bus", "destination"), ("", "")] {
                let refusal = try #require(
                    try await rig.refusal { _ = try await $0.agent.parseDirections(link) }, "\(link)")
                #expect(refusal.name == .invalidInput && refusal.message.contains(word), "\(refusal)")
            }
        }
    }
}
