import HunchDBus
import HunchKit
import HunchModel
import Media
import Players
import TestSupport
import Testing

/// A small app with answers that the test chooses.
private actor App: PlayableContentDataSource, PlayableContentDelegate {
    var item = ContentItem(id: "a", title: "A", progress: 0.5)
    var info = NowPlayingInfo(title: "A", item: "a")
    private(set) var contexts: [PlayableContentContext] = []
    private(set) var prepared: [PlaybackContext] = []

    func answer(_ item: ContentItem, _ info: NowPlayingInfo) {
        self.item = item
        self.info = info
    }

    func childItems(of parent: ContentItem.ID?, offset: Int, limit: Int) -> [ContentItem] {
        offset == 0 && parent == nil ? [item] : []
    }

    func contentItem(_ identifier: ContentItem.ID) -> ContentItem? { identifier == item.id ? item : nil }

    func initializePlaybackQueue(_ items: [ContentItem.ID], context: PlaybackContext) throws -> NowPlayingInfo {
        prepared.append(context)
        guard items == [item.id] else { throw NothingChosen() }
        return info
    }

    func initiatePlayback(of item: ContentItem.ID, context: PlaybackContext) {}

    func contextChanged(to context: PlayableContentContext) { contexts.append(context) }
}

@Suite("Playable content service of HunchKit", .timeLimit(.minutes(15)))
struct PlayableContentServiceTests {
    private static let name: AppID = "org.example.Pod-Casts"

    /// Runs a body with an app, its service, and the content as Hunch sees it over another connection.
    private nonisolated(nonsending) func withApp(
        _ body: nonisolated(nonsending) (App, PlayableContentService, BusPlayableContent) async throws -> Void
    ) async throws {
        try await withPrivateBus { bus in
            try await withConnection(to: bus) { own in
                try await withConnection(to: bus) { connection in
                    let app = App()
                    let service = try await PlayableContentService(
                        of: Self.name, on: ObjectServer(on: own), dataSource: app, delegate: app)
                    let content = try BusPlayableContent(
                        application: Self.name, name: "Podcasts", bus: connection, service: BusName(Self.name.rawValue),
                        remembered: { _, _ in nil }, launch: { _, _ in throw BenchError("it runs") })
                    try await body(app, service, content)
                }
            }
        }
    }

    @Test("Without a requested item, the unfinished one is prepared")
    func choice() async throws {
        try await withApp { _, _, content in
            let info = try await content.initializePlaybackQueue([], context: PlaybackContext())
            #expect(info == NowPlayingInfo(title: "A", item: "a"))
        }
    }

    @Test("Changes are sent at once, and grouped within an update")
    func changes() async throws {
        try await withApp { _, service, content in
            var changes = try await content.changes().makeAsyncIterator()
            try await service.contentChanged(under: ["a"])
            try await service.beginUpdates()
            try await service.contentChanged(under: [nil, "b"])
            try await service.beginUpdates()
            try await service.contentChanged(under: ["b", "c"])
            try await service.endUpdates()
            try await service.endUpdates()
            try await service.endUpdates()
            try await service.contentChanged(under: [])
            try await service.contentChanged(under: (0..<1_000).map { "\($0)" })
            var told: [PlayableContentChange] = []
            while told.count < 5, let change = await changes.next(isolation: nil) { told.append(change) }
            #expect(
                told == [
                    .content(["a"]), .updatesBegan, .content(["", "b", "c"]), .updatesEnded, .content([""]),
                ])
        }
    }

    @Test("The app learns the context by call and before preparing")
    func context() async throws {
        try await withApp { app, service, content in
            #expect(await service.context == PlayableContentContext())
            let car = AudioDevice(id: "AA", name: "Car", kind: .car, transport: .bluetooth)
            try await content.contextChanged(to: PlayableContentContext(device: car))
            let told = await service.context
            #expect(told.areLimitsEnforced && told.isEndpointAvailable)
            #expect(await app.contexts == [told])
            _ = try await content.initializePlaybackQueue(["a"], context: PlaybackContext())
            #expect(await service.context == PlayableContentContext())
            #expect(await app.prepared.count == 1)
        }
    }

    @Test("A reply that breaks a limit is an error naming the key")
    func limits() async throws {
        try await withApp { app, _, content in
            let long = String(repeating: "x", count: 5_000)
            await app.answer(ContentItem(id: "a", title: long), NowPlayingInfo(title: "", item: "a"))
            for (key, ask) in [
                ("xesam:title", { _ = try await content.childItems(of: nil, offset: 0, limit: 1) }),
                ("xesam:title", { _ = try await content.contentItem("a") }),
                ("xesam:title", { _ = try await content.initializePlaybackQueue(["a"], context: PlaybackContext()) }),
            ] as [(String, () async throws -> Void)] {
                let error = await #expect(throws: MediaError.self) { try await ask() }
                #expect(error?.message.contains("“\(key)”") == true, "\(String(describing: error))")
            }
        }
    }

    @Test("A name of another connection is reported, and nothing is served")
    func ending() async throws {
        try await withApp { app, service, content in
            #expect(await content.isRunning)
            try await service.stop()
            #expect(await !content.isRunning)
        }
        try await withPrivateBus { bus in
            try await withConnection(to: bus) { other in
                _ = try await other.requestName(BusName(Self.name.rawValue))
                try await withConnection(to: bus) { connection in
                    let (server, app) = (await ObjectServer(on: connection), App())
                    let error = await #expect(throws: DBusError.self) {
                        _ = try await PlayableContentService(of: Self.name, on: server, dataSource: app, delegate: app)
                    }
                    #expect(error?.message.contains("another connection of this process") == true)
                    // A stopped service can be started again.
                    try await other.releaseName(BusName(Self.name.rawValue))
                    _ = try await PlayableContentService(of: Self.name, on: server, dataSource: app, delegate: app)
                }
            }
        }
    }
}
