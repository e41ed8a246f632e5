internal import Agent
internal import HunchModel
internal import Triggers

/// Chooses the device that a user means by its kind.
enum SimulatedDevice {
    /// Returns the best device of a kind, or of any kind. The default output comes first, then connected devices,
    /// then devices of exactly that kind. `nil` if there is none.
    static func find(_ kind: AudioDevice.Kind?, among devices: [DeviceStatus]) -> AudioDevice? {
        func rank(_ status: DeviceStatus) -> Int {
            (status.isReady ? 4 : 0) + (status.isConnected ? 2 : 0) + (status.device.kind == kind ? 1 : 0)
        }
        let meant = devices.filter { kind?.includes($0.device.kind) ?? $0.isConnected }
        return meant.max { rank($0) < rank($1) }?.device
    }
}

extension AudioDevice.Kind {
    /// Whether a user may mean the other kind by this word. Headsets are headphones.
    func includes(_ other: Self) -> Bool {
        other == self || self == .headphones && [.headset, .earbuds, .hearingAid].contains(other)
    }
}
