package import Players
package import FoundationEssentials
internal import History
package import HunchModel
internal import Localization
internal import Triggers

/// Starting playback after the user accepted a suggestion.
extension MediaPolicy {
    /// An accepted suggestion that is being started.
    package struct Start: Sendable {
        package typealias ID = Int

        package let suggestion: Suggestion
        package let item: ContentItem.ID
        package let info: NowPlayingInfo
        package let context: PlaybackContext
        package let activationToken: String?
        package var began = Date.distantPast
    }

    /// An answer to an effect of a start.
    package enum StartAnswer: Sendable {
        /// The device reconnected in time, or did not.
        case waited(hasReconnected: Bool)
        /// The start was cancelled while it waited.
        case cancelled
        /// The current states of the players whose items are about to be replaced.
        case askedReplaced([MPRISPlayer])
        /// The app was told to play. `isSeen` is `false` for an app without a player that was launched at the item,
        /// which reports nothing.
        case played(isSeen: Bool)
        /// The app could not be told to play.
        case failed
    }

    package mutating func begin(
        _ id: Start.ID, _ suggestion: Suggestion, _ activationToken: String?, _ facts: Facts
    ) -> [Effect] {
        guard case .play(let item, let info, let context) = suggestion.action, facts.isWatching else {
            return [.refuse(id, MediaError(.notRunning, localized("Hunch is switched off")))]
        }
        starts[id] = Start(
            suggestion: suggestion, item: item, info: info, context: context, activationToken: activationToken)
        if let device = context.device, var departure = absences[device.id]?.departure {
            departure.waiting.append(id)
            absences[device.id] = .away(departure, isInterrupted: absences[device.id]?.isInterrupted ?? false)
            return [.waitForDevice(id, device, suggestion)]
        }
        // It may have been away for longer than the wait when the user pressed Play.
        if let device = context.device, facts.devices.contains(where: { $0.device.id == device.id && !$0.isConnected })
        {
            return refuse(id, device, facts)
        }
        return begin(id, facts)
    }

    /// Ends a start because its device did not come back in time.
    private mutating func refuse(_ id: Start.ID, _ device: AudioDevice?, _ facts: Facts) -> [Effect] {
        starts[id] = nil
        let isConnected = facts.devices.contains { $0.device.id == device?.id && $0.isConnected }
        let reason =
            switch device?.name {
            case let name? where isConnected: localized("%1 is connected, but sound does not go to it", name)
            case let name?: localized("%1 disconnected and did not come back", name)
            case nil: localized("the device disconnected and did not come back")
            }
        return [.refuse(id, MediaError(.deviceGone, reason))]
    }

    package mutating func proceed(_ id: Start.ID, _ answer: StartAnswer, _ facts: Facts) -> [Effect] {
        guard let start = starts[id] else { return [] }
        switch answer {
        case .waited(hasReconnected: true): return begin(id, facts)
        case .waited(hasReconnected: false): return refuse(id, start.context.device, facts)
        case .askedReplaced(let players): return rememberReplaced(players, start, facts) + [play(id, start)]
        case .played(let isSeen):
            starts[id] = nil
            return record(start, isSeen: isSeen, facts)
        case .cancelled:
            starts[id] = nil
            return []
        case .failed:
            starts[id] = nil
            accepted[start.suggestion.application] = nil
            return []
        }
    }

    private mutating func begin(_ id: Start.ID, _ facts: Facts) -> [Effect] {
        guard let start = starts[id] else { return [] }
        starts[id]?.began = facts.now
        accepted = accepted.filter { facts.now.timeIntervalSince($0.value.date) < Self.acceptedTime }
        // Set before it plays, so that the player's own report counts as the same play.
        accepted[start.suggestion.application] = AcceptedItem(date: facts.now, item: start.item, info: start.info)
        // Also if the player continues what it played before.
        for known in facts.players where known.application == start.suggestion.application {
            recorded[known.player.id] = nil
        }
        let replaced = facts.players.filter { known in
            known.application == start.suggestion.application
                && known.player.item.map { !ItemIdentity.areSame($0, start.item) } == true
        }
        return replaced.isEmpty ? [play(id, start)] : [.askReplaced(id, replaced.map(\.player.id))]
    }

    private func play(_ id: Start.ID, _ start: Start) -> Effect {
        .play(id, start.item, start.suggestion, start.context, activationToken: start.activationToken)
    }

    /// Stores the positions of an app's players in the items that Play is about to replace.
    ///
    /// There is one resume point for each device and app. A play that was heard on the device of the new item is
    /// stored as if heard on the machine's own speakers.
    private func rememberReplaced(_ players: [MPRISPlayer], _ start: Start, _ facts: Facts) -> [Effect] {
        players.compactMap { player in
            guard let info = player.info, info.isBegun else { return nil }
            let former = memory.device(of: player.id) ?? AudioDevice.speakers
            let point = ResumePoint(
                device: former == start.context.device?.id ? AudioDevice.speakers : former,
                application: start.suggestion.application, item: player.item, info: info, pausedByDisconnect: false,
                date: facts.now)
            return .remember(point, of: nil, artwork: nil)
        }
    }

    private mutating func record(_ start: Start, isSeen: Bool, _ facts: Facts) -> [Effect] {
        let application = start.suggestion.application
        var effects: [Effect] = []
        // The app's own player shows whether it is heard for long enough. Other apps report nothing more.
        let isFollowed = isSeen && facts.players.contains { $0.application == application }
        if !start.item.isEmpty, !isFollowed {
            accepted[application]?.isRecorded = true
            effects.append(
                .record(
                    Play(application: application, item: start.item, info: start.info, device: start.context.device)))
        }
        guard isSeen, let device = start.context.device else { return effects }
        var info = start.info
        info.artworkURL = start.suggestion.artworkURL
        effects.append(
            .rememberStarted(
                ResumePoint(
                    device: device.id, application: application, item: start.item, info: info,
                    pausedByDisconnect: false, date: start.began)))
        return effects
    }
}
