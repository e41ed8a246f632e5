import AgentInterface
import EventLoops
import FoundationEssentials
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

/// Everyday words: home and work, common nouns of places, and words for time and travel mode.
@Suite("Everyday words", .timeLimit(.minutes(15)))
struct PlacesCommandTests {
    private struct Route: Decodable {
        struct Item: Decodable {
            struct Position: Decodable { let latitude, longitude: Double }
            let coordinate: Position?
            let query: String?
        }
        let destination: Item
        let source: Item?
        let request: String
    }

    private func route(_ rig: AgentRig, _ arguments: String...) async throws -> Route {
        let result = try await run(
            builtProduct("hunch"), ["directions", "--json"] + arguments, environment: rig.environment)
        return try JSONDecoder().decode(Route.self, from: Data(result.standardOutput.utf8))
    }

    @Test("The command and the agent agree about home and work")
    func named() async throws {
        try await withAgent { rig, _ async throws in
            let unset = try await rig.hunch("directions", "home")
            #expect(
                unset.standardError.contains(
                    "does not know the place “home” yet; set it with “hunch places set home ADDRESS”")
            )
            let none = try await rig.hunch("places")
            #expect(none.status == .exited(1) && none.standardError.contains("no place has a name yet"))
            #expect(none.standardError.contains("“hunch places set home ADDRESS”"), "\(none)")
            #expect(none.standardError.contains("“hunch allow location”"), "\(none)")
            let home = try await rig.hunch("places", "set", "Zuhause", "52.5163,13.3777").output()
            #expect(home == "home is 52.5163,13.3777\n")
            _ = try await rig.hunch("places", "set", "work", "geo:52.4,13.05?q=52.4,13.05(Lab)").output()
            _ = try await rig.hunch("places", "set", "Oma", "50,7").output()
            for words in ["home", "nach Hause", "à la maison", "Zu Hause", "my house", "meine Wohnung", "自宅"] {
                #expect(try await route(rig, words).destination.coordinate?.latitude == 52.5163, "\(words)")
            }
            #expect(try await route(rig, "oma").destination.coordinate?.latitude == 50)
            for words in ["from work to home", "von der Arbeit nach Hause"] {
                let route = try await route(rig, words)
                #expect(route.destination.coordinate?.latitude == 52.5163, "\(words)")
                #expect(route.source?.coordinate?.latitude == 52.4, "\(words)")
            }
            let said = try await rig.hunch("directions", "from work to home by bike").standardError
            #expect(said.contains("from work to your home, by bike"), "\(said)")
            let answer = try await rig.agent.geocode("nach Hause")
            #expect(answer.map(\.item.coordinate?.latitude) == [52.5163])
            #expect(try await rig.hunch("places").output().contains("home"))
            _ = try await rig.hunch("forget", "--place", "Oma", "--yes").output()
            _ = try await rig.hunch("places", "set", "Hut", "Zzyzx Road 1, Nowhere").output()
            let words = try await route(rig, "hut")
            #expect(words.destination.query == "Zzyzx Road 1, Nowhere" && words.destination.coordinate == nil)
            #expect(try await rig.hunch("places", "remove", "hut").status == .exited(0))
            #expect(try await rig.agent.ownPlaces().keys.sorted() == ["home", "work"])
            #expect(try await rig.hunch("places", "remove", "arbeit").status == .exited(0))
            let again = try await rig.hunch("places", "remove", "work")
            #expect(again.status == .exited(1) && again.standardError.contains("there is no place “work”"))
            #expect(try await rig.hunch("places", "set", "12", "50,7").status == .exited(2))
        }
    }

    @Test("A home of which only the town is known is kept as words in that town")
    func addressInTown() async throws {
        try await withAgent { rig, _ async throws in
            let row = "1\tBerlin\tBerlin\t\t52.52\t13.41\tP\tPPLC\tDE\t\t16\t\t\t\t3400000\t\t10\tEtc/UTC\t2024-01-01"
            let dump = try rig.home.directory.write(row, to: "towns.txt")
            #expect(try await rig.hunch("gazetteer", "import", dump).status == .exited(0))
            let home = try await rig.hunch("places", "set", "home", "Torstraße 1, Berlin").output()
            #expect(home.hasPrefix("home is “Torstraße 1, Berlin”; only its town is known here, Berlin"), "\(home)")
            let words = try await route(rig, "home")
            #expect(words.destination.query == "Torstraße 1, Berlin" && words.destination.coordinate == nil)
            let shown = try await rig.hunch(
                "directions", "nach Hause", "--by", "bus", "--regions", "\(Surroundings.packageRoot)/Regions")
            #expect(shown.status == .exited(0) && shown.standardError.contains("only Berlin, "), "\(shown)")
            #expect(shown.standardOutput.contains("Torstra%C3%9Fe"), "\(shown)")
        }
    }

    @Test("Only the user names places, and sandboxed apps do not learn them")
    func confined() async throws {
        try await withAgent { rig, _ async throws in
            _ = try await rig.hunch("places", "set", "home", "52.5163,13.3777").output()
            try await withBusProxy(to: rig.bus, ["--talk=org.hunch.Agent1"]) { address in
                let loop = try EventLoop()
                try loop.start()
                defer { loop.stop() }
                let stranger = try await HunchAgent(on: loop, address: BusAddress(address))
                let read = await #expect(throws: DBusError.self) { try await stranger.ownPlaces() }
                #expect(read?.name == .accessDenied)
                let set = await #expect(throws: DBusError.self) {
                    try await stranger.setOwnPlace(MapItem(query: "x"), named: "home")
                }
                #expect(set?.name == .accessDenied)
                let found = (try? await stranger.geocode("home")) ?? []
                #expect(!found.contains { $0.item.coordinate?.latitude == 52.5163 })
                await stranger.connection.close()
            }
        }
    }

    @Test("Words for time and mode are kept and shown")
    func journey() async throws {
        try await withAgent { rig, _ async throws in
            let shown = try await rig.hunch("directions", "52.4,13.05 by bike tomorrow at 9")
            #expect(shown.standardError.contains("by bike, tomorrow, 09:00"))
            let route = try await route(rig, "morgen um 9 Uhr mit dem Zug nach 52.4,13.05")
            #expect(route.request.contains("by=train") && route.request.contains("depart="))
            #expect(try await self.route(rig, "52.4,13.05", "--arrive", "tomorrow 18:00").request.contains("arrive="))
            let fault = try await rig.hunch("directions", "52.4,13.05", "--depart", "sometime")
            #expect(fault.status == .exited(2))
        }
    }

    @Test("A common noun without a position never leads to a town of that name")
    func noun() async throws {
        try await withAgent { rig, _ async throws in
            for word in ["airport", "cinema", "Apotheke", "Zoo", "school"] {
                let route = try await route(rig, word)
                #expect(route.destination.coordinate == nil && route.destination.query == word, "\(word)")
                let shown = try await rig.hunch("directions", word)
                #expect(shown.standardError.contains("“\(word)” may be anywhere"), "\(word)")
            }
        }
    }
}
