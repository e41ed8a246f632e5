internal import HunchDBus
public import HunchModel

/// An audio device, as `org.hunch.Media1.Devices` reports it.
public struct DeviceReport: BusValue {
    /// The identifier: a Bluetooth address, or the name of a sink or socket.
    public var id: AudioDevice.ID = ""
    /// The name that the user gave it; its identifier if there is none.
    public var name = ""
    /// The kind: `headphones`, `headset`, `earbuds`, `hearingAid`, `speaker`, `car`, `display`, `dock` or `other`.
    public var kind = ""
    /// The transport: `bluetooth`, `wired`, `usb`, `hdmi` or `other`.
    public var transport = ""
    /// Whether it is connected or plugged in, not merely known.
    public var isConnected = false
    /// Whether it has been connected and the default output for one second.
    public var isReady = false
    /// The reason why it is not ready or never became a trigger.
    public var hold: DeviceHold?
    /// Whether Hunch suggests something when it is ready.
    public var suggests = true
    /// Whether Hunch resumes paused playback when it is ready.
    public var resumes = false
    /// Whether Hunch pauses playback on it when it disconnects.
    public var pauses = false
    /// The program to which Hunch leaves pausing.
    public var pausedBy: String?

    /// Creates a value with the defaults of all keys.
    public init() {}

    /// The keys.
    public static let keys: [BusKey<Self>] = [
        .key("id", \.id), .key("name", \.name), .key("kind", \.kind), .key("transport", \.transport),
        .key("connected", \.isConnected), .key("ready", \.isReady), .key("hold", \.hold),
        .key("suggest", \.suggests), .key("resume", \.resumes), .key("pause", \.pauses),
        .key("paused-by", \.pausedBy),
    ]
}
