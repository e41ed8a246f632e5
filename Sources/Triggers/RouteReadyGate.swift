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
///   elsewhere, if its sink vanishes during the connection (a change of profile), or if a server restarts.
/// - A device that reconnects within ``GateTiming/rejoin`` is ``GateDecision/returned(_:after:)`` instead of ready,
///   because the link flapped. For a display, the limit is ``GateTiming/displaySleep``.
/// - A device that is here when watching begins is a state, not an event. It becomes ready only after disconnecting
///   and connecting again. The same holds for the devices in BlueZ's first answer after each absence, and for those that
///   the audio server finds, one by one, within ``GateTiming/warmUp`` after it became reachable.
struct RouteReadyGate {
    /// The maximum number of remembered holds.
    static let memory = 64

    let timing: GateTiming
    private(set) var blueZ = BlueZState.unreachable("Hunch has not checked yet")
    private(set) var audio = AudioState.unreachable("Hunch has not checked yet")
    /// The most recent holds with their instants, oldest first.
    private(set) var holds: [(device: AudioDevice, reason: HoldReason, at: Duration)] = []
    private var visits: [AudioDevice.ID: Visit] = [:]
    private var warmUpEnd = Duration.zero

    /// The state that the gate keeps for a device between updates.
    private struct Visit {
        enum Announcement { case none, alreadyThere, ready }

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
        var announcement = Announcement.none
        var activeSince: Duration?
        /// The instant of the last disconnection, if reconnecting could still count as a return.
        var leftAt: Duration?
        /// The length of the absence, if the current connection counts as a return.
        var awayFor: Duration?
        var hold: HoldReason?

        init(_ device: AudioDevice) { self.device = device }

        var hasOutput: Bool { sighting.map { [.idle, .active].contains($0.output) } ?? false }
    }

    init(timing: GateTiming = GateTiming()) { self.timing = timing }

    /// Updates the gate with BlueZ's state.
    mutating func receive(_ state: BlueZState, at now: Duration) -> [GateDecision] {
        var isFirst = false
        if case .present = state {
            isFirst = true
            if case .present = blueZ { isFirst = false }
        }
        blueZ = state
        return update(now, isFirstAnswer: isFirst)
    }

    /// Updates the gate with the audio server's state.
    mutating func receive(_ state: AudioState, at now: Duration) -> [GateDecision] {
        if case .unreachable = audio, case .present = state { warmUpEnd = now + timing.warmUp }
        audio = state
        return update(now)
    }

    /// Advances the clock. Call it at ``nextDeadline``.
    mutating func advance(to now: Duration) -> [GateDecision] { update(now) }

    /// The next instant with a decision to make without further input; `nil` if nothing is pending.
    var nextDeadline: Duration? {
        let settling = visits.values.compactMap { visit in
            visit.announcement == .none ? visit.activeSince.map { $0 + timing.settle } : nil
        }
        let isWaiting =
            isAudioPresent && visits.values.contains { $0.isHere && $0.sighting?.link == nil && !$0.hasOutput }
        return (settling + (isWaiting ? [warmUpEnd] : [])).min()
    }

