import HunchDBus
import HunchModel
import Media
import Players
import TestSupport
import Testing

/// An implementation of playable content, and an independent observer of it.
struct ConformanceSubject {
    let content: any PlayableContent
    /// A playable item other than the one that plays or is prepared first.
    let item: ContentItem.ID
    let title: String
    /// An item that does not exist.
    let unknown: ContentItem.ID
    /// The title of the playing item, from the independent observer; `nil` while nothing plays.
    let playing: () async throws -> String?
}

/// The implementations that run the same suite.
enum Conformer: String, CaseIterable, CustomTestStringConvertible {
    case realPlayer = "mpv through MPRIS"
    case playerWithQueue = "a player with a queue through MPRIS"
    case app = "an app through PlayableContent1"

    var testDescription: String { rawValue }

    nonisolated(nonsending) func run(_ body: nonisolated(nonsending) (ConformanceSubject) async throws -> Void)
        async throws
    {
        switch self {
        case .realPlayer: try await Self.withMpvSubject(body)
        case .playerWithQueue: try await Self.withQueueSubject(body)
        case .app: try await Self.withAppSubject(body)
        }
    }

    private static var deadlines: MediaDeadlines {
        var deadlines = MediaDeadlines()
        deadlines.opening = .seconds(2)
        return deadlines
    }

    private static nonisolated(nonsending) func withMpvSubject(
        _ body: nonisolated(nonsending) (ConformanceSubject) async throws -> Void
    ) async throws {
        try await withMpv { mpv in
            try await withFollowedPlayers(on: mpv.bus) { followed in
                try await followed.player { $0.status == .paused && $0.info?.length != nil }
                let known = NowPlayingInfo(title: "three", contentURL: mpv.files[1], length: 60_000_000)
                let content = MPRISContent(
                    application: "mpv", name: "mpv", players: followed.players, deadlines: deadlines,
                    remembered: { item, _ in item == nil || item == known.contentURL ? known : nil },
                    launch: { _, _ in throw BenchError("it runs") })
                try await body(
                    ConformanceSubject(
                        content: content, item: mpv.files[1], title: "three", unknown: "file:///nonexistent.wav"
                    ) {
                        // mpv gives the name of the file for the title that it lacks.
                        try await mpv.playing()?.replacing(".wav", with: "")
                    })
            }
        }
    }

    private static nonisolated(nonsending) func withQueueSubject(
        _ body: nonisolated(nonsending) (ConformanceSubject) async throws -> Void
    ) async throws {
        var manner = FakePlayer.Manner()
        manner.hasTrackList = true
        manner.opening = .nothing
        let tracks = (1...30).map { FakePlayer.Track(url: "file:///music/\($0).ogg", title: "Track \($0)") }
        let known = NowPlayingInfo(title: "Track 7", contentURL: "file:///music/7.ogg")
        try await withPrivateBus { bus in
            try await withFollowedPlayers(on: bus) { followed in
                try await withFakePlayer(on: bus, manner, tracks: tracks) { fake in
                    try await fake.set(.paused)
                    try await followed.player { $0.status == .paused }
                    let content = MPRISContent(
                        application: "fake", name: "Fake", players: followed.players, deadlines: deadlines,
                        remembered: { item, _ in item == known.contentURL ? known : nil },
                        launch: { _, _ in throw BenchError("it runs") })
                    try await body(
                        ConformanceSubject(
                            content: content, item: "file:///music/7.ogg", title: "Track 7",
                            unknown: "file:///music/none.ogg"
                        ) {
                            let present = await fake.present
                            return present.status == "Playing" ? present.title : nil
                        })
                }
            }
        }
    }

