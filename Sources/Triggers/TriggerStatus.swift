public import HunchModel

/// What is watched and how it stands, for `hunch doctor` and `Devices()`.
public struct TriggerStatus: Hashable, Sendable {
    /// Whether a source can be watched.
    public enum Source: Hashable, Sendable {
        /// It is being looked at for the first time.
        case unknown
        /// It answers.
        case reachable
        /// It does not run; nothing is wrong with the way to it.
        case absent
        /// It cannot be reached; the text says why.
        case unreachable(String)
    }

    /// A decision not to announce a device.
    public struct Hold: Hashable, Sendable {
        /// The device.
        public let device: AudioDevice
        /// Why it was held.
        public let reason: HoldReason
        /// How long ago.
        public let age: Duration
    }

    /// BlueZ. `unreachable` speaks of the system bus.
    public let blueZ: Source
    /// The audio server.
    public let audioServer: Source
    /// The devices that come and go, those included that BlueZ knows and that are not connected; by identifier.
    public let devices: [DeviceStatus]
    /// What a person calls the output that sound goes to; `nil` when there is none.
    public let defaultOutput: String?
    /// The last decisions to hold a device, the oldest first; at most 64.
    public let holds: [Hold]
}

extension TriggerStatus {
    /// How a gate stands.
    init(_ gate: RouteReadyGate, isBlueZKnown: Bool, isAudioKnown: Bool, at now: Duration) {
        blueZ = isBlueZKnown ? Source(gate.blueZ) : .unknown
        audioServer = isAudioKnown ? Source(gate.audio) : .unknown
        devices = gate.devices
        defaultOutput = gate.defaultOutput
        holds = gate.holds.map { Hold(device: $0.device, reason: $0.reason, age: now - $0.at) }
    }
}

extension TriggerStatus.Source {
    fileprivate init(_ state: BlueZState) {
        self =
            switch state {
            case .unreachable(let reason): .unreachable(reason)
            case .absent: .absent
            case .present: .reachable
            }
    }

    fileprivate init(_ state: AudioState) {
        self =
            switch state {
            case .unreachable(let reason): .unreachable(reason)
            case .present: .reachable
            }
    }
}
