public import HunchModel

/// The status of a device.
public struct DeviceStatus: Hashable, Sendable {
    /// The device.
    public let device: AudioDevice
    /// Whether the device is connected or plugged in, not merely known.
    public let isConnected: Bool
    /// Whether sound goes to it.
    public let isDefault: Bool
    /// Whether the device is ready for playback.
    public let isReady: Bool
    /// The reason why the device is not ready or was never announced; `nil` if it is ready or not connected.
    public let hold: DeviceHold?
}
