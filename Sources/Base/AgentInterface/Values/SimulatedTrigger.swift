internal import HunchDBus
public import HunchModel

/// A trigger for `org.hunch.Media1.Simulate`. Without any value, it is the default output or a connected device.
public struct SimulatedTrigger: BusValue {
    /// `login`, `unlock`, `resume`, `arrive:PLACE` or `leave:PLACE`.
    public var trigger: String?
    /// The identifier of a device.
    public var device: AudioDevice.ID?
    /// A kind of device, such as `headphones`.
    public var kind: String?

    /// Creates a value with the defaults of all keys.
    public init() {}

    /// The keys.
    public static let keys: [BusKey<Self>] = [
        .key("trigger", \.trigger), .key("device", \.device), .key("kind", \.kind),
    ]

    /// Creates a trigger.
    public init(trigger: String? = nil, device: AudioDevice.ID? = nil, kind: String? = nil) {
        (self.trigger, self.device, self.kind) = (trigger, device, kind)
    }
}
