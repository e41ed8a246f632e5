public import FoundationEssentials
public import HunchModel

/// The resume point of an app on a device: one for each pair.
public struct ResumePoint: Hashable, Sendable {
    /// The device that it played on.
    public var device: AudioDevice.ID
    /// Desktop identifier of the app, without `.desktop`.
    public var application: String
    /// The app's identifier of the item or its URL; `nil` when the app gives none, and can only be asked to go on.
    public var item: String?
    /// The metadata of the item, with the position in microseconds.
    public var info: NowPlayingInfo
    /// Whether it stopped because the device went away, and not by the person.
    public var pausedByDisconnect: Bool
    /// The date.
    public var date: Date

    /// Makes a resume point.
    public init(
        device: AudioDevice.ID, application: String, item: String?, info: NowPlayingInfo, pausedByDisconnect: Bool,
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
