package import Players
package import EventLoops
package import FoundationEssentials
package import History
package import HunchModel

/// Remembering and recording plays.
extension MediaPolicy {
    /// A play that is recorded once it was heard for long enough.
    package struct PendingPlay: Sendable {
        package var play: Play
        package var delay: Duration
        /// The instant at which playback began.
        package var since: MonotonicInstant

        /// Whether a short item was played to its end, which may come before ``delay`` has passed.
        ///
        /// Timers and players are not exact, so a tenth may be missing.
        package func wasShortAndPlayed(until now: MonotonicInstant) -> Bool {
            guard let length = play.info.length, MediaPolicy.isShort(play.info) else { return false }
            let rest = max(0, length - (play.info.position ?? 0))
            return since.duration(to: now) >= .microseconds(rest) * 0.9
        }
    }

    /// An accepted item.
    package struct AcceptedItem: Sendable {
        package let date: Date
        package let item: ContentItem.ID
        package let info: NowPlayingInfo
        /// Whether it was recorded when it was accepted, because its app has no player that reports how long it plays.
        package var isRecorded = false
    }

    /// The length in microseconds below which an item counts once it was played to its end.
    private static let shortLength: Int64 = 30_000_000

    /// Returns whether an item is too short to be resumed.
    static func isShort(_ info: NowPlayingInfo) -> Bool { info.length.map { (1..<shortLength).contains($0) } ?? false }

    /// The longest delay before a check of a position, as a multiple of ``Timing/hearing``. It doubles with each check.
    private static let longestHearing = 16
    /// The time after which the position of what plays is kept again.
    private static let keeping = Duration.seconds(120)
    /// The maximum time to wait for a play to be heard.
    private static let longestPlay = Duration.seconds(300)
    /// The time in seconds within which a play after an accepted suggestion counts as the accepted one.
    package static let acceptedTime: Double = 120

    package mutating func observe(_ observation: MediaObservation, _ application: AppID, _ facts: Facts) -> [Effect] {
        let player = observation.player.id
        if case .playing = lastHold, facts.playing() == nil { lastHold = nil }
        var effects = endShortPlay(observation, facts)
        // A suggestion to resume is obsolete once the user plays something without it.
        if observation.change == .started {
            held = [:]
            effects.append(.withdraw(.allMedia(startedBy: application)))
        }
        let point = memory.observe(observation, application: application, on: facts.deviceInUse, at: facts.now)
        if point?.pausedByDisconnect == true { effects.append(.takeBackTouch([player])) }
        effects += followPlay(observation, application, facts)
        if observation.change == .started { effects += listen(to: player, after: timing.hearing) }
        if let point { effects.append(.remember(point, of: player, artwork: observation.info?.artworkURL)) }
        return effects
    }

    // MARK: Hearing

    /// Checks after a delay whether a player that says it plays is heard.
    private func listen(to player: MPRISPlayer.ID, after delay: Duration) -> [Effect] {
        guard delay <= timing.hearing * Self.longestHearing, let session = memory.unheardSession(of: player)
        else { return [] }
        return [.setTimer(.hearing(Hearing(player: player, session: session, delay: delay)), after: delay)]
    }

    /// Handles the current state of a player; `nil` if it is gone or does not answer.
    package mutating func hear(_ player: MPRISPlayer?, _ hearing: Hearing, _ facts: Facts) -> [Effect] {
        guard let player, player.status == .playing, let info = player.info,
            memory.playingSession(of: hearing.player) == hearing.session
        else { return [] }
        guard let point = memory.hear(info, in: hearing.player, isSilent: player.sound == .muted, at: facts.now) else {
            return listen(to: hearing.player, after: hearing.delay * 2)
        }
        // A crash or an empty battery loses no more than the time until the next look.
        let next = Hearing(player: hearing.player, session: hearing.session, delay: Self.keeping)
        return [
            .remember(point, of: hearing.player, artwork: info.artworkURL),
            .setTimer(.hearing(next), after: Self.keeping),
        ]
    }

    // MARK: Artwork

    /// Copies the picture of the current item while it exists. Players delete the file when they go to the next item.
    package func keepArtwork(of point: ResumePoint, _ player: MPRISPlayer.ID, _ url: String?) -> [Effect] {
        guard let url, url == point.info.artworkURL else { return [] }
        return [.copyArtwork(url, point, of: player)]
    }

