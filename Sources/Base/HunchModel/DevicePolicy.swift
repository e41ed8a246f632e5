/// The user's settings for a device. Playback starts and stops automatically only if the user turned that on.
public struct DevicePolicy: Hashable, Sendable, Codable {
    /// Whether Hunch makes a suggestion when the device is ready.
    public var suggests = true
    /// Whether playback continues automatically from the device's resume point when the device is ready.
    public var resumes = false
    /// Whether playback pauses when the device disconnects.
    public var pauses = false
    /// The device when the policy was set, to show its name while it is disconnected; `nil` if it was unknown.
    public var device: AudioDevice?

    /// Creates the default policy.
    public init() {}

    /// Whether the policy equals the default, apart from ``device``.
    public var isDefault: Bool {
        var bare = self
        bare.device = nil
        return bare == DevicePolicy()
    }
}
