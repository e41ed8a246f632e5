import HunchModel

/// Decides when a device is ready: it is connected, sound goes to it, and both have lasted for a while.
///
/// The gate is a pure state machine: the same states and instants always produce the same decisions. Instants are
/// durations since any fixed moment, on a clock that continues during sleep.
///
/// The rules:
/// - A device is *here* while BlueZ says it is connected. If BlueZ says nothing (jack, USB, HDMI, or no BlueZ), the
///   device is here while its sink exists with something plugged in.
/// - A device that is here, and whose sink or port has been the active default for ``GateTiming/settle``, is
///   ``GateDecision/ready(_:)``, once per connection.
/// - A device that disconnects is ``GateDecision/lost(_:)``. It does not count as disconnected if sound merely goes
///   elsewhere, if its sink vanishes during the connection (a change of profile), or if the audio server restarts. While
///   BlueZ restarts, the sink alone decides: a device whose sink vanishes too is lost.
/// - A device to which sound goes again, though it did not disconnect, is ``GateDecision/regained(_:)``.
/// - A device that reconnects within ``GateTiming/rejoin`` is ``GateDecision/returned(_:after:)`` instead of ready,
///   because the link flapped. For a display, the limit is ``GateTiming/displaySleep``.
/// - A device that becomes ready, disconnects soon and reconnects soon is on an unstable link; see ``GateTiming/brief`` and
///   ``GateTiming/calm``. It is returned, and ready again only once a connection has held for twice as long as those that
///   broke.
/// - A device that is here when watching begins is a state, not an event. It becomes ready only after disconnecting
///   and connecting again. The same holds for the devices in the first answer of BlueZ and of the audio server after each
///   absence, and for those that the server finds, one by one, within ``GateTiming/warmUp`` after it started.
struct RouteReadyGate {
    let timing: GateTiming
    private(set) var blueZ = BlueZState.unreachable("Hunch has not checked yet")
    private(set) var audio = AudioState.unreachable("Hunch has not checked yet")
    private var tracked: [AudioDevice.ID: TrackedDevice] = [:]
    private var warmUpEnd = Duration.zero

    /// The state that the gate keeps for a device between updates.
    private struct TrackedDevice {
        enum Report { case none, alreadyThere, ready }

        private(set) var device: AudioDevice
        var sighting: DeviceSighting? {
            didSet {
                // While BlueZ is absent, keep the name and kind that it gave the device.
                guard let sighting, sighting.isListed || !wasListed else { return }
                device = sighting.device
                wasListed = sighting.isListed
            }
        }
        private var wasListed = false
        var isHere = false
        var report = Report.none
        var activeSince: Duration?
        /// The instant of the last disconnection, if reconnecting could still count as a return.
        var leftAt: Duration?
        /// The length of the absence, if the current connection counts as a return.
        var awayFor: Duration?
        var hold: DeviceHold?
        /// The start of the connection; `nil` if it is older than the watching.
        var hereSince: Duration?
        /// The connections that broke soon: the longest of them, the instant of the last break, and whether the link broke
        /// before, too. `nil` on a stable link.
        var breaks: (longest: Duration, last: Duration, isRepeated: Bool)?
        /// The instant of the last break before these.
        var formerBreak: Duration?
        /// Whether a connection on an unstable link was reported as a return, and is ready only once it has held.
        var isReadyDue = false

        init(_ device: AudioDevice) { self.device = device }

        /// The reason why the connected device in use is not a trigger; `nil` if it was one.
        var lackOfTrigger: DeviceHold? {
            switch report {
            case .alreadyThere where isHere: .alreadyThere
            case .ready where isReadyDue: .unstable
            default: nil
            }
        }

        var hasOutput: Bool { sighting.map { [.idle, .active].contains($0.output) } ?? false }
    }

    init(timing: GateTiming = GateTiming()) { self.timing = timing }

    /// The source whose state is the first one after its absence.
    private enum FirstAnswer { case none, blueZ, audio }

    /// Updates the gate with BlueZ's state.
    mutating func receive(_ state: BlueZState, at now: Duration) -> [GateDecision] {
        var first = FirstAnswer.none
        if case .present = state, !isLinkKnown { first = .blueZ }
        blueZ = state
        return update(now, first)
    }