    package mutating func setArtwork(
        _ copy: String?, _ url: String, _ point: ResumePoint, _ player: MPRISPlayer.ID
    ) -> [Effect] {
        guard memory.setArtwork(copy, inPlaceOf: url, of: player) else { return [] }
        var point = point
        point.info.artworkURL = copy
        return [.remember(point, of: nil, artwork: nil)]
    }

    // MARK: Recording

    /// Records a play once half of the item or 30 s of it were heard.
    private mutating func followPlay(
        _ observation: MediaObservation, _ application: AppID, _ facts: Facts
    ) -> [Effect] {
        let player = observation.player.id
        if observation.change == .changed {
            // Many players read the title from the file only after they started.
            if let info = observation.info, observation.item == plays[player]?.play.item {
                plays[player]?.play.info = info
            }
            return []
        }
        var effects: [Effect] = plays.removeValue(forKey: player) == nil ? [] : [.cancelTimer(.play(player))]
        if observation.change == .gone { recorded[player] = nil }
        guard observation.change == .started, let info = observation.info, let item = observation.item,
            recorded[player] != item
        else { return effects }
        let play = Play(application: application, item: item, info: info, device: facts.deviceInUse)
        effects.append(follow(play, in: player, facts))
        return effects
    }

    /// Waits until a play counts.
    private mutating func follow(_ play: Play, in player: MPRISPlayer.ID, _ facts: Facts) -> Effect {
        let delay = timing.play(play.info.length)
        plays[player] = PendingPlay(play: play, delay: delay, since: facts.instant)
        return .setTimer(.play(player), after: delay)
    }

    /// Follows what plays now and is not followed yet, as if it had just begun.
    mutating func takeUpPlays(_ facts: Facts) -> [Effect] {
        facts.players.flatMap { known -> [Effect] in
            let player = known.player
            guard player.status == .playing, let info = player.info, !memory.knows(player.id) else { return [] }
            // It is remembered once it was heard.
            _ = memory.play(
                info, in: player.id, of: known.application, on: facts.deviceInUse, at: facts.now, isGoingOn: false)
            var effects = listen(to: player.id, after: timing.hearing)
            if let item = player.item {
                let play = Play(application: known.application, item: item, info: info, device: facts.deviceInUse)
                effects.append(follow(play, in: player.id, facts))
            }
            return effects
        }
    }

    package mutating func count(of player: MPRISPlayer.ID, _ facts: Facts) -> [Effect] {
        // The player may have been paused at the same moment.
        guard var pending = plays.removeValue(forKey: player) else { return [] }
        let isSilent = facts.players.contains { $0.player.id == player && $0.player.sound == .muted }
        if isSilent { memory.silence(player) }
        // A player whose position does not advance, or that makes no sound, does not play yet.
        guard memory.unheardSession(of: player) == nil else {
            pending.delay = max(pending.delay, timing.hearing) * 2
            guard pending.delay <= Self.longestPlay else { return [] }
            plays[player] = pending
            let listening = isSilent ? listen(to: player, after: timing.hearing) : []
            return listening + [.setTimer(.play(player), after: pending.delay)]
        }
        return record(pending, of: player, facts)
    }

    private mutating func record(_ pending: PendingPlay, of player: MPRISPlayer.ID, _ facts: Facts) -> [Effect] {
        // Continuing after a pause is the same play.
        recorded[player] = pending.play.item
        guard let taken = takeAccepted(pending.play, facts), !taken.item.isEmpty else { return [.record(pending.play)] }
        if taken.isRecorded { return [] }
        return [
            .record(
                Play(
                    application: pending.play.application, item: taken.item, info: taken.info,
                    device: pending.play.device))
        ]
    }

    /// Records a short item that was heard and has just ended. Called before the memory takes the observation, which may
    /// begin the next item.
    private mutating func endShortPlay(_ observation: MediaObservation, _ facts: Facts) -> [Effect] {
        let player = observation.player.id
        guard observation.change != .changed, let pending = plays[player],
            pending.wasShortAndPlayed(until: facts.instant), memory.unheardSession(of: player) == nil
        else { return [] }
        plays[player] = nil
        return [.cancelTimer(.play(player))] + record(pending, of: player, facts)
    }

    /// Returns the accepted item that a play is of; `nil` if there is none. An app may use different identifiers in its player and in
    /// its content.
    private mutating func takeAccepted(_ play: Play, _ facts: Facts) -> AcceptedItem? {
        guard let taken = accepted[play.application], taken.item == play.item || taken.info.title == play.info.title
        else { return nil }
        accepted[play.application] = nil
        return abs(facts.now.timeIntervalSince(taken.date)) < Self.acceptedTime ? taken : nil
    }
}
