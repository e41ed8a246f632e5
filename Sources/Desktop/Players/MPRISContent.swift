internal import HunchDBus
public import HunchModel
internal import Localization

/// The playable content of an app that only has an MPRIS player: its current item, its queue and remembered items.
///
/// Items are identified by ``ItemIdentity``. Preparation only asks a running player for its state, which excludes
/// players that hang. It changes nothing in the player, because `OpenUri` starts playback in many players.
public struct MPRISContent: LaunchableContent {
    package let application: AppID
    package let name: String
    let players: MPRISPlayers
    let deadlines: MediaDeadlines
    let belongs: @Sendable (MPRISPlayer) -> Bool
    let remembered: RememberedPlayback
    package let launch: AppLaunch
    let hasEnded: @Sendable () async -> Bool
    let locate: @Sendable (ContentItem.ID) async -> ContentItem.ID

    /// Creates the content of one app. Sends nothing.
    ///
    /// - Parameters:
    ///   - application: The desktop identifier, without `.desktop`.
    ///   - name: The app's display name.
    ///   - players: The players on the bus. Their `run()` must be running.
    ///   - remembered: Returns the remembered now-playing info of the app's items.
    ///   - launch: Launches the app.
    ///   - locate: Returns the address of a file in the encoding in which it exists, or the item unchanged.
    ///   - hasEnded: Whether the last launched program has ended. Called while its player is awaited.
    public init(
        application: AppID, name: String, players: MPRISPlayers, deadlines: MediaDeadlines = MediaDeadlines(),
        remembered: @escaping RememberedPlayback,
        launch: @escaping AppLaunch,
        locate: @escaping @Sendable (ContentItem.ID) async -> ContentItem.ID = { $0 },
        hasEnded: @escaping @Sendable () async -> Bool = { false }
    ) {
        self.application = application
        self.name = name
        self.players = players
        self.deadlines = deadlines
        belongs = { $0.mayBelong(to: application) }
        self.remembered = remembered
        self.launch = launch
        self.hasEnded = hasEnded
        self.locate = locate
    }

    /// Whether a player of the app is on the bus.
    public var isRunning: Bool {
        get async { await player(with: nil) != nil }
    }

    // MARK: Data source

    /// Returns the tracks of the running player's queue, or its current item if it has no queue, or the last remembered
    /// item. Items have no children.
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

    /// Returns the running player's current item, a remembered item, or a track of the queue.
    public func contentItem(_ identifier: ContentItem.ID) async throws -> ContentItem? {
        let player = await player(with: identifier)
        if let info = player?.info, Self.isItem(identifier, info) { return ContentItem(info) }
        if let info = await remembered(identifier, PlaybackContext()) { return ContentItem(info) }
        guard let player else { return nil }
        return try await track(of: identifier, in: player).flatMap { ContentItem($0.info) }
    }

    /// The item that is playing.
    public var nowPlayingIdentifiers: [ContentItem.ID] {
        get async throws {
            let player = await player(with: nil)
            return player?.status == .playing ? [player?.item].compactMap { $0 } : []
        }
    }

    // MARK: Delegate

    /// Returns the item that Play would start. If the running player's current item is the wanted one, returns it with
    /// its position. Otherwise, returns the remembered item. Changes nothing in the player.
    ///
    /// - Throws: ``MediaError``: `noReply` if the player hangs; `refused` if it cannot play; `nothingToPlay` if nothing
    ///   is remembered of the item; `cannotOpen` if the item is not current and has no address to open.
    public func initializePlaybackQueue(
        _ items: [ContentItem.ID], context: PlaybackContext
    ) async throws -> NowPlayingInfo {
        let wanted = items.first
        if let player = await player(with: wanted) {
            let present = try await players.refreshed(player, called: name)
            if let info = present.info, wanted.map({ Self.isItem($0, info) }) ?? true {
                guard present.canPlay, present.canControl else {
                    throw MediaError(.refused, localized("%1 says that it cannot play now", name))
                }
                var info = info
                // Its player continues with it, also if it cannot seek.
                if info.positionSource == .unreachable { info.positionSource = .reckoned }
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
            throw MediaError(.nothingToPlay, localized("Hunch knows nothing that %1 could play", name))
        }
        guard ItemIdentity.uri(of: item) != nil else {
            throw MediaError(
                .cannotOpen, localized("%1 gave no address of “%2”, so it cannot be opened again", name, info.title))
        }
        return info
    }

    // MARK: Players

    /// Returns the app's player: the one with the item, else a playing one, else a paused one, else any.
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
        PlayerCommands(bus: players.bus, player: player, deadline: deadlines.reply, name: name)
    }

    /// The most tracks of a queue that are read.
    package static let trackLimit = 500

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
    /// Creates the current item of a player; `nil` if it has no identifier.
    init?(_ info: NowPlayingInfo) {
        guard let id = ItemIdentity.identifier(of: info) else { return nil }
        var progress: Double?
        if let position = info.position, let length = info.length { progress = Double(position) / Double(length) }
        self.init(
            id: id, title: info.title, subtitle: info.artists.joined(separator: ", "), artworkURL: info.artworkURL,
            progress: progress)
    }
}
