internal import EventLoops
internal import HunchDBus
public import HunchModel
internal import Localization

extension MPRISContent {
    /// The interval for checking that a launched app still runs.
    private static let slice = Duration.seconds(1)
    /// The interval for checking a player's position.
    private static let lookTime = Duration.milliseconds(250)
    /// The time in which a paused player reacts to Play.
    private static let reactionTime = Duration.milliseconds(1_500)
    /// The most seek requests to a player that started at another position.
    private static let seekAttempts = 3

    /// Plays an item in the running player, or launches the app first.
    ///
    /// A player whose current item is the wanted one resumes it. Otherwise, the player goes to the item in its queue,
    /// or opens its address. Some players lack `OpenUri`; then the app is launched with the address. A player that
    /// stays paused is told to play. A resume point is used if it is more than 5 s after the start and more than 10 s
    /// before the end. A player that might be heard before it is there is muted until then, if it has a volume.
    ///
    /// Returns when the player says that it plays and its position has advanced.
    ///
    /// - Throws: ``MediaError``: `noReply`, `refused`, `cannotOpen`, `didNotStart`, `playsAnew`, `quit`, `launchFailed`,
    ///   `noPlayer` or `disconnected`; `CancellationError`.
    public func initiatePlayback(of item: ContentItem.ID, context: PlaybackContext) async throws {
        do {
            try await initiate(item, context)
        } catch let error as MediaError where [.noReply, .notRunning, .refused].contains(error.code) {
            // The bus replies for a player that ended. One that is quitting may refuse first: mpv-mpris removes its
            // object from the bus before its name.
            let belongs = belongs
            let hasLeft = try await players.wait(atMost: .milliseconds(200)) { players in
                players.contains(where: belongs) ? nil : true
            }
            throw hasLeft == true ? quitting(with: item) : error
        }
    }

    private func initiate(_ item: ContentItem.ID, _ context: PlaybackContext) async throws {
        let known = await remembered(item, context)
        guard let player = await window(for: item) else {
            let item = await locate(item)
            let appeared = try await launched(with: item)
            return try await muting(appeared, if: known?.resumePosition() != nil) { muted in
                // Most apps open the address that they were launched with. Ask the others to open it.
                if let opened = try await current(item, in: appeared) {
                    return try await begin(item, in: opened, known, muted)
                }
                try await begin(item, in: open(item, in: appeared), known, muted)
            }
        }
        let present = try await players.refreshed(player, called: name)
        if Self.isItem(item, present.info) { return try await begin(item, in: present, known, nil) }
        let item = await locate(item)
        // Many players start what they open.
        try await muting(present, if: known?.resumePosition() != nil) { muted in
            try await begin(item, in: open(item, in: present), known, muted)
        }
    }

    /// Returns the app's player that should play an item: the one with the item, else the one with it in its queue, else
    /// one that holds nothing that would be replaced, else the active one.
    private func window(for item: ContentItem.ID) async -> MPRISPlayer? {
        let own = await players.players().filter(belongs)
        guard own.count > 1 else { return own.first }
        if let current = own.first(where: { Self.isItem(item, $0.info) }) { return current }
        let responding = own.filter(\.isResponding)
        for player in responding {
            // A queue that cannot be read does not have it.
            let found = try? await track(of: item, in: player)
            if found != nil { return player }
        }
        return responding.first { $0.info == nil || $0.status == .stopped } ?? own.first
    }

    // MARK: Launching

    private func launched(with item: ContentItem.ID) async throws -> MPRISPlayer {
        try await launchApp(try address(of: item))
        return try await appearance(with: item)
    }

    /// Waits until a player of the app appears. A program that ended may have handed the item to another process, whose
    /// player gets one more interval to appear.
    private func appearance(with item: ContentItem.ID) async throws -> MPRISPlayer {
        let belongs = belongs
        var left = deadlines.appearance
        var wasOver = false
        while left > .zero {
            let slice = min(left, Self.slice)
            let appeared = try await players.wait(atMost: slice) { players in
                Self.choose(players.filter { $0.isResponding && belongs($0) }, item)
            }
            if let appeared { return appeared }
            // The caller only needs to know that no player appeared.
            if wasOver { throw MediaError(.noPlayer, quitting(with: item).message) }
            wasOver = await hasEnded()
            left -= slice
        }
        throw MediaError(.noPlayer, localized("%1 was launched, but no player of it appeared", name))
    }

    private func quitting(with item: ContentItem.ID) -> MediaError {
        let item = Self.name(of: item)
        return MediaError(
            .quit,
            item.map { localized("%1 quit: %2 cannot be opened", name, $0) }
                ?? localized("%1 quit: the item cannot be opened", name))
    }

