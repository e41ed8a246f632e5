import Glibc
import HunchDBus
import HunchKit
import HunchModel

/// The behaviour of the app on preparing and playing.
enum Mode: String, CaseIterable {
    /// As it should.
    case normal
    /// It never answers.
    case hang
    /// It answers with an error.
    case error
    /// It ends.
    case crash
    /// It takes half a second.
    case slow
    /// It prepares, and never answers when it is to play.
    case hangOnPlay
    /// It prepares, and refuses to play the first time.
    case refuseOnce
    /// It answers with values of wrong types.
    case wrong
    /// It answers with a title that is far longer than allowed.
    case huge
    /// It leaves the choice to Hunch.
    case undecided
    /// It plays from the start.
    case busy
    /// Its covers are on the network.
    case streaming
}

/// A small library of podcasts, and a player that is silent but otherwise one.
actor PodcastPlayer: PlayableContentDataSource, PlayableContentDelegate {
    static let interface: InterfaceName = "org.hunch.PlayableContent1"

    private struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    private let mode: Mode
    private let loop: EventLoop
    private var content: PlayableContentService?
    private var nowPlaying: [ContentItem.ID]
    private var lostShow: ContentItem.ID?
    private var hasRefused = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(mode: Mode, loop: EventLoop) {
        self.mode = mode
        self.loop = loop
        nowPlaying = mode == .busy ? ["show-1/episode-1"] : []
    }

    func setContent(_ content: PlayableContentService) { self.content = content }

    /// A server with other types than documented.
    static var nonsense: ExportedInterface {
        ExportedInterface(
            interface,
            [
                .method("InitializePlaybackQueue", arguments: ["items", "context"], results: ["now_playing"]) {
                    (_, _: [String], _: VariantMap) in ["xesam:title": Value.int32(41)]
                }
            ])
    }

    // MARK: Library

    private static let allShows = (1...3).map { show in
        ContentItem(id: "show-\(show)", title: "Show \(show)", isContainer: true, isPlayable: false)
    }

    private var shows: [ContentItem] { Self.allShows.filter { $0.id != lostShow } }

    /// Loses its first show, in the midst of other changes.
    func loseFirstShow() async throws {
        try await content?.beginUpdates()
        try await content?.contentChanged(under: [nil])
        lostShow = "show-1"
        try await content?.contentChanged(under: ["show-1", nil])
        try await content?.endUpdates()
        say("lost show-1")
    }

    /// The only episode that was begun; `nil`: each show's first.
    private var begun: String? { mode == .undecided ? "show-2/3" : nil }

    /// Tells of ten thousand changes at once.
    func tellTooMuch() async throws {
        for number in 0..<10_000 { try await content?.contentChanged(under: ["show-\(number)"]) }
        say("told too much")
    }

    private func episodes(of show: ContentItem.ID) -> [ContentItem] {
        guard shows.contains(where: { $0.id == show }) else { return [] }
        return (1...25).map { number in
            ContentItem(
                id: "\(show)/episode-\(number)", title: "Episode \(number)", subtitle: "Show \(show.dropFirst(5))",
                progress: "\(show)/\(number)" == begun || (begun == nil && number == 1) ? 0.5 : nil)
        }
    }

    func childItems(of parent: ContentItem.ID?, offset: Int, limit: Int) -> [ContentItem] {
        say("list \(parent ?? "root") from \(offset)")
        return Array((parent.map(episodes) ?? shows).dropFirst(offset).prefix(limit))
    }

    func contentItem(_ identifier: ContentItem.ID) -> ContentItem? {
        say("item \(identifier)")
        let show = identifier.split(separator: "/").first.map(String.init) ?? ""
        return (shows + episodes(of: show)).first { $0.id == identifier }
    }

    func beginLoadingChildItems(of parent: ContentItem.ID?) {
        say("load \(parent ?? "root")")
    }

    var nowPlayingIdentifiers: [ContentItem.ID] { nowPlaying }

    // MARK: Playing

    func initializePlaybackQueue(
        _ items: [ContentItem.ID], context: PlaybackContext
    ) async throws -> NowPlayingInfo {
        say("prepare [\(items.joined(separator: " "))] for \(context.device?.kind.rawValue ?? "nothing")")
        try await misbehave()
        if mode == .undecided, items.isEmpty { throw NothingChosen() }
        let item = try playable(items.first ?? "show-1/episode-1")
        let title = mode == .huge ? String(repeating: "x", count: 100_000) : item.title
        return NowPlayingInfo(
            title: title, artists: [item.subtitle].compactMap { $0 },
            artworkURL: mode == .streaming ? "https://covers.example.org/\(item.id)" : nil, length: 3_600_000_000,
            position: item.progress.map { Int64($0 * 3_600_000_000) }, item: item.id)
    }

    func initiatePlayback(of item: ContentItem.ID, context: PlaybackContext) async throws {
        say("initiate \(item)")
        if mode == .hangOnPlay { try await loop.sleep(for: .seconds(3_600)) }
        if mode == .refuseOnce, !hasRefused {
            hasRefused = true
            throw Refusal(description: "there is no connection")
        }
        try await misbehave()
        nowPlaying = [try playable(item).id]
        try await content?.nowPlayingChanged()
        try await content?.contentChanged(under: [item])
        say("playing \(item)")
    }

    func contextChanged(to context: PlayableContentContext) {
        // Playback that continues after the headphones are gone has no listener.
        if !context.isEndpointAvailable, mode != .busy { nowPlaying = [] }
        let limits = context.areLimitsEnforced ? "\(context.enforcedItemCount)×\(context.enforcedTreeDepth)" : "none"
        say("context: \(context.isEndpointAvailable ? "device" : "no device"), limits \(limits)")
    }

    private func playable(_ identifier: ContentItem.ID) throws -> ContentItem {
        guard let item = contentItem(identifier), item.isPlayable else {
            throw Refusal(description: "there is no episode “\(identifier)”")
        }
        return item
    }

    private func misbehave() async throws {
        switch mode {
        case .normal, .wrong, .huge, .hangOnPlay, .refuseOnce, .undecided, .busy, .streaming: break
        case .hang: try await loop.sleep(for: .seconds(86_400))
        case .slow: try await loop.sleep(for: .milliseconds(500))
        case .error: throw Refusal(description: "this app refuses everything")
        case .crash: exit(3)
        }
    }
}