    /// All devices that are here or known to BlueZ, sorted by identifier.
    var devices: [DeviceStatus] {
        visits.values.filter { $0.sighting != nil || $0.isHere }.map { visit in
            DeviceStatus(
                device: visit.device, isConnected: visit.isHere, isDefault: visit.sighting?.output == .active,
                isReady: visit.announcement != .none && visit.activeSince != nil,
                hold: visit.hold ?? (visit.isHere && visit.announcement == .alreadyThere ? .alreadyThere : nil))
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

    private mutating func update(_ now: Duration, isFirstAnswer: Bool = false) -> [GateDecision] {
        let sightings = DeviceSighting.all(blueZ, audio)
        var decisions: [GateDecision] = []
        for id in Set(visits.keys).union(sightings.keys).sorted() {
            let sighting = sightings[id]
            let known = visits[id].flatMap { isOver($0, now) ? nil : $0 }
            guard var visit = known ?? sighting.map({ Visit($0.device) }) else {
                visits[id] = nil
                continue
            }
            visit.sighting = sighting
            decisions += move(&visit, now, isFirstAnswer)
            decisions += settle(&visit, now)
            visits[id] = isOver(visit, now) ? nil : visit
        }
        for case .held(let device, let reason) in decisions { holds.append((device, reason, now)) }
        holds.removeFirst(max(0, holds.count - Self.memory))
        return decisions
    }

    /// Whether the state of a device can be dropped.
    private func isOver(_ visit: Visit, _ now: Duration) -> Bool {
        visit.sighting == nil && !visit.isHere && absence(of: visit, now) == nil
    }

    /// Returns the length of a device's absence; `nil` if reconnecting would no longer count as a return.
    private func absence(of visit: Visit, _ now: Duration) -> Duration? {
        let limit = visit.device.kind == .display ? max(timing.displaySleep, timing.rejoin) : timing.rejoin
        return visit.leftAt.map { now - $0 }.flatMap { $0 < limit ? $0 : nil }
    }

    /// Whether a device is here now. The answer may depend on whether it was here before.
    private func isHere(_ visit: Visit, _ now: Duration) -> Bool {
        if let link = visit.sighting?.link { return link }
        // BlueZ has removed a device that has an address but no sighting.
        if visit.sighting == nil, case .present = blueZ, BluetoothDevice.address(visit.device.id.rawValue) != nil {
            return false
        }
        // A server that is absent or has just restarted cannot tell that a device disconnected.
        return visit.hasOutput || (visit.isHere && (!isAudioPresent || now < warmUpEnd))
    }

    private func move(_ visit: inout Visit, _ now: Duration, _ isFirstAnswer: Bool) -> [GateDecision] {
        let isHere = isHere(visit, now)
        guard isHere != visit.isHere else { return [] }
        visit.isHere = isHere
        if !isHere {
            let wasAnnounced = visit.announcement != .none
            if wasAnnounced || visit.awayFor != nil { visit.leftAt = now }
            visit.announcement = .none
            visit.awayFor = nil
            return wasAnnounced ? [.lost(visit.device)] : []
        }
        if let absence = absence(of: visit, now) {
            visit.awayFor = absence
            return []
        }
        visit.leftAt = nil
        let isState = visit.sighting?.link == nil ? now < warmUpEnd : isFirstAnswer
        if isState { visit.announcement = .alreadyThere }
        return []
    }

    private func settle(_ visit: inout Visit, _ now: Duration) -> [GateDecision] {
        let isActive = visit.isHere && visit.sighting?.output == .active
        visit.activeSince = isActive ? visit.activeSince ?? now : nil
        if visit.announcement == .none, let since = visit.activeSince, now - since >= timing.settle {
            visit.announcement = .ready
            visit.hold = nil
            visit.leftAt = nil
            defer { visit.awayFor = nil }
            return [visit.awayFor.map { .returned(visit.device, after: $0) } ?? .ready(visit.device)]
        }
        let reason = holdReason(visit)
        guard reason != visit.hold else { return [] }
        visit.hold = reason
        return reason.map { [.held(visit.device, $0)] } ?? []
    }

    private func holdReason(_ visit: Visit) -> HoldReason? {
        let output = visit.sighting?.output ?? .none
        guard visit.isHere else {
            // A device that is merely known has no hold.
            return visit.sighting?.link == false && output != .none ? .notConnected : nil
        }
        guard isAudioPresent else { return .audioServerUnreachable }
        switch output {
        case .none: return .noOutput
        case .unplugged: return .nothingPluggedIn
        case .idle: return .notDefault(current: defaultOutput)
        case .active:
            switch visit.announcement {
            case .none: return .settling
            case .alreadyThere: return .alreadyThere
            case .ready: return nil
            }
        }
    }
}
