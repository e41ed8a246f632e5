internal import HunchDBus
public import HunchModel

/// The content of an app that offers no more than an MPRIS player: what it plays and what is remembered of it.
///
/// Items are identified as ``ItemIdentity`` says. Preparing asks a running player only for its state, so that one that
/// hangs is not offered, and changes nothing in it: `OpenUri` begins to play in many players.
public struct MPRISContent: PlayableContent {
    let application: String
    let name: String
    let players: MPRISPlayers
    let deadlines: MediaDeadlines
    let belongs: @Sendable (MPRISPlayer) -> Bool
    let remembered: RememberedPlayback
    let launch: AppLaunch
    let hasEnded: @Sendable () async -> Bool

    /// Describes the content of one app; nothing is sent.
    ///
    /// - Parameters:
    ///   - application: desktop identifier, without `.desktop`.
    ///   - name: what people call the app.
    ///   - players: the players on the bus, followed by its `run()`.
    ///   - belongs: whether a player is this app's; `nil` asks ``MPRISPlayer/mayBelong(to:)``.
    ///   - remembered: what is remembered of its items.
    ///   - launch: launches it.
    ///   - hasEnded: whether the program that was launched last has ended; asked while its player is waited for.
    public init(
        application: String, name: String, players: MPRISPlayers, deadlines: MediaDeadlines = MediaDeadlines(),
        belongs: (@Sendable (MPRISPlayer) -> Bool)? = nil, remembered: @escaping RememberedPlayback,
        launch: @escaping AppLaunch, hasEnded: @escaping @Sendable () async -> Bool = { false }
    ) {
        self.application = application
        self.name = name
        self.players = players
        self.deadlines = deadlines
        self.belongs = belongs ?? { $0.mayBelong(to: application) }
        self.remembered = remembered
        self.launch = launch
        self.hasEnded = hasEnded
    }

    /// Whether a player of the app is on the bus.
    public var isRunning: Bool {
        get async { await player(with: nil) != nil }
    }

    // MARK: Data source

    /// The tracks of the running player's queue, or its current item when it tells no queue, or what is remembered as
    /// the last one. An item has no children.
    public func childItems(of parent: ContentItem.ID?, offset: Int, limit: Int) async throws -> [ContentItem] {
        guard parent == nil, offset >= 0, limit > 0 else { return [] }
        guard let player = await player(with: nil) else {
            let last = offset == 0 ? await remembered(nil, PlaybackContext()) : nil
            return [last.flatMap(ContentItem.init)].compactMap { $0 }
        }
        guard player.hasTrackList else {
            return offset == 0 ? [player.info.flatMap(ContentItem.init)].compactMap { $0 } : []
        }
        let commands = commands(for: player)
        let page = try await commands.tracks().dropFirst(offset).prefix(min(limit, Self.trackLimit))
        return try await commands.metadata(of: page).compactMap { ContentItem($0.info) }
    }

    /// What the running player plays or would play, or what is remembered, or a track of the queue.
    public func contentItem(_ identifier: ContentItem.ID) async throws -> ContentItem? {
        let player = await player(with: identifier)
        if let info = player?.info, Self.isItem(identifier, info) { return ContentItem(info) }
        if let info = await remembered(identifier, PlaybackContext()) { return ContentItem(info) }
        guard let player else { return nil }
        return try await track(of: identifier, in: player).flatMap { ContentItem($0.info) }
    }

    /// The item that plays now.
    public var nowPlayingIdentifiers: [ContentItem.ID] {
        get async throws {
            let player = await player(with: nil)
            return player?.status == .playing ? [player?.item].compactMap { $0 } : []
        }
    }

    // MARK: Delegate

    /// Tells what Play would play: the running player's current item if it is the wanted one, with its present
    /// position; else what is remembered. Nothing is changed in the player.
    ///
    /// - Throws: ``MediaError``: `noReply` when the player hangs; `refused` when it cannot play; `nothingToPlay` when
    ///   nothing is remembered of the item; `cannotOpen` when the item has no address to open it by and is not current.
    public func initializePlaybackQueue(
        _ items: [ContentItem.ID], context: PlaybackContext
    ) async throws -> NowPlayingInfo {
        let wanted = items.first
        if let player = await player(with: wanted) {
            let present = try await players.refreshed(player)
            if let info = present.info, wanted.map({ Self.isItem($0, info) }) ?? true {
                guard present.canPlay, present.canControl else {
                    throw MediaError(.refused, "\(name) says that it cannot play now")
                }
                return info
            }
        }
        guard let info = await remembered(wanted, context), let item = wanted ?? ItemIdentity.identifier(of: info)
        else {
            if let wanted, let player = await player(with: wanted),
                let queued = try? await track(of: wanted, in: player)
            {
                return queued.info
            }
            throw MediaError(.nothingToPlay, "nothing is known that \(name) could play")
        }
        guard ItemIdentity.uri(of: item) != nil else {
            throw MediaError(.cannotOpen, "\(name) gave no address of “\(info.title)”, so it cannot be opened again")
        }
        return info
    }

    // MARK: Players

    /// The app's player: the one with the item, else one that plays, else one that is paused, else any.
    func player(with item: ContentItem.ID?) async -> MPRISPlayer? {
        Self.choose(await players.players().filter(belongs), item)
    }

    static func choose(_ players: [MPRISPlayer], _ item: ContentItem.ID?) -> MPRISPlayer? {
        players.first { player in item.map { Self.isItem($0, player.info) } ?? false } ?? players.first
    }

    static func isItem(_ item: ContentItem.ID, _ info: NowPlayingInfo?) -> Bool {
        info.flatMap(ItemIdentity.identifier).map { ItemIdentity.areSame($0, item) } ?? false
    }

    func commands(for player: MPRISPlayer) -> PlayerCommands {
        PlayerCommands(bus: players.bus, player: player, deadline: deadlines.reply)
    }

    /// The most tracks of a queue that are looked at.
    static let trackLimit = 500

    func track(
        of item: ContentItem.ID, in player: MPRISPlayer
    ) async throws -> (track: ObjectPath, info: NowPlayingInfo)? {
        guard player.hasTrackList else { return nil }
        let commands = commands(for: player)
        return try await commands.metadata(of: commands.tracks().prefix(Self.trackLimit)).first {
            Self.isItem(item, $0.info)
        }
    }
}

extension ContentItem {
    /// The item that a player plays or would play; `nil` when it cannot be told from others.
    init?(_ info: NowPlayingInfo) {
        guard let id = ItemIdentity.identifier(of: info) else { return nil }
        var progress: Double?
        if let position = info.position, let length = info.length { progress = Double(position) / Double(length) }
        self.init(
            id: id, title: info.title, subtitle: info.artists.joined(separator: ", "), artworkURL: info.artworkURL,
            progress: progress)
    }
}
