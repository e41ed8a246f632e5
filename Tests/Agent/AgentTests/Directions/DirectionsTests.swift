import Agent
import Services
import AgentInterface
import FoundationEssentials
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct DirectionsTests {
    private static let tower = "geo:48.8584,2.2945"

    private func codes(_ excluded: [VariantMap]) throws -> [String: Set<String>] {
        var codes: [String: Set<String>] = [:]
        for app in excluded {
            codes[try app.require("app"), default: []].insert(try app.require("reason"))
        }
        return codes
    }

    private static let towerItem: VariantMap = ["latitude": .double(48.8584), "longitude": .double(2.2945)]

    @Test(
        arguments: [
            ["uri": .string("geo:48.8584,2.2945")], ["uri": .string("48.8584, 2.2945")],
            ["uri": .string("directions:?to=48.8584,2.2945")], ["destination": towerItem.dbusValue],
        ] as [VariantMap])
    func `A place with coordinates needs no gazetteer`(request: VariantMap) async throws {
        try await withAgent { rig, _ in
            try rig.installMapApp()
            try rig.cover("org.example.paris", name: "Paris Buses")
            try rig.cover("org.example.oslo", name: "Oslo Buses", "[[10,59],[11,59],[11,60],[10,60],[10,59]]")
            let answer = try await rig.suggest(request)
            let destination: VariantMap = try answer.resolved.require("destination")
            #expect(try destination.value("latitude") == 48.8584)
            #expect(try destination.value("longitude") == 2.2945)
            #expect(try answer.resolved.value("ambiguous") == false)
            #expect(answer.resolved["candidates"] == nil)

            let offered = try await rig.agent.suggestions()
            #expect(Set(offered.map(\.id)) == Set(answer.suggestions.map(\.lastElement)))
            #expect(offered.contains { $0.application == "org.example.Maps" && $0.kind == "directions" })
            #expect(offered.contains { $0.applicationName == "Paris Buses" && $0.application == "org.example.paris" })
            #expect(offered.allSatisfy { (0...1).contains($0.score) && $0.state == "offered" })
            let oslo = try #require(answer.excluded.first { try $0.value("app") == "org.example.oslo" })
            #expect(try oslo.value("reason") == "outsideCoverage")
            #expect(try oslo.value("end") == "destination")
            #expect(try oslo.value("name") == "Oslo Buses")
            let message: String = try oslo.require("message")
            #expect(message.contains("destination"))
        }
    }

    @Test("The apps that are left out are said on request", arguments: [nil, false, true])
    func explain(isRequested: Bool?) async throws {
        try await withAgent { rig, _ in
            try rig.installMapApp()
            try rig.cover("org.example.oslo", name: "Oslo Buses", "[[10,59],[11,59],[11,60],[10,60],[10,59]]")
            var query = DirectionsQuery(uri: Self.tower)
            query.explain = isRequested
            let answer = try await rig.agent.suggestDirections(query)
            #expect(!answer.suggestions.isEmpty)
            #expect(answer.excluded.contains { $0.app == "org.example.oslo" } == (isRequested == true))
            #expect(answer.excluded.isEmpty == (isRequested != true))
        }
    }

    @Test func `Travel modes exclude apps that do not serve them`() async throws {
        try await withAgent { rig, _ in
            try rig.installMapApp()
            try rig.cover("org.example.paris", name: "Paris Buses")
            let answer = try await rig.suggest([
                "uri": .string(Self.tower), "modes": ["bus"].dbusValue,
            ])
            let names = try await rig.agent.suggestions().map(\.application)
            #expect(names.contains("org.example.paris"))
            #expect(!names.contains("org.example.Maps"))
            #expect(try codes(answer.excluded)["org.example.Maps"] == ["modeUnsupported"])
        }
    }

    @Test func `A route needs both ends in one coverage`() async throws {
        try await withAgent { rig, _ in
            try rig.cover("org.example.paris", name: "Paris Buses")
            let oslo: VariantMap = ["latitude": .double(59.9), "longitude": .double(10.7)]
            let answer = try await rig.suggest([
                "uri": .string(Self.tower), "source": oslo.dbusValue,
            ])
            let left = try #require(answer.excluded.first { try $0.value("app") == "org.example.paris" })
            #expect(try left.value("end") == "source")
            let source: VariantMap = try answer.resolved.require("source")
            #expect(try source.value("latitude") == 59.9)
        }
    }

    @Test func `A new gazetteer is used without a restart`() async throws {
        try await withAgent { rig, _ in
            try rig.installMapApp()
            let text: VariantMap = ["uri": .string("Sydney")]
            for call in [
                { (rig: AgentRig) in _ = try await rig.agent.geocode("Sydney") },
                { _ = try await $0.agent.reverseGeocode(latitude: 48.8, longitude: 2.3) },
            ] as [@Sendable (AgentRig) async throws -> Void] {
                let refusal = try #require(try await rig.refusal(call))
                #expect(refusal.name == .noGazetteer)
                #expect(refusal.message.contains("hunch gazetteer"), "\(refusal.message)")
            }
            #expect(try await rig.agent.status().part("gazetteer")?.state == "none")
            let words = try await rig.suggest(text)
            #expect(try words.resolved.value("certain") == false)
            #expect(try await rig.agent.suggestions().contains { $0.title == "Search for Sydney" })

            try await rig.importPlaces()
            #expect(try await rig.agent.status().part("gazetteer")?.state == "installed")
            let answer = try await rig.suggest(text)
            let destination: VariantMap = try answer.resolved.require("destination")
            let latitude: Double = try destination.require("latitude")
            #expect(abs(latitude + 33.88) < 0.1)
            #expect(try await rig.agent.suggestions().contains { $0.title.contains("Sydney") })
        }
    }

    @Test("A clicked position is named after a town nearby")
    func bare() async throws {
        try await withAgent { rig, _ in
            try rig.installMapApp()
            try await rig.importPlaces()
            _ = try await rig.suggest(["uri": .string(Self.tower), "ask": .string("never")])
            let titles = try await rig.agent.suggestions().map(\.title)
            #expect(Set(titles) == ["Get directions to a place near Paris"])
            let ocean = try await rig.suggest(["uri": .string("geo:0.5,-140.25"), "ask": .string("never")])
            let shown = try await rig.agent.suggestions().filter { $0.id == ocean.suggestions.first?.lastElement }
            #expect(shown.map(\.title) == ["Get directions to 0.5, -140.25"])
        }
    }

    @Test func `Unknown places are asked online if that is allowed`() async throws {
        try await withAgent { rig, _ in
            try rig.installMapApp()
            try await rig.importPlaces()
            let text: VariantMap = ["uri": .string("Berlin")]
            func isCertain() async throws -> Bool? {
                try await rig.suggest(text).resolved.value("certain")
            }
            try await withGeocodingService(in: rig.home) { server, url in
                let program = Command(
                    try builtProduct("hunch-geocoder-online"), environment: rig.environment,
                    ready: .busName(HunchNames.onlineGeocoder.text, on: rig.bus))
                try await withDaemon(program) { _ in
                    #expect(try await isCertain() == false)
                    #expect(!server.output.contains("Berlin"))

                    _ = try await rig.hunch("online", "enable", "--url", "\(url)/ok").output()
                    let answer = try await rig.suggest(text)
                    let destination: VariantMap = try answer.resolved.require("destination")
                    #expect(try destination.value("latitude") == 52.5 && destination.value("longitude") == 13.4)
                    let places = try await rig.agent.geocode("Berlin")
                    #expect(places.first?.match.isCertain == true)
                    #expect(places.first?.match.attribution?.contains("OpenStreetMap") == true)
                    // Found in the gazetteer, or no place.
                    #expect(try await rig.agent.geocode("Sydney").first?.match.attribution == nil)
                    #expect(try await rig.refusal { _ = try await $0.agent.geocode("Zoom Meeting") } != nil)
                    #expect(!server.output.contains("Sydney") && !server.output.contains("Zoom"))

                    _ = try await rig.hunch("online", "enable", "--url", "\(url)/503").output()
                    let busy = try await rig.refusal { _ = try await $0.suggest(text) }
                    #expect(busy?.message.contains("the online lookup failed") == true, "\(busy?.message ?? "")")
                    let link: VariantMap = ["uri": .string("https://maps.app.goo.gl/abc")]
                    let refused = try await rig.refusal { _ = try await $0.suggest(link) }
                    #expect(refused?.message.contains("hunch online enable --links") == true)
                }
            }
        }
    }

    @Test func `An ambiguous name lists the other candidates`() async throws {
        try await withAgent { rig, _ in
            try rig.installMapApp()
            try await rig.importPlaces()
            let answer = try await rig.suggest(["uri": .string("Paris")])
            let candidates: [VariantMap] = try answer.resolved.require("candidates")
            #expect(candidates.count == 2)
            #expect(try candidates.allSatisfy { try (0...1).contains($0.require("confidence", as: Double.self)) })
            #expect(try answer.resolved.value("ambiguous") == true)
            #expect(try answer.resolved.value("certain") == false)
            // The likeliest place is not chosen; an app gets the words.
            let destination: VariantMap = try answer.resolved.require("destination")
            #expect(destination["latitude"] == nil)
            #expect(try await rig.agent.suggestions().allSatisfy { $0.title == "Search for Paris" })

            let places = try await rig.agent.geocode("Paris")
            #expect(places.map(\.item.address?.countryCode) == ["FR", "US"])
            #expect(places.allSatisfy { $0.match.isCertain == false })
            #expect(try await rig.agent.geocode("Paris", limit: 1).count == 1)
            #expect(try await rig.agent.geocode("Atlantis").isEmpty)
            let nearest = try await rig.agent.reverseGeocode(latitude: -33.9, longitude: 151.2)
            #expect(nearest.map(\.item.name) == ["Sydney"])
            let distance = try #require(nearest.first?.match.distance)
            #expect(distance > 0 && distance < 5_000)
        }
    }

    @Test func `Invalid requests get an error name and a message`() async throws {
        try await withAgent { rig, _ in
            try await rig.importPlaces()
            let lone: VariantMap = ["latitude": .double(1)]
            let pole: VariantMap = ["latitude": .double(91), "longitude": .double(0)]
            let long: VariantMap = ["name": .string(String(repeating: "x", count: 5_000))]
            let cases: [(VariantMap, DBusError.Name, String)] = [
                ([:], .invalidArgs, "uri"),
                (["uri": .uint32(1)], .invalidArgs, "uri"),
                (["uri": .string("geo:1,2"), "modes": .uint32(1)], .invalidArgs, "modes"),
                (["uri": .string("geo:1,2"), "source": .string("here")], .invalidArgs, "source"),
                (["destination": lone.dbusValue], .invalidArgs, "longitude"),
                (["destination": pole.dbusValue], .invalidInput, "latitude"),
                (["destination": long.dbusValue], .invalidInput, "4096"),
                (["uri": .string("geo:1,2"), "modes": ["teleport"].dbusValue], .invalidInput, "pedestrian"),
                (["uri": .string("geo:91,0")], .invalidInput, "latitude"),
                (["uri": .string("https://example.com/place")], .invalidInput, "coordinates"),
                (["uri": .string("")], .invalidInput, ""),
                (["uri": .string("?!")], .invalidInput, ""),
            ]
            for (request, name, word) in cases {
                let answer = try await rig.refusal { _ = try await $0.suggest(request) }
                let refusal = try #require(answer, "\(request)")
                #expect(refusal.name == name, "\(request): \(refusal)")
                #expect(refusal.message.lowercased().contains(word), "\(request): \(refusal)")
            }
            let wrong = try await rig.refusal { rig in
                let () = try await rig.root.call(HunchNames.directions, "Suggest", "geo:1,2")
            }
            #expect(wrong?.name == .invalidArgs)
            #expect(try await rig.agent.suggestions().isEmpty)
        }
    }

    @Test func `Accepting opens the app with its own link, once`() async throws {
        try await withAgentInside { rig in
            try rig.installMapApp()
            _ = try await rig.suggest(["uri": .string(Self.tower)])
            let offered = try await rig.agent.suggestions()
            let maps = try #require(offered.first { $0.application == "org.example.Maps" })
            let reasons = try await rig.agent.explain(maps.id).explanation.texts
            #expect(!reasons.isEmpty)

            let agent = rig.agent
            let results = await withTaskGroup(of: DBusError?.self) { group in
                for _ in 1...4 {
                    group.addTask {
                        do {
                            try await agent.accept(maps.id, activationToken: "token-1")
                            return nil
                        } catch {
                            return error as? DBusError
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(results.filter { $0 == nil }.count == 1)
            #expect(results.compactMap { $0?.name }.allSatisfy { [.notOffered, .unknownObject].contains($0) })
            #expect(
                try await rig.started("org.example.Maps")
                    == ["geo:48.8584,2.2945?from=org.example.Maps", "token=token-1"])
            #expect(try await !rig.agent.suggestions().contains { $0.id == maps.id })
            let again = try await rig.refusal { try await $0.agent.accept(maps.id) }
            #expect(again?.name == .unknownObject)
            // Hunch is not enabled, so the accepted suggestion is not recorded.
            #expect(try StoreFile(home: rig.home).counts().values.allSatisfy { $0 == 0 })
        }
    }

    @Test func `A web service opens in the browser and is recorded`() async throws {
        try await withAgentInside { rig in
            try await rig.agent.enable()
            try rig.cover("org.example.paris", name: "Paris Buses")
            try rig.installApp("org.example.Browser", "MimeType=x-scheme-handler/https;\n")
            try rig.home.directory.write(
                "[Default Applications]\nx-scheme-handler/https=org.example.Browser.desktop\n",
                to: "config/mimeapps.list")
            _ = try await rig.suggest(["uri": .string(Self.tower)])
            let buses = try #require(
                try await rig.agent.suggestions().first { $0.application == "org.example.paris" })
            try await rig.agent.accept(buses.id)
            #expect(
                try await rig.started("org.example.Browser") == ["https://example.org/48.8584/2.2945", "token="])
            #expect(try StoreFile(home: rig.home).outcomes() == ["shown", "accepted"])
        }
    }

    @Test("A plain geo: handler gets the whole link")
    func plainHandler() async throws {
        try await withAgentInside { rig in
            try rig.installApp("org.example.Plain", "MimeType=x-scheme-handler/geo;\n")
            try rig.installApp("org.example.Dead", exec: "", "MimeType=x-scheme-handler/geo;\n")
            let link = "geo:48.8584,2.2945;u=35?q=48.8584,2.2945(Tour%20Eiffel)&z=17"
            _ = try await rig.suggest([
                "uri": .string(link), "departure": .uint64(1_769_882_400_000_000), "modes": ["car"].dbusValue,
                "limit": .uint32(64),
            ])
            let offered = try await rig.agent.suggestions()
            #expect(!offered.contains { $0.application == "org.example.Dead" })
            let plain = try #require(offered.first { $0.application == "org.example.Plain" })
            #expect(plain.title == "Show Tour Eiffel")
            #expect(plain.subtitle == "its link cannot carry the time and the mode")
            try await rig.agent.accept(plain.id)
            #expect(try await rig.started("org.example.Plain").first == link)
        }
    }

    @Test("An app that fails to open is reported and can be retried")
    func cannotBeOpened() async throws {
        try await withAgentInside { rig in
            try rig.installMapApp()
            _ = try await rig.suggest(["uri": .string(Self.tower)])
            let maps = try #require(
                try await rig.agent.suggestions().first { $0.application == "org.example.Maps" })
            try FileManager.default.removeItem(atPath: rig.home.directory.file("bin/org.example.Maps"))
            let refusal = try await rig.refusal { try await $0.agent.accept(maps.id) }
            #expect(refusal?.name == .actionFailed)
            #expect(refusal?.message.isEmpty == false)
            #expect(try await rig.agent.suggestions().contains { $0.id == maps.id })
        }
    }

    @Test func `Dismissing and disabling withdraw suggestions`() async throws {
        try await withAgentInside { rig in
            try rig.installMapApp()
            try await rig.agent.enable()
            let answer = try await rig.suggest(["uri": .string(Self.tower)])
            let first = try #require(answer.suggestions.first).lastElement
            try await rig.agent.dismiss(first, reason: "not-now")
            #expect(try await rig.agent.suggestions().count == answer.suggestions.count - 1)
            try await rig.agent.disable()
            #expect(try await rig.agent.suggestions().isEmpty)
        }
    }

    @Test func `Suggestions expire by themselves`() async throws {
        try await withTemporaryHome { home in
            try await withPrivateBus { bus in
                try await withAgentInside(
                    on: bus, in: home, configure: { $0.offerTime = .milliseconds(300) }
                ) { rig in
                    try rig.installMapApp()
                    let answer = try await rig.suggest(["uri": .string(Self.tower)])
                    #expect(!answer.suggestions.isEmpty)
                    try await rig.waitForSuggestions("the last suggestion going") { $0.isEmpty ? () : nil }
                    let late = try await rig.refusal {
                        try await $0.agent.accept(answer.suggestions[0].lastElement)
                    }
                    #expect(late?.name == .unknownObject)
                }
            }
        }
    }

    @Test func `Directions that answer a request are not listed as suggestions`() async throws {
        try await withAgent { rig, _ in
            try rig.installMapApp()
            try await rig.agent.enable()
            _ = try await rig.suggest(["uri": .string(Self.tower)])
            _ = try await rig.hunch("handler", "open", Self.tower).output()
            #expect(try await rig.started("org.example.Maps").first?.hasPrefix("geo:48.8584,2.2945") == true)
            let listed = try await rig.hunch("suggestions")
            #expect(listed.status == .exited(1) && listed.standardOutput.isEmpty, "\(listed)")
            // Both answers are still on the bus for the programs that asked.
            let answers = try await rig.agent.suggestions()
            #expect(!answers.isEmpty && answers.allSatisfy { $0.isRequested })
            let all = try await rig.hunch("suggestions", "--all", "--json").output()
            #expect(all.split(separator: "\n").count == answers.count)
        }
    }
}
