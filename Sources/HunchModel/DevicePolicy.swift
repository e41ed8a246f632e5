/// What the person wants of a device. Nothing happens by itself unless it was switched on.
public struct DevicePolicy: Hashable, Sendable, Codable {
    /// Whether something is suggested when the device is ready.
    public var suggests = true
    /// Whether what stood still on the device goes on by itself when the device is ready.
    public var resumes = false
    /// Whether what plays on the device is paused when the device goes away.
    public var pauses = false
    /// The device when this was set, by which people name it while it is away; `nil` when it was not known.
    public var device: AudioDevice?

    /// What holds for a device of which the person said nothing.
    public init() {}

    /// Whether it is what holds anyway.
    public var isDefault: Bool {
        var bare = self
        bare.device = nil
        return bare == DevicePolicy()
    }
}