    /// Updates the gate with the audio server's state.
    ///
    /// - Parameter age: the time since the server started; `nil` if unknown, which counts as just now.
    mutating func receive(_ state: AudioState, age: Duration? = nil, at now: Duration) -> [GateDecision] {
        var first = FirstAnswer.none
        if case .unreachable = audio, case .present = state {
            first = .audio
            warmUpEnd = now + max(.zero, timing.warmUp - (age ?? .zero))
        }
        audio = state
        return update(now, first)
    }

    /// Advances the clock. Call it at ``nextDeadline``.
    mutating func advance(to now: Duration) -> [GateDecision] { update(now) }

    /// The next instant with a decision to make without further input; `nil` if nothing is pending.
    var nextDeadline: Duration? {
        let settling = tracked.values.compactMap { entry in
            entry.activeSince.flatMap { since in
                entry.report == .none ? since + timing.settle : entry.isReadyDue ? since + steadyTime(of: entry) : nil
            }
        }
        let isWaiting =
            isAudioPresent && tracked.values.contains { $0.isHere && $0.sighting?.link == nil && !$0.hasOutput }
        return (settling + (isWaiting ? [warmUpEnd] : [])).min()
    }

    /// All devices that are here or known to BlueZ, sorted by identifier.
    var devices: [DeviceStatus] {
        tracked.values.filter { $0.sighting != nil || $0.isHere }.map { entry in
            DeviceStatus(
                device: entry.device, isConnected: entry.isHere, isDefault: entry.sighting?.output == .active,
                isReady: entry.report != .none && entry.activeSince != nil, hold: entry.hold ?? entry.lackOfTrigger)
        }.sorted { $0.device.id < $1.device.id }
    }

    /// The name of the output that sound goes to, as shown to people.
    var defaultOutput: String? {
        guard case .present(let outputs) = audio else { return nil }
        // Prefer the sink to the filter that plays into it.
        return (outputs.first { $0.isDefault && !$0.isVirtual } ?? outputs.first { $0.isDefault })?.description
    }

    // MARK: Deciding

    private var isAudioPresent: Bool {
        if case .present = audio { return true }
        return false
    }

    /// Whether BlueZ reports which devices are connected.
    private var isLinkKnown: Bool {
        if case .present = blueZ { return true }
        return false
    }

    private mutating func update(_ now: Duration, _ first: FirstAnswer = .none) -> [GateDecision] {
        let sightings = DeviceSighting.all(blueZ, audio)
        var decisions: [GateDecision] = []
        for id in Set(tracked.keys).union(sightings.keys).sorted() {
            let sighting = sightings[id]
            let known = tracked[id].flatMap { isOver($0, now) ? nil : $0 }
            guard var entry = known ?? sighting.map({ TrackedDevice($0.device) }) else {
                tracked[id] = nil
                continue
            }
            entry.sighting = sighting
            decisions += move(&entry, now, first)
            decisions += settle(&entry, now)
            tracked[id] = isOver(entry, now) ? nil : entry
        }
        return decisions
    }

    /// Whether the state of a device can be dropped.
    private func isOver(_ entry: TrackedDevice, _ now: Duration) -> Bool {
        entry.sighting == nil && !entry.isHere && absence(of: entry, now) == nil && !isUnstable(entry, now)
            && !hasFormerBreak(entry, now)
    }

    /// Whether reconnecting now would continue a series of short connections.
    private func isUnstable(_ entry: TrackedDevice, _ now: Duration) -> Bool {
        entry.breaks.map { now - $0.last < ($0.isRepeated ? timing.calmAgain : timing.calm) } ?? false
    }

    /// Whether a break now would not be the first within a while.
    private func hasFormerBreak(_ entry: TrackedDevice, _ now: Duration) -> Bool {
        entry.formerBreak.map { now - $0 < timing.calmAgain } ?? false
    }

    /// Returns the time for which a connection has to hold until the link counts as stable.
    private func steadyTime(of entry: TrackedDevice) -> Duration {
        entry.breaks.map { timing.settle(afterBreaksOf: $0.longest) } ?? timing.settle
    }

    /// Notes whether a connection that ends now was so short that the link is unstable. Connections that never became
    /// ready do not count on a stable link: a user who tries to connect several times has seen no suggestion yet. The
    /// end of BlueZ is not an interruption.
    private func noteBreak(of entry: inout TrackedDevice, _ now: Duration) {
        let limit = entry.breaks == nil ? timing.brief : timing.briefAgain
        guard let since = entry.hereSince, now - since < limit else {
            return (entry.breaks, entry.formerBreak) = (nil, nil)
        }
        guard isLinkKnown || !entry.device.id.isAddress else { return }
        guard entry.report == .ready || entry.breaks != nil else { return }
        let isRepeated = entry.breaks?.isRepeated == true || hasFormerBreak(entry, now)
        entry.breaks = (max(entry.breaks?.longest ?? .zero, now - since), now, isRepeated)
    }

