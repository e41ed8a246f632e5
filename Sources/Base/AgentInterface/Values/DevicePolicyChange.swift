internal import HunchDBus

/// A change of a device's policy, for `org.hunch.Media1.SetDevicePolicy`. Absent values stay unchanged.
public struct DevicePolicyChange: BusValue {
    /// Whether Hunch suggests something when the device is ready.
    public var suggests: Bool?
    /// Whether Hunch resumes paused playback when the device is ready.
    public var resumes: Bool?
    /// Whether Hunch pauses playback on the device when it disconnects.
    public var pauses: Bool?

    /// Creates a value with the defaults of all keys.
    public init() {}

    /// The keys.
    public static let keys: [BusKey<Self>] = [
        .key("suggest", \.suggests), .key("resume", \.resumes), .key("pause", \.pauses),
    ]

    /// Creates a change.
    public init(suggests: Bool? = nil, resumes: Bool? = nil, pauses: Bool? = nil) {
        (self.suggests, self.resumes, self.pauses) = (suggests, resumes, pauses)
    }
}
