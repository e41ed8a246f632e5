/// What the person wants of a device. Nothing happens by itself unless it was switched on.
public struct DevicePolicy: Hashable, Sendable, Codable {
    /// Whether something is suggested when the device is ready.
    public var suggests = true
    /// Whether what stood still on the device goes on by itself when the device is ready.
    public var resumes = false
    /// Whether what plays on the device is paused when the device goes away.
    public var pauses = false

    /// What holds for a device of which the person said nothing.
    public init() {}
}
