internal import HunchModel

/// The sources and devices that the monitor watches, for `hunch doctor` and `Devices()`.
public struct TriggerStatus: Hashable, Sendable {
    /// Whether a source answers.
    public enum Source: Hashable, Sendable {
        /// The first look at the source is still under way.
        case unknown
        /// The source answers.
        case reachable
        /// The source does not run. Nothing else is wrong.
        case absent
        /// The source cannot be reached; the text is the reason.
        case unreachable(String)
    }

    /// BlueZ. `unreachable` refers to the system bus.
    public let blueZ: Source
    /// The audio server.
    public let audioServer: Source
    /// The devices that connect and disconnect, including unconnected ones that BlueZ knows; sorted by identifier.
    public let devices: [DeviceStatus]
    /// The name of the output that sound goes to, as shown to people; `nil` without a default output.
    public let defaultOutput: String?
}

extension TriggerStatus {
    /// Creates the status of a gate.
    init(_ gate: RouteReadyGate, isBlueZKnown: Bool, isAudioKnown: Bool) {
        blueZ = isBlueZKnown ? Source(gate.blueZ) : .unknown
        audioServer = isAudioKnown ? Source(gate.audio) : .unknown
        devices = gate.devices
        defaultOutput = gate.defaultOutput
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
