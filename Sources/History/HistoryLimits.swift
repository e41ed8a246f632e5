/// The bounds of the store. Sizes are bytes of UTF-8.
public enum HistoryLimits {
    /// An application's desktop identifier: at most 255, the length of a D-Bus name.
    public static let application = 255
    /// The word of a donation's or suggestion's kind.
    public static let kind = 128
    /// Entries in a donation's parameters.
    public static let parameterCount = 32
    /// The name of a parameter.
    public static let parameterName = 128
    /// The value of a parameter.
    public static let parameterValue = 4_096
    /// A donor's identifier or group.
    public static let identifier = 1_024
    /// A trigger or a device.
    public static let circumstance = 512
    /// Circumstances of a moment beside trigger, device, hour and weekday.
    public static let furtherCount = 8
    /// The name of such a circumstance.
    public static let furtherName = 32
    /// The value of such a circumstance.
    public static let furtherValue = 128
    /// A suggestion's identifier.
    public static let suggestion = 128
    /// A resume point's item: an identifier or a URL.
    public static let item = 4_096
    /// A resume point's now-playing info, as JSON.
    public static let nowPlaying = 16_384
    /// A line of an export, which may hold what a donation may, with room for escapes.
    public static let exportLine = 1 << 20
    /// An export that is read back: ten times what the most rows of a usual length have.
    public static let export = 4 << 30
    /// Donations, engagements or both in one call.
    public static let batch = 10_000
    /// Donations kept: the newest by arrival.
    public static let donations: Int64 = 2_000_000
    /// Engagements kept: the newest by arrival.
    public static let engagements: Int64 = 100_000
    /// Resume points kept: the newest by date.
    public static let resumePoints = 1_000
    /// Muted pairs kept: the newest by date.
    public static let mutedPairs = 1_000
    /// Items that an app announces as upcoming or as relevant, each.
    public static let announcements = 100
    /// Devices of which the person said what is to be done.
    public static let devicePolicies = 256
    /// A place that was on the screen, as JSON.
    public static let mapItem = 16_384
    /// Places kept that were on the screen: the newest by date, of all apps.
    public static let seenPlaces = 1_000
    /// The same of one app.
    public static let seenPlacesOfApplication = 200
    /// Apps that may read what other apps did.
    public static let readers = 100
    /// Scripts that may donate.
    public static let scripts = 100
    /// Places where the person stays.
    public static let places = 50
    /// Stays kept: the newest.
    public static let stays = 5_000
    /// The default retention, in days.
    public static let defaultRetentionDays = 120
    /// The maximum forward jump of a trusted clock, in seconds: 30 days.
    public static let clockGap: Double = 30 * 86_400
    /// The allowed retention, in days.
    public static let retentionDays = 1...3_650
    /// The default retention, in seconds: 120 days.
    public static let retention = Double(defaultRetentionDays) * 86_400
    /// Apps that are excluded.
    public static let exclusions = 1_000
    /// The text that a place to be forgotten is looked for by.
    public static let place = 1_024
    /// The maximum time by which a date may be ahead of the clock, in seconds: a day, for wrong clocks and time
    /// zones.
    public static let clockSkew: Double = 86_400
}

extension HistoryLimits {
    /// Throws unless `text` is within `limit` bytes and holds no NUL, at which SQLite would cut it.
    static func check(_ text: String?, _ name: String, limit: Int, mayBeEmpty: Bool = false) throws(HistoryError) {
        guard let text else { return }
        guard mayBeEmpty || !text.isEmpty else { throw .invalidInput("the \(name) is empty") }
        let size = text.utf8.count
        guard size <= limit else {
            throw .invalidInput("the \(name) has \(size) bytes; the limit is \(limit)")
        }
        guard !text.utf8.contains(0) else { throw .invalidInput("the \(name) holds a NUL character") }
    }
}
