import Localization

/// A count in the receipt of forgetting. The raw value is its key in `org.hunch.Privacy1.Forget` and in `--json`, and the order
/// is that of a table.
public enum ForgetCount: String, CaseIterable, Sendable {
    case donations, shownSuggestions, suggestions, resumePoints, mutedPairs, announcements, devicePolicies, ownPlaces
    case seenPlaces, stays, items, setAsideFiles, artwork, cacheFiles
    /// Outcomes of suggestions, which tables do not show.
    case engagements
    /// The extent to which the bytes are gone from the files, as `Scrubbing`; not a count.
    case unfinished

    /// The name of the count for people; `nil` if tables do not show it.
    public var title: String? {
        switch self {
        case .donations: localized("actions")
        case .shownSuggestions: localized("suggestions that were shown")
        case .suggestions: localized("withdrawn suggestions")
        case .resumePoints: localized("positions in songs, episodes and videos")
        case .mutedPairs: localized("muted apps")
        case .announcements: localized("announced items")
        case .devicePolicies: localized("device settings")
        case .ownPlaces: localized("places with a name of yours")
        case .seenPlaces: localized("places on the screen and reservations")
        case .stays: localized("stays at places")
        case .items: localized("content in the search index")
        case .setAsideFiles: localized("damaged files")
        case .artwork: localized("pictures")
        case .cacheFiles: localized("other copies")
        case .engagements, .unfinished: nil
        }
    }
}
