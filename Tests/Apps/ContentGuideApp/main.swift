import HunchDBus
import HunchKit
import HunchModel

actor Radio: PlayableContentDataSource {
    private let shows = [ContentItem(id: "night-bus", title: "The Night Bus", isContainer: true, isPlayable: false)]
    private let episodes = [
        ContentItem(id: "night-bus/41", title: "Episode 41", subtitle: "The Night Bus", progress: 0.5),
        ContentItem(id: "night-bus/42", title: "Episode 42", subtitle: "The Night Bus"),
    ]
    private(set) var nowPlayingIdentifiers: [ContentItem.ID] = []
    var content: PlayableContentService?

    func childItems(of parent: ContentItem.ID?, offset: Int, limit: Int) -> [ContentItem] {
        let children = parent == nil ? shows : parent == "night-bus" ? episodes : []
        return Array(children.dropFirst(offset).prefix(limit))
    }

    func contentItem(_ identifier: ContentItem.ID) -> ContentItem? {
        (shows + episodes).first { $0.id == identifier }
    }
}

struct NoSuchEpisode: Error {}

extension Radio: PlayableContentDelegate {
    func initializePlaybackQueue(_ items: [ContentItem.ID], context: PlaybackContext) throws -> NowPlayingInfo {
        let wanted = items.first ?? "night-bus/41"
        guard let item = episodes.first(where: { $0.id == wanted }) else { throw NoSuchEpisode() }
        return NowPlayingInfo(
            title: item.title, artists: ["The Night Bus"], length: 3_600_000_000,
            position: item.progress.map { Int64($0 * 3_600_000_000) }, item: item.id)
    }

    func initiatePlayback(of item: ContentItem.ID, context: PlaybackContext) async throws {
        guard episodes.contains(where: { $0.id == item }) else { throw NoSuchEpisode() }
        print("playing", item)
        nowPlayingIdentifiers = [item, "night-bus"]
        try await content?.nowPlayingChanged()
    }

    func contextChanged(to context: PlayableContentContext) {
        if context.isEndpointAvailable { print("a device is ready") }
    }

    func serve(on hunch: HunchAgent) async throws {
        content = try await PlayableContentService(
            of: "org.example.Radio", on: ObjectServer(on: hunch.connection), dataSource: self, delegate: self)
    }
}

let loop = try EventLoop()
try loop.start()
let hunch = try await HunchAgent(on: loop)
let radio = Radio()
try await radio.serve(on: hunch)
do {
    try await hunch.setUpcoming([Announcement(item: "night-bus/41", title: "Episode 41")])
} catch {
    print("Hunch was not told what is next: \(error)")
}
_ = await hunch.connection.closed()