    private static nonisolated(nonsending) func withAppSubject(
        _ body: nonisolated(nonsending) (ConformanceSubject) async throws -> Void
    ) async throws {
        let name: BusName = "org.example.Podcasts"
        try await withPrivateBus { bus in
            let command = Command(
                try builtProduct("playable-app"), [name.text], environment: bus.environment,
                ready: .line(containing: "ready"))
            try await withDaemon(command) { _ in
                try await withConnection(to: bus) { connection in
                    let content = try BusPlayableContent(
                        application: AppID(name.text), name: "Podcasts", bus: connection, service: name,
                        deadlines: deadlines, remembered: { _, _ in nil },
                        launch: { _, _ in throw BenchError("it runs") })
                    try await body(
                        ConformanceSubject(
                            content: content, item: "show-1/episode-7", title: "Episode 7", unknown: "show-9/episode-1"
                        ) {
                            let answer = try await TestSupport.run(
                                "gdbus",
                                [
                                    "call", "--session", "--dest", name.text, "--object-path", "/org/example/Podcasts",
                                    "--method", "org.freedesktop.DBus.Properties.Get",
                                    BusPlayableContentTests.interface.text, "NowPlayingIds",
                                ], environment: bus.environment
                            ).output()
                            if answer.contains("@as []") { return nil }
                            return answer.contains("['show-1/episode-7']") ? "Episode 7" : answer
                        })
                }
            }
        }
    }
}

@Suite("Conformance of playable content", .timeLimit(.minutes(15)))
struct ConformanceTests {
    @Test("It runs, and knows only its item", arguments: Conformer.allCases)
    func items(conformer: Conformer) async throws {
        try await conformer.run { subject in
            #expect(await subject.content.isRunning)
            let item = try #require(try await subject.content.contentItem(subject.item))
            #expect(item.id == subject.item)
            #expect(item.title == subject.title)
            #expect(item.isPlayable)
            #expect(try await subject.content.contentItem(subject.unknown) == nil)
        }
    }

    @Test("Paging through the tree gives every item exactly once", arguments: Conformer.allCases)
    func pages(conformer: Conformer) async throws {
        try await conformer.run { subject in
            let content = subject.content
            let all = try await content.childItems(of: nil, offset: 0, limit: 1_000)
            #expect(!all.isEmpty)
            #expect(Set(all.map(\.id)).count == all.count)
            var pages: [ContentItem] = []
            while true {
                let page = try await content.childItems(of: nil, offset: pages.count, limit: 2)
                #expect(page.count <= 2)
                if page.isEmpty { break }
                pages += page
            }
            #expect(pages == all)
            #expect(try await content.childItems(of: nil, offset: 1_000_000, limit: 10).isEmpty)
            #expect(try await content.childItems(of: nil, offset: 0, limit: 0).isEmpty)
            for item in all.prefix(2) {
                let children = try await content.childItems(of: item.id, offset: 0, limit: 10)
                #expect(children.isEmpty != item.isContainer)
            }
            try await content.beginLoadingChildItems(of: nil)
            #expect(try await subject.playing() == nil)
        }
    }

    @Test("Preparing repeatedly returns the item and plays nothing", arguments: Conformer.allCases)
    func prepare(conformer: Conformer) async throws {
        try await conformer.run { subject in
            let content = subject.content
            let item = subject.item
            #expect(
                try await content.initializePlaybackQueue([item], context: PlaybackContext()).title == subject.title)
            #expect(try await !content.initializePlaybackQueue([], context: PlaybackContext()).title.isEmpty)
            let titles = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        try await content.initializePlaybackQueue([item], context: PlaybackContext()).title
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(titles == [String](repeating: subject.title, count: 20))
            #expect(try await content.nowPlayingIdentifiers.isEmpty)
            #expect(try await subject.playing() == nil)
        }
    }

    @Test("Playing starts the requested item and reports it", arguments: Conformer.allCases)
    func play(conformer: Conformer) async throws {
        try await conformer.run { subject in
            let prepared = try await subject.content.initializePlaybackQueue([subject.item], context: PlaybackContext())
            try await subject.content.initiatePlayback(of: subject.item, context: PlaybackContext())
            #expect(try await subject.playing() == prepared.title)
            #expect(try await subject.content.nowPlayingIdentifiers.first == subject.item)
        }
    }

    @Test("An unknown item is neither prepared nor played", arguments: Conformer.allCases)
    func unknown(conformer: Conformer) async throws {
        try await conformer.run { subject in
            await #expect(throws: MediaError.self) {
                _ = try await subject.content.initializePlaybackQueue([subject.unknown], context: PlaybackContext())
            }
            await #expect(throws: MediaError.self) {
                try await subject.content.initiatePlayback(of: subject.unknown, context: PlaybackContext())
            }
            let playing = try await subject.playing()
            #expect(playing == nil)
        }
    }
}