    /// Returns the length of a device's absence; `nil` if reconnecting would no longer count as a return.
    private func absence(of entry: TrackedDevice, _ now: Duration) -> Duration? {
        let limit = entry.device.kind == .display ? max(timing.displaySleep, timing.rejoin) : timing.rejoin
        return entry.leftAt.map { now - $0 }.flatMap { $0 < limit ? $0 : nil }
    }

    /// Whether a device is here now. The answer may depend on whether it was here before.
    private func isHere(_ entry: TrackedDevice, _ now: Duration) -> Bool {
        if let link = entry.sighting?.link { return link }
        // BlueZ has removed a device that has an address but no sighting.
        if entry.sighting == nil, isLinkKnown, entry.device.id.isAddress { return false }
        // A server that is absent or has just restarted cannot tell that a device disconnected.
        return entry.hasOutput || (entry.isHere && (!isAudioPresent || now < warmUpEnd))
    }

    private func move(_ entry: inout TrackedDevice, _ now: Duration, _ first: FirstAnswer) -> [GateDecision] {
        let isHere = isHere(entry, now)
        guard isHere != entry.isHere else { return [] }
        entry.isHere = isHere
        if !isHere {
            noteBreak(of: &entry, now)
            let wasReported = entry.report != .none
            if wasReported || entry.awayFor != nil { entry.leftAt = now }
            entry.report = .none
            entry.awayFor = nil
            return wasReported ? [.lost(entry.device)] : []
        }
        entry.hereSince = now
        if !isUnstable(entry, now) {
            entry.formerBreak = entry.breaks?.last ?? entry.formerBreak
            (entry.breaks, entry.isReadyDue) = (nil, false)
        }
        if let absence = absence(of: entry, now) {
            entry.awayFor = absence
            return []
        }
        entry.leftAt = nil
        let isState = entry.sighting?.link == nil ? first == .audio || now < warmUpEnd : first == .blueZ
        if isState { (entry.report, entry.hereSince) = (.alreadyThere, nil) }
        return []
    }

    private func settle(_ entry: inout TrackedDevice, _ now: Duration) -> [GateDecision] {
        let isActive = entry.isHere && entry.sighting?.output == .active
        let isRegained = isActive && entry.activeSince == nil && entry.report != .none
        entry.activeSince = isActive ? entry.activeSince ?? now : nil
        if entry.report == .none, let since = entry.activeSince, now - since >= timing.settle {
            entry.report = .ready
            entry.hold = nil
            entry.leftAt = nil
            defer { entry.awayFor = nil }
            if let absence = entry.awayFor { return [.returned(entry.device, after: absence)] }
            guard let breaks = entry.breaks, let begin = entry.hereSince else { return [.ready(entry.device)] }
            entry.isReadyDue = true
            return [.returned(entry.device, after: begin - breaks.last)]
        }
        if entry.isReadyDue, entry.report == .ready, let since = entry.activeSince, now - since >= steadyTime(of: entry)
        {
            (entry.isReadyDue, entry.breaks, entry.formerBreak) = (false, nil, nil)
            return [.ready(entry.device)]
        }
        let regained: [GateDecision] = isRegained ? [.regained(entry.device)] : []
        let reason = holdReason(entry)
        guard reason != entry.hold else { return regained }
        entry.hold = reason
        return regained + (reason.map { [.held(entry.device, $0)] } ?? [])
    }

    private func holdReason(_ entry: TrackedDevice) -> DeviceHold? {
        let output = entry.sighting?.output ?? .none
        guard entry.isHere else {
            // A device that is merely known has no hold.
            return entry.sighting?.link == false && output != .none ? .notConnected : nil
        }
        guard isAudioPresent else { return .audioServerUnreachable }
        switch output {
        case .none: return .noOutput
        case .unplugged: return .nothingPluggedIn
        case .idle: return .notDefault(current: defaultOutput)
        case .active:
            switch entry.report {
            case .none: return .settling
            case .alreadyThere: return .alreadyThere
            case .ready: return nil
            }
        }
    }
}

extension AudioDevice.ID {
    /// Whether it is the address of a Bluetooth device.
    fileprivate var isAddress: Bool { BluetoothDevice.address(rawValue) != nil }
}
