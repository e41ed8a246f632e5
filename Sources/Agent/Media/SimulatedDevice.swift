internal import HunchModel
internal import Surfaces
internal import Triggers

/// Chooses the device that a person means without naming it.
enum SimulatedDevice {
    /// Returns the device of a kind, or of any kind among those that are connected. The one that sound goes to comes first,
    /// then what is connected, then what is of exactly that kind. `nil` when there is none.
    static func find(_ kind: AudioDevice.Kind?, among devices: [DeviceStatus]) -> AudioDevice? {
        func rank(_ status: DeviceStatus) -> Int {
            (status.isReady ? 4 : 0) + (status.isConnected ? 2 : 0) + (status.device.kind == kind ? 1 : 0)
        }
        let meant = devices.filter { kind?.includes($0.device.kind) ?? $0.isConnected }
        return meant.max { rank($0) < rank($1) }?.device
    }
}

extension AudioDevice.Kind {
    /// Whether a person may mean a device of another kind by this word: whatever is worn on the head is headphones.
    func includes(_ other: Self) -> Bool {
        other == self || self == .headphones && [.headset, .earbuds, .hearingAid].contains(other)
    }
}

extension AudioDevice {
    /// The device with a name that is harmless to show and not too long to keep.
    var withShownName: AudioDevice {
        AudioDevice(id: id, name: DisplayText(name, limit: 120).text, kind: kind, transport: transport)
    }
}
