public import HunchDBus
public import HunchModel

/// What came of something that a source showed.
public enum TriggerOutcome: Hashable, Sendable {
    /// Something happened to a device.
    case device(TriggerEvent)
    /// A device is not ready, for a reason that is new.
    case held(AudioDevice, HoldReason)
    /// The person launched an app.
    case launched(String)
}

/// Decides from signs as the agent's watching does, without a bus or a clock: the same tree of BlueZ's objects, the same
/// gate, the same table of launched apps.
///
/// Instants are the time since the start of the trace, on a clock that goes on while the machine sleeps.
public struct TriggerReplay: Sendable {
    private var gate: RouteReadyGate
    private var tree = BluetoothTree()
    private var launches = LaunchTable()

    /// Begins with nothing seen.
    public init(timing: GateTiming = GateTiming()) { gate = RouteReadyGate(timing: timing) }

    /// Takes in what a source showed. Where there is nothing to decide about, as with a session, there is no outcome.
    public mutating func take(_ sign: TriggerSign, at now: Duration) -> [TriggerOutcome] {
        switch sign {
        case .blueZ(.unreachable(let reason)):
            tree = BluetoothTree()
            return outcomes(gate.receive(BlueZState.unreachable(reason), at: now), at: now)
        case .blueZ(.event(let event)):
            var decisions: [GateDecision] = []
            if !tree.apply(event) {
                // It answers although it told of nothing: as the agent does, the tree is read anew, and was empty.
                _ = tree.apply(.available([:]))
                decisions = gate.receive(tree.state, at: now)
                _ = tree.apply(event)
            }
            return outcomes(decisions + gate.receive(tree.state, at: now), at: now)
        case .audio(let sign): return outcomes(gate.receive(sign.state, at: now), at: now)
        case .unit(let unit, let began):
            guard began else {
                launches.end(unit)
                return []
            }
            return launches.begin(unit).map { [.launched($0)] } ?? []
        case .session, .location, .power: return []
        }
    }

    /// When there is something to decide without a further sign; `nil` when nothing is under way.
    public var nextDeadline: Duration? { gate.nextDeadline }

    /// Lets time pass. To be called at ``nextDeadline``.
    public mutating func advance(to now: Duration) -> [TriggerOutcome] { outcomes(gate.advance(to: now), at: now) }

    /// How everything stands.
    public func status(at now: Duration) -> TriggerStatus {
        TriggerStatus(gate, isBlueZKnown: true, isAudioKnown: true, at: now)
    }

    private func outcomes(_ decisions: [GateDecision], at now: Duration) -> [TriggerOutcome] {
        decisions.map { decision in
            if case .held(let device, let reason) = decision { return .held(device, reason) }
            return TriggerEvent(decision, at: MonotonicInstant(sinceStart: now)).map(TriggerOutcome.device)
        }.compactMap(\.self)
    }
}

extension MonotonicInstant {
    /// An instant of a trace: so long after its start.
    public init(sinceStart duration: Duration) {
        self = MonotonicInstant(microseconds: 0).advanced(by: duration)
    }
}
