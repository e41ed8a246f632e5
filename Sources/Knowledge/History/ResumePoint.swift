public import FoundationEssentials
public import HunchModel

/// A resume point: where an app's playback on a device last stopped. There is one per (device, application).
public struct ResumePoint: Hashable, Sendable {
    /// The device of the playback.
    public var device: AudioDevice.ID
    /// Desktop identifier of the app, without `.desktop`.
    public var application: AppID
    /// The app's identifier of the item, or its URL. `nil` if the app gives none and can only be told to resume.
    public var item: String?
    /// The now-playing info, with the position in microseconds.
    public var info: NowPlayingInfo
    /// Whether playback stopped because the device disconnected, and not because the user paused it.
    public var pausedByDisconnect: Bool
    /// The date on which playback was last seen.
    public var date: Date

    /// Creates a resume point.
    public init(
        device: AudioDevice.ID, application: AppID, item: String?, info: NowPlayingInfo, pausedByDisconnect: Bool,
        date: Date
    ) {
        self.device = device
        self.application = application
        self.item = item
        self.info = info
        self.pausedByDisconnect = pausedByDisconnect
        self.date = date
    }
}
