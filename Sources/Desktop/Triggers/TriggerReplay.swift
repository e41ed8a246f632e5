internal import EventLoops
internal import HunchDBus
public import HunchModel

/// A result of an observation.
public enum TriggerOutcome: Hashable, Sendable {
    /// A device became ready, returned or disconnected.
    case device(TriggerEvent)
    /// A device is not ready, for a new reason.
    case held(AudioDevice, DeviceHold)
    /// The user launched an app.
    case launched(AppID)
}

/// Makes the same decisions as the running agent, but from recorded observations instead of a bus and a clock. It uses
/// the same tree of BlueZ's objects, the same gate and the same table of launched apps.
///
/// Instants are durations since the start of the trace, on a clock that continues during sleep.
public struct TriggerReplay: Sendable {
    private var gate: RouteReadyGate
    private var tree = BluetoothTree()
    private var launches = LaunchTable()
    private var audioStreams = AudioStreams()

    /// Creates a replay without any observations.
    public init(timing: GateTiming = GateTiming()) { gate = RouteReadyGate(timing: timing) }

    /// Applies an observation and returns its outcomes. Some observations, such as those of a session, never have any.
    public mutating func take(_ observation: TriggerObservation, at now: Duration) -> [TriggerOutcome] {
        switch observation {
        case .blueZ(.unreachable(let reason)):
            tree = BluetoothTree()
            return outcomes(gate.receive(BlueZState.unreachable(reason), at: now), at: now)
        case .blueZ(.event(let event)):
            var decisions: [GateDecision] = []
            if !tree.apply(event) {
                // BlueZ answers although it counted as absent. Like the agent, read the tree again; here it is empty.
                _ = tree.apply(.available([:]))
                decisions = gate.receive(tree.state, at: now)
                _ = tree.apply(event)
            }
            return outcomes(decisions + gate.receive(tree.state, at: now), at: now)
        case .audio(let observation):
            audioStreams.receive(observation.streams, at: now)
            return outcomes(gate.receive(observation.state, at: now), at: now)
        case .unit(let unit, let began):
            guard began else {
                launches.end(unit)
                return []
            }
            return launches.begin(unit).map { [.launched($0)] } ?? []
        case .session, .location, .power: return []
        }
    }

    /// The next instant with a decision to make without a further observation; `nil` if nothing is pending.
    public var nextDeadline: Duration? { gate.nextDeadline }

    /// Advances the clock. Call it at ``nextDeadline``.
    public mutating func advance(to now: Duration) -> [TriggerOutcome] { outcomes(gate.advance(to: now), at: now) }

    /// Returns the streams of the audio server, and those that ended a moment ago; `nil` if it does not report them.
    public func streams(at now: Duration) -> [AudioStream]? { audioStreams.heard(at: now) }

    /// The sources and devices.
    public var status: TriggerStatus { TriggerStatus(gate, isBlueZKnown: true, isAudioKnown: true) }

    private func outcomes(_ decisions: [GateDecision], at now: Duration) -> [TriggerOutcome] {
        decisions.map { decision in
            if case .held(let device, let reason) = decision { return .held(device, reason) }
            return TriggerEvent(decision, at: MonotonicInstant(sinceStart: now)).map(TriggerOutcome.device)
        }.compactMap(\.self)
    }
}
