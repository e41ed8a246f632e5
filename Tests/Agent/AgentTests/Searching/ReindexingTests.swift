import AgentInterface
import FoundationEssentials
import Glibc
import HunchDBus
import HunchKit
import HunchModel
import SearchIndexes
import TestSupport
import Testing

@testable import Agent
@testable import Services
@testable import SearchServices
@testable import Learning

/// Apps that are asked for the content that the index does not have.
@Suite("Reindexing", .timeLimit(.minutes(15))) struct ReindexingTests {
    private static let guide = ActivityScene.guide
    private static let entry =
        "[Desktop Entry]\nType=Application\nName=Guide\nExec=/bin/false\nDBusActivatable=true\nImplements="

    private static func note(_ id: String, expiry: Date? = nil) -> SearchableItem {
        SearchableItem(id: id, attributes: ["title": .text("Note \(id)")], expiry: expiry)
    }

    /// An app that serves the delegate, records how it is asked, and indexes two notes.
    private func serve(_ app: ActivityApp, fails: Bool = false) async throws -> (ObjectServer, Watched<[String]>) {
        let asked = Watched<[String]>([])
        let server = await ObjectServer(on: app.connection)
        let index = SearchableIndex("notes", on: app.agent)
        try await server.export(
            "/org/example/Guide",
            [
                ExportedInterface(
                    HunchNames.indexDelegate,
                    [
                        .method("ReindexAll", arguments: ["index", "options"]) {
                            (_, name: String, options: VariantMap) async throws -> Void in
                            if !fails {
                                try await index.change(
                                    .init(deletesAll: true, adding: ["1", "2"].map { Self.note($0) }))
                            }
                            let reason: String = try options.require("reason")
                            asked.update { $0.append("all \(name) \(reason)") }
                            if fails { throw DBusError(.failed, "the notes are locked") }
                        },
                        .method("ReindexItems", arguments: ["index", "ids", "options"]) {
                            (_, name: String, identifiers: [String], options: VariantMap) async throws -> Void in
                            let reason: String = try options.require("reason")
                            asked.update { $0.append("\(identifiers.joined(separator: ",")) \(name) \(reason)") }
                        },
                    ])
            ])
        _ = try await app.connection.requestName(BusName(Self.guide.rawValue))
        return (server, asked)
    }

    private func install(_ scene: ActivityScene, _ interface: String = "org.hunch.IndexDelegate1;") throws {
        try scene.rig.home.directory.write(
            Self.entry + interface + "\n", to: "data/applications/\(Self.guide).desktop")
    }

    private func waitForItems(_ app: ActivityApp, _ count: Int) async throws {
        try await eventually("\(count) items", because: "an app is told of no changes of its index") {
            try await app.agent.find(.init("note")).count == count ? () : nil
        }
    }

    private func deleteIndex(_ scene: ActivityScene) throws {
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file(scene) + suffix) }
    }

    private func file(_ scene: ActivityScene) -> String { scene.rig.home.directory.file("state/hunch/index.sqlite") }

    @Test("An app is asked once for its content, and again when the file is gone")
    func losses() async throws {
        try await withActivityAgent(configure: { $0.indexingDelay = .milliseconds(1) }) { scene in
            try await scene.withApp { guide in
                let (server, asked) = try await serve(guide)
                try install(scene)
                #expect(try await scene.rig.agent.rebuildIndex() == [Self.guide])
                try await asked.wait { $0.isEmpty ? nil : () }
                try await waitForItems(guide, 2)
                let before = asked.state.count
                try deleteIndex(scene)
                #expect(try await guide.agent.find(.init("note")).isEmpty)
                try await asked.wait { $0.count > before ? () : nil }
                try await waitForItems(guide, 2)
                #expect(asked.state.last == "all  missing")
                withExtendedLifetime(server) {}
            }
        }
    }

    @Test("A search does not wait for a change")
    func parallel() async throws {
        try await withTemporaryHome { home in
            let keeper = IndexKeeper(
                AgentConfiguration(environment: home.environment), ThreadConfinement(ProblemReporter()))
            defer { keeper.close() }
            let source = IndexSource(application: Self.guide, name: "notes")
            func item(_ id: String) -> SearchableItem { SearchableItem(id: id, attributes: ["title": .text("Note")]) }
            func found() async throws -> [String]? {
                try await keeper.search { try $0.search("note", SearchOptions(now: Planted.now)).map(\.id) }
            }
            #expect(try await found() == nil)
            _ = try await keeper.use { [item = item("1")] in try $0.write([.add(item)], to: source, now: Planted.now) }
            let isFound = Watched(false)
            let isHeld = Watched(false)
            // Holds the thread for changes until the search has ended, or for 20 s.
            async let isFoundMeanwhile = keeper.use { _ in
                isHeld.update { $0 = true }
                for _ in 0..<20_000 where !isFound.state { usleep(1_000) }
                return isFound.state
            }
            try await isHeld.wait { $0 ? () : nil }
            #expect(try await found() == ["1"])
            isFound.update { $0 = true }
            #expect(try await isFoundMeanwhile)
            // Added items are found at once.
            _ = try await keeper.use { [item = item("2")] in try $0.write([.add(item)], to: source, now: Planted.now) }
            #expect(try await found() == ["2", "1"])
        }
    }

    @Test("The loss of the file is reported once")
    func reports() async throws {
        try await withTemporaryHome { home in
            let keeper = IndexKeeper(
                AgentConfiguration(environment: home.environment), ThreadConfinement(ProblemReporter()))
            defer { keeper.close() }
            let losses = keeper.losses()
            _ = try await keeper.use { try $0.changeCount() }
            let path = home.directory.file("state/hunch/index.sqlite")
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
            for _ in 0..<3 { #expect(try await keeper.useIfPresent { try $0.changeCount() } == nil) }
            var iterator = losses.makeAsyncIterator()
            await iterator.next()
            for _ in 0..<3 { #expect(try await keeper.useIfPresent { try $0.changeCount() } == nil) }
            #expect(try await keeper.use { try $0.changeCount() } == 0)
            let other = Task { await iterator.next() }
            other.cancel()
            #expect(await other.value == nil)
        }
    }

    @Test("An app that fails, is excluded or paused is not marked as complete")
    func refusals() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { guide in
                let none = await #expect(throws: DBusError.self) { try await scene.rig.agent.rebuildIndex() }
                #expect(none?.name == .notFound)
                let (server, asked) = try await serve(guide, fails: true)
                try install(scene)
                #expect(try await scene.rig.agent.rebuildIndex(of: Self.guide) == [Self.guide])
                try await asked.wait { $0.count == 1 ? () : nil }
                let problems = try await eventually("the problem", because: "problems are told nobody") {
                    let problems = try await scene.rig.agent.status().problems ?? []
                    return problems.isEmpty ? nil : problems
                }
                #expect(problems.contains { $0.contains("the notes are locked") }, "\(problems)")
                // The next failure takes the place of the former one.
                _ = try await scene.rig.agent.rebuildIndex(of: Self.guide)
                try await asked.wait { $0.count == 2 ? () : nil }
                try await eventually("one problem", because: "problems are told nobody") {
                    try await scene.rig.agent.status().problems?.count == 1 ? () : nil
                }
                let store = try IndexStore.openReadOnly(at: file(scene))
                #expect(try store?.completeApplications() == [])
                store?.close()
                _ = try await scene.rig.agent.exclude(Self.guide)
                let excluded = await #expect(throws: DBusError.self) {
                    try await scene.rig.agent.rebuildIndex(of: Self.guide)
                }
                #expect(excluded?.name == .notFound)
                try await scene.rig.agent.pause()
                let paused = await #expect(throws: DBusError.self) { try await scene.rig.agent.rebuildIndex() }
                #expect(paused?.name == .disabled)
                #expect(asked.state.count == 2)
                withExtendedLifetime(server) {}
            }
        }
    }

    @Test("An older copy, a damaged file and items that expire make Hunch ask")
    func copies() async throws {
        try await withTemporaryHome { home in
            try prepareEnabled(home)
            try home.directory.write(
                Self.entry + "org.hunch.IndexDelegate1;\n", to: "data/applications/\(Self.guide).desktop")
            let path = home.directory.file("state/hunch/index.sqlite")
            let source = IndexSource(application: Self.guide, name: "notes")
            do {
                let store = try IndexStore.open(at: path, language: "en")
                defer { store.close() }
                try store.setComplete(Self.guide, file: store.fileNumber())
                let soon = Date().addingTimeInterval(3_600)
                try store.write([.add(Self.note("7", expiry: soon)), .add(Self.note("8"))], to: source, now: Date())
            }
            let copy = try #require(FileManager.default.contents(atPath: path))
            func follow(
                after delay: Duration = .milliseconds(1),
                _ body: @escaping @Sendable (Watched<[String]>, AgentRig) async throws -> Void
            ) async throws {
                try await withPrivateBus { bus in
                    try await withClient(of: bus) { client in
                        let (server, asked) = try await serve(ActivityApp(agent: client))
                        try await withAgentInside(
                            on: bus, in: home,
                            configure: {
                                $0.indexingDelay = delay
                                $0.identify = {
                                    CallerIdentity(
                                        name: $0.sender, application: Self.guide.rawValue, confinement: .unsandboxed)
                                }
                            }
                        ) { rig in try await body(asked, rig) }
                        withExtendedLifetime(server) {}
                    }
                }
            }
            try await follow { asked, rig in
                try await asked.wait { $0.isEmpty ? nil : () }
                #expect(asked.state == ["7 notes expiring"])
                try await SearchableIndex("notes", on: rig.agent).add([Self.note("9")])
            }
            for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
            try copy.write(to: URL(filePath: path))
            try await follow(after: .seconds(11)) { asked, rig in
                // The app changes the copy before Hunch compares it.
                try await SearchableIndex("notes", on: rig.agent).add([Self.note("10")])
                try await asked.wait { $0.isEmpty ? nil : () }
                #expect(asked.state.first == "all  outdated")
            }
            for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
            try Data(repeating: 0x5A, count: copy.count).write(to: URL(filePath: path))
            try await follow { asked, rig in
                try await asked.wait { $0.isEmpty ? nil : () }
                #expect(asked.state == ["all  missing"])
                try await waitForItems(ActivityApp(agent: rig.agent), 2)
                #expect(FileManager.default.fileExists(atPath: path + ".unreadable"))
            }
        }
    }
}
