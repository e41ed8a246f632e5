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

    /// Whether the agent also offers what fits, as if the trigger had happened; `nil` means that it does not.
    public var isOffered: Bool?

    /// Creates a value with the defaults of all keys.
    public init() {}

    /// The keys.
    public static let keys: [BusKey<Self>] = [
        .key("trigger", \.trigger), .key("device", \.device), .key("kind", \.kind),
        .key("offer", \.isOffered),
    ]

    /// Creates a trigger.
    public init(
        trigger: String? = nil, device: AudioDevice.ID? = nil, kind: String? = nil, isOffered: Bool? = nil
    ) {
        (self.trigger, self.device, self.kind, self.isOffered) = (trigger, device, kind, isOffered)
    }
}
