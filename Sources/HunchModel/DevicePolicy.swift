/// The person's settings for a device. Nothing happens automatically unless it was switched on.
public struct DevicePolicy: Hashable, Sendable, Codable {
    /// Whether to make suggestions when the device is ready.
    public var suggests = true
    /// Whether to continue playback when the device is ready.
    public var resumes = false
    /// Whether to pause playback when the device disconnects.
    public var pauses = false
    /// The device at the time of the setting, for its name while it is disconnected; `nil` if it was not known.
    public var device: AudioDevice?

    /// Creates the default settings.
    public init() {}

    /// Whether these are the default settings.
    public var isDefault: Bool {
        var bare = self
        bare.device = nil
        return bare == DevicePolicy()
    }
}
