internal import FoundationEssentials
internal import History
internal import HunchModel
internal import Media

/// What played on which device: turns what players and devices do into rows for the store.
///
/// A value without output; the same calls give the same rows.
struct PlaybackMemory {
    /// How far apart a pause and the loss of its device may be for the one to come from the other, in seconds.
    static let disconnectWindow: Double = 3

    private struct Session {
        var application: String
        var device: AudioDevice
        var info: NowPlayingInfo
        var item: String?
        var pausedAt: Date?
        /// What the player named where `info` has a copy of it.
        var copiedArtwork: String?
    }

    private var sessions: [MPRISPlayer.ID: Session] = [:]
    /// When which device went away last, for a day.
    private var losses: [AudioDevice.ID: Date] = [:]

    /// Takes in what a player did while a device was in use (`nil`: none that is known).
    ///
    /// - Returns: what to remember, if anything.
    mutating func observe(
        _ observation: MediaObservation, application: String, on device: AudioDevice?, at now: Date
    ) -> ResumePoint? {
        let player = observation.player.id
        switch observation.change {
        case .started, .changed:
            guard let info = observation.info, let device else {
                sessions[player] = nil
                return nil
            }
            return play(info, in: player, of: application, on: device, at: now)
        case .paused, .stopped, .gone:
            guard var session = sessions[player] else { return nil }
            if let info = observation.info, observation.item == session.item {
                let former = session.info
                session.info = info
                session.info.position = info.position ?? former.position
                // The player's own may be gone with what played.
                session.info.artworkURL = former.artworkURL
            }
            let isRepeated = session.pausedAt != nil
            session.pausedAt = session.pausedAt ?? now
            sessions[player] = session
            let byDisconnect = losses[session.device.id].map {
                abs(now.timeIntervalSince($0)) <= Self.disconnectWindow
            }
            defer { if observation.change == .gone { sessions[player] = nil } }
            // A player that was paused before and now ends says nothing new of who paused it.
            if isRepeated, observation.change != .paused { return nil }
            return point(player, pausedByDisconnect: byDisconnect ?? false, at: now)
        }
    }

    /// Takes in that a player plays something on a device, be it that it began or that the device came to what plays.
    ///
    /// - Returns: what to remember.
    mutating func play(
        _ info: NowPlayingInfo, in player: MPRISPlayer.ID, of application: String, on device: AudioDevice, at now: Date
    ) -> ResumePoint? {
        var session = Session(
            application: application, device: device, info: info, item: ItemIdentity.identifier(of: info),
            pausedAt: nil)
        if let former = sessions[player], former.item == session.item, let copied = former.copiedArtwork,
            copied == info.artworkURL
        {
            session.copiedArtwork = copied
            session.info.artworkURL = former.info.artworkURL
        }
        sessions[player] = session
        return point(player, pausedByDisconnect: false, at: now)
    }

    /// Takes in that there is a copy of the picture of what plays, or none.
    ///
    /// - Returns: whether it still plays, with that picture.
    mutating func setArtwork(_ copy: String?, inPlaceOf url: String, of player: MPRISPlayer.ID) -> Bool {
        guard let session = sessions[player], session.info.artworkURL == url else { return false }
        sessions[player]?.info.artworkURL = copy
        sessions[player]?.copiedArtwork = copy.map { _ in url }
        return session.pausedAt == nil && copy != url
    }

    /// Takes in that a device went away. What was paused just before was paused by that.
    mutating func lose(_ device: AudioDevice, at now: Date) -> [ResumePoint] {
        losses = losses.filter { now.timeIntervalSince($0.value) < 86_400 }
        losses[device.id] = now
        return interrupted(on: device, at: now).compactMap { point($0, pausedByDisconnect: true, at: now) }
    }

    /// When a device went away last; `nil` when that is not known any more.
    func loss(of device: AudioDevice) -> Date? { losses[device.id] }

    /// The players that were paused just before a device went away, or rather because it was about to.
    func interrupted(on device: AudioDevice, at now: Date) -> [MPRISPlayer.ID] {
        sessions.keys.sorted().filter { player in
            guard let session = sessions[player], session.device.id == device.id, let pausedAt = session.pausedAt else {
                return false
            }
            return abs(now.timeIntervalSince(pausedAt)) <= Self.disconnectWindow
        }
    }

    /// The players that played on a device when they were last heard of.
    func players(on device: AudioDevice) -> Set<MPRISPlayer.ID> {
        Set(sessions.filter { $0.value.device.id == device.id && $0.value.pausedAt == nil }.keys)
    }

    /// Forgets what was playing, for when nothing is followed any more.
    mutating func reset() {
        sessions = [:]
        losses = [:]
    }

    private func point(_ player: MPRISPlayer.ID, pausedByDisconnect: Bool, at now: Date) -> ResumePoint? {
        sessions[player].map {
            ResumePoint(
                device: $0.device.id, application: $0.application, item: $0.item, info: $0.info,
                pausedByDisconnect: pausedByDisconnect, date: now)
        }
    }
}