    /// Returns a name for an item without a known title: its file name or the title from its address; `nil` for neither.
    private static func name(of item: ContentItem.ID) -> String? {
        guard let uri = ItemIdentity.uri(of: item) else { return nil }
        guard let path = LocalFile.path(ofURI: uri) else {
            return localized("“%1”", ItemTitle.title("", album: nil, artists: [], of: uri))
        }
        return path.split(separator: "/").last.map(String.init) ?? path
    }

    private func address(of item: ContentItem.ID) throws -> String {
        guard let uri = ItemIdentity.uri(of: item) else {
            throw MediaError(
                .cannotOpen, localized("%1 gave no address of this item, so it cannot be opened again", name))
        }
        return uri
    }

    // MARK: Opening

    private func open(_ item: ContentItem.ID, in player: MPRISPlayer) async throws -> MPRISPlayer {
        let commands = commands(for: player)
        // If the queue cannot be read, open the address instead.
        if let found = try? await track(of: item, in: player) {
            try await commands.go(to: found.track)
        } else {
            let uri = try address(of: item)
            do {
                try await commands.open(uri)
            } catch let error as MediaError where error.code == .refused {
                try await launchApp(uri)
            }
        }
        guard let opened = try await current(item, in: player) else {
            throw MediaError(.didNotStart, localized("%1 was asked to open the item, but did not", name))
        }
        return opened
    }

    /// Waits until the item is current in the player or in another one of the same app.
    private func current(_ item: ContentItem.ID, in player: MPRISPlayer) async throws -> MPRISPlayer? {
        let (belongs, former) = (belongs, player.item)
        let awaited = try await players.wait(atMost: deadlines.opening) { players -> Awaited? in
            let own = players.filter(belongs)
            let current = own.first { candidate in
                if Self.isItem(item, candidate.info) { return true }
                // Without addresses, only a change of the current item is visible.
                return candidate.id == player.id && candidate.info != nil && candidate.info?.contentURL == nil
                    && candidate.item != former
            }
            return current.map(Awaited.player) ?? (own.isEmpty ? .gone : nil)
        }
        switch awaited {
        case .player(let player): return player
        case .gone: throw quitting(with: item)
        case nil: return nil
        }
    }

    private enum Awaited: Sendable {
        case player(MPRISPlayer)
        case gone
    }

    // MARK: Starting playback

    /// - Parameter muted: the player, if it is muted already.
    private func begin(
        _ item: ContentItem.ID, in player: MPRISPlayer, _ known: NowPlayingInfo?, _ muted: MutedPlayer?
    ) async throws {
        let target = resumePosition(in: player, known)
        // If possible, seek before playback becomes audible.
        var isThere = false
        if player.status != .playing, let target {
            await seek(player, to: target)
            isThere = try await players.refreshed(player, called: name).isAt(target)
        }
        if target == nil || isThere { await muted?.restore() }
        try await muting(player, if: target != nil && !isThere) { _ in
            try await start(item, in: player, known, at: target)
        }
    }

    private func start(
        _ item: ContentItem.ID, in player: MPRISPlayer, _ known: NowPlayingInfo?, at target: Int64?
    ) async throws {
        // Some players start a paused item anew.
        let own = player.status == .paused && player.info?.isBegun == true ? player.info?.position : nil
        if player.status != .playing { try await play(player) }
        let playing = try await untilPlaying(item, in: player, tellsPosition: known?.positionSource == nil)
        if let target, known?.positionSource != nil {
            // Its position shows nothing. Seek again only if it could not before it played.
            if !player.canSeek || player.status == .playing { await seek(playing, to: target) }
            return
        }
        guard let point = target ?? own else { return }
        try await settle(playing, at: point, mustArrive: target == nil)
    }

    /// Tells a player to play. Some ignore that while they are paused and obey only `PlayPause`
    /// (strawberrymusicplayer/strawberry#1995).
    private func play(_ player: MPRISPlayer) async throws {
        let commands = commands(for: player)
        try await commands.play()
        guard player.status == .paused else { return }
        let hasReacted = try await players.wait(atMost: min(Self.reactionTime, deadlines.start / 2)) { players in
            players.contains { $0.id == player.id && $0.status == .paused } ? nil : true
        }
        // Some players send no change signals.
        guard hasReacted == nil, try await players.refreshed(player, called: name).status == .paused else { return }
        try? await commands.playPause()
    }

