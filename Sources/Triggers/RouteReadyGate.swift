import HunchModel

/// Decides when a device is ready to be played on: it is connected, sound goes to it, and both held for a while.
///
/// It is a pure machine: states and instants go in, decisions come out, and the same ones for the same input. Instants
/// are the time since any fixed moment, on a clock that goes on while the machine sleeps.
///
/// What it decides:
/// - A device is *here* while BlueZ says it is connected. Where BlueZ says nothing (a jack, USB, HDMI, or BlueZ is not
///   there) it is here while its sink is, with something plugged in.
/// - A device that is here, and whose sink or port has been the active default for ``GateTiming/settle``, is
///   ``GateDecision/ready(_:)``, once for each time that it comes.
/// - When it goes it is ``GateDecision/lost(_:)``. Sound that goes elsewhere, a sink that goes while the link lasts (a
///   change of profile), or a server that restarts, is not going. Back within ``GateTiming/rejoin`` it is
///   ``GateDecision/returned(_:after:)``, not ready anew: the link flapped. A display is given ``GateTiming/displaySleep``.
/// - What is here when the watching begins is a state, not an event: it is never ready before it has gone and come
///   again. For BlueZ that is its first answer, again after each time that it was away; for the audio server, which
///   finds its devices one after the other, ``GateTiming/warmUp`` after it was reached.
struct RouteReadyGate {
    /// How many decisions to hold are remembered.
    static let memory = 64

    let timing: GateTiming
    private(set) var blueZ = BlueZState.unreachable("Hunch has not looked yet")
    private(set) var audio = AudioState.unreachable("Hunch has not looked yet")
    /// The last decisions to hold, the oldest first, with their instants.
    private(set) var holds: [(device: AudioDevice, reason: HoldReason, at: Duration)] = []
    private var visits: [String: Visit] = [:]
    private var warmUpEnd = Duration.zero

    /// What is known of a device beyond the present moment.
    private struct Visit {
        enum Announcement { case none, alreadyThere, ready }

        private(set) var device: AudioDevice
        var sighting: DeviceSighting? {
            didSet {
                // While BlueZ is away, its name for the device and its word for what it is still hold.
                guard let sighting, sighting.isListed || !wasListed else { return }
                device = sighting.device
                wasListed = sighting.isListed
            }
        }
        private var wasListed = false
        var isHere = false
        var announcement = Announcement.none
        var activeSince: Duration?
        /// When it last went, if it could come back as the same visit.
        var leftAt: Duration?
        /// How long it was away, if it has come back as the same visit.
        var awayFor: Duration?
        var hold: HoldReason?

        init(_ device: AudioDevice) { self.device = device }

        var hasOutput: Bool { sighting.map { [.idle, .active].contains($0.output) } ?? false }
    }

    init(timing: GateTiming = GateTiming()) { self.timing = timing }

    /// Takes in what BlueZ says.
    mutating func receive(_ state: BlueZState, at now: Duration) -> [GateDecision] {
        var isFirst = false
        if case .present = state {
            isFirst = true
            if case .present = blueZ { isFirst = false }
        }
        blueZ = state
        return update(now, isFirstAnswer: isFirst)
    }

    /// Takes in what the audio server says.
    mutating func receive(_ state: AudioState, at now: Duration) -> [GateDecision] {
        if case .unreachable = audio, case .present = state { warmUpEnd = now + timing.warmUp }
        audio = state
        return update(now)
    }

    /// Lets time pass. To be called at ``nextDeadline``.
    mutating func advance(to now: Duration) -> [GateDecision] { update(now) }

    /// When there will be something to decide without further input; nil when nothing is under way.
    var nextDeadline: Duration? {
        let settling = visits.values.compactMap { visit in
            visit.announcement == .none ? visit.activeSince.map { $0 + timing.settle } : nil
        }
        let isWaiting =
            isAudioPresent && visits.values.contains { $0.isHere && $0.sighting?.link == nil && !$0.hasOutput }
        return (settling + (isWaiting ? [warmUpEnd] : [])).min()
    }

    /// All devices that are here or known to BlueZ, by their identifiers.
    var devices: [DeviceStatus] {
        visits.values.filter { $0.sighting != nil || $0.isHere }.map { visit in
            DeviceStatus(
                device: visit.device, isConnected: visit.isHere, isDefault: visit.sighting?.output == .active,
                isReady: visit.announcement != .none && visit.activeSince != nil,
                hold: visit.hold ?? (visit.isHere && visit.announcement == .alreadyThere ? .alreadyThere : nil))
        }.sorted { $0.device.id < $1.device.id }
    }

    /// What a person calls the output that sound goes to.
    var defaultOutput: String? {
        guard case .present(let outputs) = audio else { return nil }
        // A filter passes the default on to the sink that it plays into.
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

    /// Whether nothing of a device is worth knowing any more.
    private func isOver(_ visit: Visit, _ now: Duration) -> Bool {
        visit.sighting == nil && !visit.isHere && absence(of: visit, now) == nil
    }

    /// How long a device has been away that may come back as the same visit.
    private func absence(of visit: Visit, _ now: Duration) -> Duration? {
        let limit = visit.device.kind == .display ? max(timing.displaySleep, timing.rejoin) : timing.rejoin
        return visit.leftAt.map { now - $0 }.flatMap { $0 < limit ? $0 : nil }
    }

    /// Whether a device is here, given whether it was.
    private func isHere(_ visit: Visit, _ now: Duration) -> Bool {
        if let link = visit.sighting?.link { return link }
        // What has an address and is seen nowhere was removed from BlueZ.
        if visit.sighting == nil, case .present = blueZ, BluetoothDevice.address(visit.device.id) != nil {
            return false
        }
        // A server that is away, or has just come back, says nothing of what has gone.
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
            // A device that is merely known is not held.
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
