public import HunchModel

/// How a device stands.
public struct DeviceStatus: Hashable, Sendable {
    /// The device.
    public let device: AudioDevice
    /// Whether it is connected or plugged in, rather than only known.
    public let isConnected: Bool
    /// Whether sound goes to it.
    public let isDefault: Bool
    /// Whether it can be played on now.
    public let isReady: Bool
    /// Why it is not ready or was never announced; `nil` when it is ready or not connected.
    public let hold: HoldReason?
}
