import AgentInterface
import FoundationEssentials
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

@testable import Agent
@testable import PersonalStores
@testable import Services
@testable import hunch

/// The data that each feature writes down when apps and people use it. Forgetting removes it from all files.
@Suite("Data of features", .timeLimit(.minutes(15))) struct FeatureDataTests {
    /// The app that does everything.
    private static let app: AppID = "org.example.Radio"
    private static let spot = (latitude: 48.137, longitude: 11.575)

    /// One feature's data. Its texts contain ``word``.
    private struct Plant: Sendable {
        let feature: String
        /// Which of the feature's data it is, if it has several kinds.
        var of = ""
        /// The scopes that concern it, besides everything, the app and the last minutes.
        var scopes: Set<String> = []
        /// Whether it belongs to the app. The user's own does not.
        var isOfApp = true
        /// Whether it stays until its app removes it, however old it is.
        var isContent = false
        let add: @Sendable (MediaScene, HunchAgent, _ word: String) async throws -> Void

        var word: String { "leave" + (feature + of).filter(\.isLetter) }
    }

    /// The features that write down nothing themselves, and why.
    private static let others = [
        "recent places": "it reads the places of others",
        "learned suggestions": "its donations are those of the apps that it opened",
        "indexing": "it asks apps",
        "popularity": "its reports are random bits",
        "desktop search": "it remembers results in memory for a minute",
    ]

    private static let plants = [
        Plant(feature: "donations", scopes: ["group"]) { _, client, word in
            let read = Donation(
                application: "", kind: .openItem, parameters: ["uri": "https://radio.example/\(word)", "title": word],
                date: Date(), identifier: word, group: "group of \(word)")
            let results = try await client.donate([read])
            guard results == [.accepted] else { throw BenchError("\(results)") }
        },
        Plant(feature: "donations", of: "announcements") { _, client, word in
            try await client.setUpcoming([Announcement(item: "next \(word)", title: word)])
            try await client.setRelevant([Announcement(item: "now \(word)", title: word)])
        },
        Plant(feature: "activities", scopes: ["place"]) { scene, client, word in
            let place = MapItem(name: word, coordinate: try Coordinate(latitude: 37.79, longitude: -122.39))
            let page: VariantMap = [
                "type": .string("org.example.page"), "title": .string(word), "place": place.transfer.dbusValue,
                "content": .string("page \(word)"), "search": .boolean(true),
            ]
            let path: ObjectPath = try await client.connection.call(
                HunchNames.agent, HunchNames.root, HunchNames.activities, "BecomeCurrent", page)
            try await scene.rig.waitForFile(with: word)
            let () = try await client.connection.call(HunchNames.agent, path, HunchNames.activity, "Invalidate")
        },
        Plant(feature: "search", isContent: true) { scene, client, word in
            let note = SearchableItem(id: "note \(word)", domain: word, attributes: ["title": .text("\(word) jam")])
            try await SearchableIndex("notes", on: client).add([note])
            let found = try await scene.rig.agent.find(HunchAgent.Search("\(word) jam"))
            guard let first = found.first else { throw BenchError("the note is not found") }
            let _: String = try await scene.rig.root.call(
                HunchNames.index, "Open", first.id, ["query": .string(word)] as VariantMap)
        },
        Plant(feature: "appointments", scopes: ["place"], isOfApp: false) { scene, _, word in
            let table = CalendarEvent(
                title: "Table at \(word)", start: Date() + 7 * 86_400,
                place: MapItem(name: word, coordinate: try Coordinate(latitude: 48.83, longitude: 2.25)),
                webPageURL: "https://\(word).example/1", reservation: "FoodEstablishmentReservation")
            _ = try await scene.rig.agent.addReservation(table)
        },
        Plant(feature: "directions", scopes: ["place"], isOfApp: false) { scene, _, word in
            let place = MapItem(
                name: word, coordinate: try Coordinate(latitude: spot.latitude, longitude: spot.longitude))
            let answer = try await scene.rig.agent.suggestDirections(DirectionsQuery(destination: place))
            guard let first = answer.suggestions.first else { throw BenchError("no app is suggested") }
            try await scene.rig.agent.accept(first.text.split(separator: "/").last.map(String.init) ?? "")
        },
        Plant(feature: "documents") { scene, _, word in
            let path = try scene.rig.home.directory.write("", to: "Documents/\(word).ogg")
            try await eventually("the opened document", because: "nothing tells that the list is watched") {
                try scene.rig.writeRecentDocuments([path], at: Date(), command: "\(app) %u")
                return try scene.rig.hasFile(with: word) ? () : nil
            }
        },
        Plant(feature: "media", scopes: ["device"]) { scene, client, word in
            let cover = try scene.rig.home.directory.write(
                ResumeTests.picture + Array(word.utf8), to: "covers/\(word).png")
            try await scene.putOn()
            let radio = try await RadioPlayer(on: client.connection)
            try await radio.play(word, artwork: "file://" + cover)
            try await scene.rig.waitForFile(with: word)
            try await scene.takeOff()
            try await radio.pause()
        },
    ]

    @Test("Every feature has a plant here, or writes down nothing")
    func completeness() async throws {
        let reached = Watched<Agent?>(nil)
        try await withTemporaryHome { home in
            try await withPrivateBus { bus in
                try await withAgentInside(on: bus, in: home, reach: { agent in reached.update { $0 = agent } }) { _ in
                    // The command forgets the same without an agent.
                    let stores = try await #require(reached.state).privacy.stores.map(\.title)
                    let unused = Forgetting(environment: home.environment).stores(home.directory.file("h"))
                    #expect(unused.map(\.title) == stores)
                }
            }
        }
        let names = try #require(reached.state).features.map { type(of: $0).name }
        #expect(Set(names).count == names.count)
        #expect(Set(names) == Set(Self.plants.map(\.feature)).union(Self.others.keys))
    }

    /// A way to forget, and which plants it concerns.
    private static let scopes: [(name: String, arguments: [String], concerns: @Sendable (Plant) -> Bool)] = [
        ("all", ["--all"], { _ in true }),
        ("app", ["--app", app.rawValue], { $0.isOfApp }),
        ("minutes", ["--last", "1h"], { _ in true }),
        ("device", ["--device", "WH-1000"], { $0.scopes.contains("device") }),
    ]

    @Test(
        "What features wrote down is in no file after it is forgotten",
        arguments: ["all", "app", "minutes", "device"])
    func forgetting(name: String) async throws {
        let scope = try #require(Self.scopes.first { $0.name == name })
        try await planted(Self.plants.filter(scope.concerns)) { scene, _ in
            _ = try await run(
                builtProduct("hunch"), ["forget", "--yes"] + scope.arguments, environment: scene.rig.environment
            ).output()
        }
    }

    @Test("What features wrote down is in no file once it is older than data is kept")
    func age() async throws {
        let lapse = Watched(0.0)
        try await planted(Self.plants.filter { !$0.isContent }, now: { Date() + lapse.state }) { scene, _ in
            lapse.update { $0 = 9 * 86_400 }
            try await scene.rig.agent.setRetention(days: 1)
        }
    }

    @Test("A forgotten place is in no file", arguments: plants.filter { $0.scopes.contains("place") }.map(\.feature))
    func place(feature: String) async throws {
        let plants = Self.plants.filter { $0.feature == feature }
        try await planted(plants) { scene, _ in
            _ = try await scene.rig.hunch("forget", "--yes", "--place", plants[0].word).output()
        }
    }

    @Test("A group that its app deletes is in no file")
    func group() async throws {
        let plants = Self.plants.filter { $0.scopes.contains("group") }
        try await planted(plants) { _, client in
            for plant in plants {
                let deleted = try await client.deleteDonations(groups: ["group of \(plant.word)"])
                #expect(deleted == 1)
            }
        }
    }

    /// Plants, checks that everything is in a file, calls `forget`, and checks that nothing of it is left.
    private func planted(
        _ plants: [Plant], now: @escaping @Sendable () -> Date = { Date() },
        forget: nonisolated(nonsending) (MediaScene, HunchAgent) async throws -> Void
    ) async throws {
        let client = Watched<BusName?>(nil)
        try await withMediaScene(played: []) { home in
            try home.directory.write(
                "[Desktop Entry]\nType=Application\nName=Radio\nExec=true %u\nMimeType=audio/ogg;\n",
                to: "data/applications/\(Self.app).desktop")
        } configure: {
            $0.now = now
            $0.leaveTime = .milliseconds(1)
            $0.openedTime = 0
            $0.identify = { call in
                guard call.sender == client.state else { return try await call.caller() }
                return CallerIdentity(
                    name: call.sender, application: Self.app.rawValue, confinement: .unsandboxed)
            }
        } _: { scene in
            try scene.rig.installMapApp()
            for category in ["files", "calendar"] {
                try await scene.rig.agent.setCategory(category, isRecorded: true)
            }
            try await withClient(of: scene.rig.bus) { app in
                client.update { [name = await app.connection.uniqueName] in $0 = name }
                for plant in plants {
                    try await plant.add(scene, app, plant.word)
                    #expect(try scene.rig.hasFile(with: plant.word), "\(plant.feature) has written down nothing")
                }
                try await forget(scene, app)
                let left = try Planted.found(plants.map(\.word), in: scene.rig.home).mapValues {
                    $0.filter { $0.contains("/hunch/") }
                }
                #expect(left.filter { !$0.value.isEmpty } == [:])
            }
        }
    }
}

extension AgentRig {
    /// Whether a word is in a file of Hunch.
    fileprivate func hasFile(with word: String) throws -> Bool {
        try Planted.found([word], in: home)[word]?.contains { $0.contains("/hunch/") } == true
    }

    fileprivate func waitForFile(with word: String) async throws {
        try await eventually("“\(word)” in a file", because: "files tell nobody") { try hasFile(with: word) ? () : nil }
    }
}
