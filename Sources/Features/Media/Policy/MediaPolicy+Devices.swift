internal import Players
internal import FoundationEssentials
internal import History
package import EventLoops
package import HunchModel
internal import Suggestions
internal import Triggers

/// Reactions to devices that connect and disconnect.
extension MediaPolicy {
    /// The absence of a device.
    package enum Absence: Sendable {
        /// It disconnected. A quick reconnect is not a new trigger.
        ///
        /// - Parameter isInterrupted: whether an app prepared something for it.
        case away(Departure, isInterrupted: Bool)
        /// It is connected, but sound went elsewhere while an app prepared something for it. Until an instant, the
        /// attempt is repeated if sound comes back: the audio server may move the default output in several steps.
        case silent(until: MonotonicInstant)

        package var departure: Departure? { if case .away(let departure, _) = self { departure } else { nil } }
        /// Whether an attempt to suggest something was interrupted.
        var isInterrupted: Bool {
            switch self {
            case .away(_, let isInterrupted): isInterrupted
            case .silent: true
            }
        }
    }

    /// The time within which sound that went elsewhere during an attempt counts as never gone.
    private static let regainTime = Duration.seconds(10)

    /// A device that disconnected just now.
    package struct Departure: Sendable {
        /// The number of the departure, to distinguish several of one device.
        package let number: Int
        package let timer: Timer
        /// The starts that wait for the device to reconnect.
        package var waiting: [Start.ID] = []
    }

    package mutating func handleReady(_ device: AudioDevice, at instant: MonotonicInstant, _ facts: Facts) -> [Effect] {
        [.use(device, isReconnect: false), .sendContext] + endDeparture(of: device.id, hasReconnected: true)
            + move(onto: device, facts) + consider(.device(device, readyAt: instant), facts)
    }

    package mutating func handleReturn(
        of device: AudioDevice, after absence: Duration, at instant: MonotonicInstant, _ facts: Facts
    ) -> [Effect] {
        // Not a new trigger: the current suggestion stays. But a suggestion that was interrupted or withdrawn too early
        // is made again, as is the item that played until the device disconnected.
        let former = absences[device.id]
        let isMissed = former?.isInterrupted ?? false || absence < timing.rejoin && former?.departure == nil
        // A longer absence is not the reason, but that the link is unstable, which its hold says.
        if !isMissed, absence < timing.rejoin,
            !facts.board.standing.contains(where: { $0.suggestion.concerns(device.id) })
        {
            note(TriggerResult(.device(device.id), at: facts.now, hold: .reconnected(after: absence)))
        }
        return [.use(device, isReconnect: true), .sendContext, .holdKeys(until: instant.advanced(by: timing.keys))]
            + endDeparture(of: device.id, hasReconnected: true) + move(onto: device, facts)
            + (isMissed
                ? consider(.device(device, readyAt: instant), facts)
                : [.checkInterruption(of: device, since: memory.loss(of: device), at: instant)])
    }

    package mutating func handleLoss(of device: AudioDevice) -> [Effect] {
        lastHold = nil
        let isInterrupted = absences[device.id]?.isInterrupted ?? false
        var effects: [Effect] = [.sendContext, .lose(device)] + endDeparture(of: device.id, hasReconnected: false)
        lastDeparture += 1
        let timer = Timer.departure(device.id, number: lastDeparture, maySettle: true)
        absences[device.id] = .away(Departure(number: lastDeparture, timer: timer), isInterrupted: isInterrupted)
        effects.append(.setTimer(timer, after: timing.rejoin))
        effects.append(.pausePlayers(memory.players(on: device), on: device))
        return effects
    }

    /// Makes an attempt again that was interrupted because sound went elsewhere for a moment.
    package mutating func handleRegained(
        _ device: AudioDevice, at instant: MonotonicInstant, _ facts: Facts
    ) -> [Effect] {
        guard case .silent(let end) = absences[device.id], instant <= end, facts.deviceInUse?.id == device.id else {
            return []
        }
        absences[device.id] = nil
        return consider(.device(device, readyAt: instant), facts)
    }

