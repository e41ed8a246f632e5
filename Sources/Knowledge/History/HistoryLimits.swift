internal import HunchModel
internal import Localization

/// The bounds of the store. Sizes are bytes of UTF-8.
public enum HistoryLimits {
    /// A desktop identifier: at most 255, the length of a D-Bus name.
    public static let application = 255
    /// The kind of a donation or suggestion.
    public static let kind = 128
    /// Entries in a donation's parameters.
    public static let parameterCount = 32
    /// The name of a parameter.
    public static let parameterName = 128
    /// The value of a parameter.
    public static let parameterValue = 4_096
    /// A donor's identifier or group.
    public static let identifier = 1_024
    /// A trigger or a device identifier.
    public static let circumstance = 512
    /// The name of the place or event that a suggestion was about.
    public static let subject = SuggestionSubject.nameLimit
    /// Entries in a context's `further` dictionary.
    public static let furtherCount = 8
    /// A name in `further`.
    public static let furtherName = 32
    /// A value in `further`.
    public static let furtherValue = 128
    /// A suggestion's identifier.
    public static let suggestion = 128
    /// The item of a resume point: an identifier or a URL.
    public static let item = 4_096
    /// The now-playing info of a resume point, as JSON.
    public static let nowPlaying = 16_384
    /// A line of an export. Fits the largest item of the search index (512 KiB), with room for escapes.
    public static let exportLine = 4 << 20
    /// An export to import: ten times the size of the maximum number of rows of usual length.
    public static let export = 4 << 30
    /// Donations or engagements in one call.
    public static let batch = 10_000
    /// Donations kept: the newest by arrival.
    public static let donations: Int64 = 2_000_000
    /// Engagements kept: the newest by arrival.
    public static let engagements: Int64 = 100_000
    /// Suggestions kept with what they named: the newest by date.
    public static let suggestedItems = 1_000
    /// The content that a suggestion named, as JSON.
    public static let suggestedItem = 16_384
    /// Resume points kept: the newest by date.
    public static let resumePoints = 1_000
    /// Muted pairs kept: the newest by date.
    public static let mutedPairs = 1_000
    /// Items in each list that an app announces, upcoming or relevant.
    public static let announcements = 100
    /// Devices with a policy.
    public static let devicePolicies = 256
    /// A seen place, as JSON.
    public static let mapItem = 16_384
    /// Seen places kept over all apps: the newest by date.
    public static let seenPlaces = 1_000
    /// Seen places kept of one app.
    public static let seenPlacesOfApplication = 200
    /// Apps that may read the history of other apps.
    public static let readers = 100
    /// Apps that may or may not read the places that the user looked at.
    public static let placeAccess = 200
    /// Scripts that may donate.
    public static let scripts = 100
    /// Places that the user named.
    public static let ownPlaces = 100
    /// The name of such a place.
    public static let ownPlaceName = 64
    /// Known places of the user.
    public static let places = 50
    /// Stays kept: the newest.
    public static let stays = 5_000
    /// The default retention period in days.
    public static let defaultRetentionDays = 120
    /// The largest forward jump of the clock that is trusted at once, in seconds: 30 days.
    public static let clockGap: Double = 30 * 86_400
    /// The retention periods that the user may choose, in days.
    public static let retentionDays = 1...3_650
    /// The default retention period in seconds: 120 days.
    public static let retention = Double(defaultRetentionDays) * 86_400
    /// Apps that are excluded.
    public static let exclusions = 1_000
    /// The text of a place to forget.
    public static let place = 1_024
    /// The limit for dates in the future, in seconds: one day, to allow for wrong clocks and time zones.
    public static let clockSkew: Double = 86_400
}

extension HistoryLimits {
    /// Throws unless `text` has at most `limit` bytes and no NUL, at which SQLite would cut it.
    package static func check(
        _ text: String?, _ name: @autoclosure () -> String, limit: Int, mayBeEmpty: Bool = false
    ) throws(HistoryError) {
        guard let text else { return }
        guard mayBeEmpty || !text.isEmpty else {
            throw .invalidInput(localized("the %1 is empty", name()))
        }
        let size = text.utf8.count
        guard size <= limit else {
            throw .invalidInput(localized("the %1 has %2 bytes; the limit is %3", name(), size, limit))
        }
        guard !text.utf8.contains(0) else {
            throw .invalidInput(localized("the %1 holds a NUL character", name()))
        }
    }
}
