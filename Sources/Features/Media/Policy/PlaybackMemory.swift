package import Players
package import FoundationEssentials
package import History
package import HunchModel

/// The playback on each device. Turns events of players and devices into resume points.
///
/// A play is remembered once it was heard, that is, once its position has advanced. A player that says it plays while
/// its position does not advance, or whose stream is muted or paused, replaces no resume point, and neither does a
/// sound of seconds.
///
/// A value without side effects: equal calls give equal results.
package struct PlaybackMemory {
    /// The maximum time between a disconnect and a pause that it caused, in seconds.
    package static let disconnectWindow: Double = 3
    /// The time in seconds by which a pause may be known before the disconnect that caused it, because they are
    /// reported by different services. If playback paused earlier, while sound still went to the device, the user
    /// paused it.
    package static let reportingWindow: Double = 0.5
    /// The minimum advance of a position that counts as heard, in microseconds.
    package static let leastAdvance: Int64 = 200_000

    fileprivate struct Session {
        var application: AppID
        var device: AudioDevice.ID
        var info: NowPlayingInfo
        var item: String?
        /// The date of the position in `info`.
        var positionDate: Date
        var pausedAt: Date?
        /// Whether sound no longer went to the device when it paused.
        var wasCutOff = false
        /// The player's address of the artwork whose copy is in `info`.
        var copiedArtwork: String?
        /// Whether its position has advanced since playback began or continued.
        var isHeard = false
        /// Whether the audio server plays the player's stream without sound.
        var isSilent = false
        /// The number of the session, to distinguish it from earlier ones of the player.
        var number: Int
    }

    private var sessions: [MPRISPlayer.ID: Session] = [:]
    private var lastSession = 0
    /// The last disconnect of each device, for a day.
    private var losses: [AudioDevice.ID: Date] = [:]

    /// Handles a change of a player on the device in use. `nil` stands for the machine's own speakers.
    ///
    /// - Returns: the resume point to store, if any.
    package mutating func observe(
        _ observation: MediaObservation, application: AppID, on device: AudioDevice?, at now: Date
    ) -> ResumePoint? {
        let player = observation.player.id
        switch observation.change {
        case .started, .changed:
            let sound = observation.player.sound
            if sound != .unknown { sessions[player]?.isSilent = sound == .muted }
            guard let info = observation.info else {
                sessions[player] = nil
                return nil
            }
            // Playback that continues has to be heard again.
            if observation.change == .started, observation.item == sessions[player]?.item {
                sessions[player]?.isHeard = false
            }
            return play(
                info, in: player, of: application, on: device, at: now, isGoingOn: observation.change == .changed)
        case .paused, .stopped, .gone:
            guard var session = sessions[player] else { return nil }
            let former = session.info
            if let info = observation.info, observation.item == session.item {
                // Only a pause reports the player's own position.
                if observation.change == .paused { session.hear(info.position) }
                session.info = info
                if info.position == nil {
                    (session.info.position, session.info.positionSource) = (former.position, former.positionSource)
                }
                // The player's own picture may be gone.
                session.info.artworkURL = former.artworkURL
            }
            // A player may report the start when it is about to stop.
            let wasReset = former.position.map { $0 < 2_000_000 } == true && session.info.isBegun
            let isRepeated = session.pausedAt != nil && !wasReset
            if session.pausedAt == nil {
                session.pausedAt = now
                session.wasCutOff = session.device != device?.id ?? AudioDevice.speakers
            }
            sessions[player] = session
            let byDisconnect = losses[session.device].map {
                abs(now.timeIntervalSince($0)) <= Self.disconnectWindow
            }
            defer { if observation.change == .gone { sessions[player] = nil } }
            // The resume point was stored at the pause. Stopping or leaving the bus later must not replace its reason.
            if isRepeated, observation.change != .paused { return nil }
            return point(player, pausedByDisconnect: byDisconnect ?? false, at: now)
        }
    }

    /// Handles that a player plays on a device, because playback began or the device connected.
    ///
    /// - Parameter isGoingOn: whether the player was already playing.
    /// - Returns: the resume point to store; `nil` until the play was heard.
    package mutating func play(
        _ info: NowPlayingInfo, in player: MPRISPlayer.ID, of application: AppID, on device: AudioDevice?,
        at now: Date,
        isGoingOn: Bool = true
    ) -> ResumePoint? {
        lastSession += 1
        var session = Session(
            application: application, device: device?.id ?? AudioDevice.speakers, info: info,
            item: ItemIdentity.identifier(of: info), positionDate: now, pausedAt: nil, number: lastSession)
        session.isSilent = sessions[player]?.isSilent ?? false
        if var former = sessions[player], former.item == session.item {
            if isGoingOn, former.pausedAt == nil {
                former.hear(info.position)
                session.number = former.number
            }
            session.isHeard = former.isHeard
            if let copied = former.copiedArtwork, copied == info.artworkURL {
                session.copiedArtwork = copied
                session.info.artworkURL = former.info.artworkURL
            }
        }
        // An item that a short sound interrupts keeps its place.
        let interrupted = MediaPolicy.isShort(info) ? interruptedPoint(player, by: session.item, at: now) : nil
        sessions[player] = session
        return point(player, pausedByDisconnect: false, at: now) ?? interrupted
    }

    /// Returns the resume point of the item that another one replaces while it plays; `nil` if there is none.
    private func interruptedPoint(_ player: MPRISPlayer.ID, by item: String?, at now: Date) -> ResumePoint? {
        guard let session = sessions[player], session.pausedAt == nil, session.item != item,
            let position = session.info.position, var point = point(player, pausedByDisconnect: false, at: now)
        else { return nil }
        let elapsed = Int64(clamping: max(0, now.timeIntervalSince(session.positionDate)) * 1e6, .towardZero)
        let end = position.addingReportingOverflow(elapsed).partialValue
        point.info.position = min(end, point.info.length ?? end)
        return point
    }

    // MARK: Hearing

    /// Returns the number of a player's session that plays; `nil` if there is none.
    package func playingSession(of player: MPRISPlayer.ID) -> Int? {
        sessions[player].flatMap { $0.pausedAt == nil ? $0.number : nil }
    }

    /// Returns the number of a player's session that was not heard yet; `nil` if there is none.
    package func unheardSession(of player: MPRISPlayer.ID) -> Int? {
        sessions[player].flatMap { $0.isHeard || $0.pausedAt != nil ? nil : $0.number }
    }

    /// Handles a later position of a player that says it plays.
    ///
    /// - Returns: the resume point to store, once it was heard.
    package mutating func hear(
        _ info: NowPlayingInfo, in player: MPRISPlayer.ID, isSilent: Bool = false, at now: Date
    ) -> ResumePoint? {
        guard let session = sessions[player], session.item == ItemIdentity.identifier(of: info) else { return nil }
        sessions[player]?.isSilent = isSilent
        sessions[player]?.hear(info.position)
        sessions[player]?.info.position = info.position
        sessions[player]?.positionDate = now
        sessions[player]?.info.positionSource = info.positionSource
        return point(player, pausedByDisconnect: false, at: now)
    }

    /// Handles that a player that was heard is silent now, before the play counts.
    package mutating func silence(_ player: MPRISPlayer.ID) {
        sessions[player]?.isSilent = true
        sessions[player]?.isHeard = false
    }

    /// Returns the device on which a player's item was last heard; `nil` for a player that was not heard.
    package func device(of player: MPRISPlayer.ID) -> AudioDevice.ID? {
        sessions[player].flatMap { $0.isHeard ? $0.device : nil }
    }

    /// Sets the copy of the current artwork.
    ///
    /// - Returns: whether the same item still plays, with that picture.
    package mutating func setArtwork(_ copy: String?, inPlaceOf url: String, of player: MPRISPlayer.ID) -> Bool {
        guard let session = sessions[player], session.info.artworkURL == url else { return false }
        sessions[player]?.info.artworkURL = copy
        sessions[player]?.copiedArtwork = copy.map { _ in url }
        return session.pausedAt == nil && copy != url
    }

    // MARK: Devices

    /// Handles a disconnect. Playback that paused just before was paused by it.
    package mutating func lose(_ device: AudioDevice, at now: Date) -> [ResumePoint] {
        losses = losses.filter { now.timeIntervalSince($0.value) < 86_400 }
        losses[device.id] = now
        return interrupted(on: device, at: now).compactMap { point($0, pausedByDisconnect: true, at: now) }
    }

    /// Returns the last disconnect of a device; `nil` if it is no longer known.
    package func loss(of device: AudioDevice) -> Date? { losses[device.id] }

    /// Returns the players that paused just before a device disconnected, presumably because of that.
    package func interrupted(on device: AudioDevice, at now: Date) -> [MPRISPlayer.ID] {
        sessions.keys.sorted().filter { player in
            guard let session = sessions[player], session.device == device.id, let pausedAt = session.pausedAt else {
                return false
            }
            let lead = now.timeIntervalSince(pausedAt)
            let longest = session.wasCutOff ? Self.disconnectWindow : Self.reportingWindow
            return (-Self.disconnectWindow...longest).contains(lead)
        }
    }

    /// Returns the players whose last known playback was on a device.
    package func players(on device: AudioDevice) -> Set<MPRISPlayer.ID> {
        Set(sessions.filter { $0.value.device == device.id && $0.value.pausedAt == nil }.keys)
    }

    /// Discards the state of an app's players, and returns them.
    package mutating func drop(_ application: AppID) -> Set<MPRISPlayer.ID> {
        let players = Set(sessions.filter { $0.value.application == application }.keys)
        for player in players { sessions[player] = nil }
        return players
    }

    /// Whether anything is known about a player.
    package func knows(_ player: MPRISPlayer.ID) -> Bool { sessions[player] != nil }

    /// Discards the state of all players, when watching ends.
    package mutating func reset() {
        sessions = [:]
        losses = [:]
    }

    private func point(_ player: MPRISPlayer.ID, pausedByDisconnect: Bool, at now: Date) -> ResumePoint? {
        sessions[player].flatMap {
            guard $0.isHeard, !MediaPolicy.isShort($0.info) else { return nil }
            return ResumePoint(
                device: $0.device, application: $0.application, item: $0.item, info: $0.info,
                pausedByDisconnect: pausedByDisconnect, date: now)
        }
    }
}

extension PlaybackMemory.Session {
    /// Handles the player's position, in microseconds. A player without a position counts as heard, a silent one never.
    package mutating func hear(_ position: Int64?) {
        guard !isSilent else { return }
        guard let position, let former = info.position else {
            isHeard = true
            return
        }
        isHeard = isHeard || position - former >= PlaybackMemory.leastAdvance
    }
}

extension AudioDevice {
    /// The identifier of the machine's own speakers in resume points. No real device has it.
    package static let speakers: AudioDevice.ID = "speakers"
}