    /// Makes an attempt again that an appointment held, if its device is still in use and nothing was suggested or played since.
    mutating func endPrecedence(at device: AudioDevice.ID, _ facts: Facts) -> [Effect] {
        guard let former = held.removeValue(forKey: device),
            !facts.board.standing.contains(where: { $0.suggestion.concerns(device) && !$0.suggestion.isUrgent })
        else { return [] }
        guard let present = facts.deviceInUse, present.id == device else {
            // It may be away only for a moment.
            noteInterruption(of: device, at: facts.instant)
            return []
        }
        return consider(.device(present, readyAt: former.readyAt), after: former.date, facts)
    }

    /// Holds the result of a trigger for an appointment, and returns the effects. That of a device waits for the end.
    ///
    /// - Parameter date: the date of the trigger.
    mutating func awaitPrecedence(at trigger: MediaTrigger, since date: Date, _ facts: Facts) -> [Effect] {
        guard case .device(let device, let instant) = trigger else { return [] }
        held[device.id] = (instant, date)
        let rest = facts.board.urgentEnd(at: facts.now)?.timeIntervalSince(facts.now) ?? 0
        return [.setTimer(.precedence(device.id), after: .clamping(seconds: rest + 0.1))]
    }

    /// Notes that an attempt for a device was interrupted.
    mutating func noteInterruption(of device: AudioDevice.ID, at instant: MonotonicInstant) {
        absences[device] =
            absences[device]?.departure.map { .away($0, isInterrupted: true) }
            ?? .silent(until: instant.advanced(by: Self.regainTime))
    }

    /// Notes that an attempt for a device is made now.
    mutating func endInterruption(of device: AudioDevice.ID) {
        absences[device] = absences[device]?.departure.map { .away($0, isInterrupted: false) }
    }

    package mutating func settleLoss(of device: AudioDevice, _ facts: Facts) -> [Effect] {
        [
            .takeBackTouch(memory.interrupted(on: device, at: facts.now)),
            .endInterruptions(by: device, before: facts.now - PlaybackMemory.disconnectWindow),
        ]
            + memory.lose(device, at: facts.now).map { .remember($0, of: nil, artwork: nil) }
    }

    /// Ends the departure of a device, which was away only briefly.
    private mutating func endDeparture(of device: AudioDevice.ID, hasReconnected: Bool) -> [Effect] {
        guard let departure = absences[device]?.departure else { return [] }
        absences[device] = nil
        let wait: [Effect] =
            departure.waiting.isEmpty ? [] : [.endWait(departure.waiting, hasReconnected: hasReconnected)]
        return [.cancelTimer(departure.timer)] + wait
    }

    /// Withdraws the suggestions for a device that has been away for longer than a flapping link.
    ///
    /// - Parameter maySettle: whether to wait once more if the device is connected but not the default output. A second
    ///   extension would be wrong: the device may never become the default output, and if its link drops before it does,
    ///   no event ends the wait.
    package mutating func leave(_ device: AudioDevice.ID, _ number: Int, maySettle: Bool, _ facts: Facts) -> [Effect] {
        guard let absence = absences[device], let departure = absence.departure, departure.number == number else {
            return []
        }
        if maySettle, facts.devices.contains(where: { $0.device.id == device && $0.isConnected }) {
            let timer = Timer.departure(device, number: number, maySettle: false)
            absences[device] = .away(
                Departure(number: number, timer: timer, waiting: departure.waiting),
                isInterrupted: absence.isInterrupted)
            return [.setTimer(timer, after: timing.rejoin)]
        }
        held[device] = nil
        return endDeparture(of: device, hasReconnected: false) + [.withdraw(.ofDevice(device))]
    }

    /// Moves the current playback to a device that became ready, unless it has disconnected since.
    private mutating func move(onto device: AudioDevice, _ facts: Facts) -> [Effect] {
        guard facts.deviceInUse?.id == device.id else { return [] }
        return facts.players.compactMap { known in
            guard known.player.status == .playing, let info = known.player.info,
                let point = memory.play(
                    info, in: known.player.id, of: known.application, on: device, at: facts.now)
            else { return nil }
            return .remember(point, of: known.player.id, artwork: info.artworkURL)
        }
    }
}