    /// Returns the resume point in microseconds; `nil` to play from the player's current position.
    private func resumePosition(in player: MPRISPlayer, _ known: NowPlayingInfo?) -> Int64? {
        (player.info?.position ?? 0) <= 5_000_000 ? known?.resumePosition(in: player.info?.length) : nil
    }

    /// Seeks if the player can. Ignores errors, because the position is checked afterwards.
    private func seek(_ player: MPRISPlayer, to position: Int64) async {
        guard player.canSeek else { return }
        let commands = commands(for: player)
        // Some players jump without a signal.
        await players.announceJump(of: player)
        if let text = player.info?.trackIdentifier, let track = try? ObjectPath(text), track != MPRIS.noTrack {
            try? await commands.seek(to: position, in: track)
        } else {
            try? await commands.seek(by: position - (player.info?.position ?? 0))
        }
    }

    /// Seeks again in a player that could not seek before it played, or that started anew. Some players accept a seek
    /// before they have buffered enough, and then drop it. So the position is checked after each attempt.
    ///
    /// - Parameter mustArrive: whether even a player that cannot seek must play at the position.
    /// - Throws: ``MediaError`` with the code `playsAnew` if it plays elsewhere.
    private func settle(_ player: MPRISPlayer, at target: Int64, mustArrive: Bool) async throws {
        let isThere: @Sendable (MPRISPlayer) -> Bool = { $0.id == player.id && $0.isAt(target) }
        if try await isThere(players.refreshed(player, called: name)) { return }
        let seekable = try await players.wait(atMost: deadlines.reply) { players in
            players.first { $0.id == player.id && $0.canSeek }
        }
        guard seekable != nil || mustArrive else { return }
        for _ in 0..<Self.seekAttempts where seekable != nil {
            guard let present = try? await players.refreshed(player, called: name) else { return }
            if isThere(present) { return }
            await seek(present, to: target)
            // Most players report the seek at once. The others are asked again.
            _ = try await players.wait(atMost: .seconds(1)) { $0.first(where: isThere) }
        }
        if try await isThere(players.refreshed(player, called: name)) { return }
        throw MediaError(
            .playsAnew, localized("%1 plays it from the beginning, because it did not go to %2", name, target.clock))
    }

    /// Waits until the player says that it plays the item and its position advances. Some players claim to play with
    /// nothing to play, and an unplayable item is still current for a moment.
    ///
    /// - Parameter tellsPosition: whether the player told a position when it last played the item.
    private func untilPlaying(
        _ item: ContentItem.ID, in player: MPRISPlayer, tellsPosition: Bool
    ) async throws -> MPRISPlayer {
        let plays: @Sendable (MPRISPlayer) -> Bool = { candidate in
            guard candidate.id == player.id, candidate.status == .playing, let info = candidate.info else {
                return false
            }
            return Self.isItem(item, info) || info.contentURL == nil
        }
        let deadline = MonotonicInstant.now.advanced(by: deadlines.start)
        var progress = PlaybackProgress()
        var isStuck = false
        var left = deadlines.start
        while left > .zero {
            _ = try await players.wait(atMost: min(left, .seconds(1))) { players in
                players.contains { $0.id == player.id } ? players.first(where: plays).map { _ in () } : ()
            }
            guard await players.players().contains(where: { $0.id == player.id }) else { throw quitting(with: item) }
            // Some players send no change signals.
            let present = try await players.refreshed(player, called: name)
            isStuck = plays(present)
            if isStuck {
                if !tellsPosition || progress.hasAdvanced(to: present.info?.position, at: .now) { return present }
                try await players.bus.loop.sleep(for: Self.lookTime)
            }
            left = MonotonicInstant.now.duration(to: deadline)
        }
        throw MediaError(
            .didNotStart,
            isStuck
                ? localized("%1 says that it plays, but its position stands still", name)
                : localized("%1 was asked to play, but did not start; look for an error in the app", name))
    }
}

extension MPRISPlayer {
    /// Whether it is at a position in microseconds, or past it.
    fileprivate func isAt(_ target: Int64) -> Bool { (info?.position ?? 0) >= target - 3_000_000 }
}

extension NowPlayingInfo {
    /// Returns the position in microseconds at which to resume; `nil` to play from the start.
    ///
    /// - Parameter told: the length that the player reports; `nil` to use the remembered one.
    fileprivate func resumePosition(in told: Int64? = nil) -> Int64? {
        guard isBegun, let position, let length = told ?? length, position > 5_000_000, length > 10_000_000,
            position < length - 10_000_000
        else { return nil }
        return position
    }
}
