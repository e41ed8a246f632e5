import CommandSupport

/// The requirements of an app that serves `org.hunch.PlayableContent1`, in the order of the checks.
enum Requirement: String, CaseIterable {
    case desktopEntry = "desktop-entry"
    case interface
    case version
    case list
    case pages
    case identifiers
    case items
    case containers
    case unknownItem = "unknown-item"
    case artwork
    case beginLoading = "begin-loading"
    case nowPlaying = "now-playing"
    case prepareItem = "prepare-item"
    case prepareChoice = "prepare-choice"
    case prepareRepeatedly = "prepare-repeatedly"
    case prepareUnknown = "prepare-unknown"
    case silence
    case context
    case limits
    case wrongTypes = "wrong-types"
    case play
    case playUnknown = "play-unknown"
    case survival

    /// The requirement as a sentence without a full stop.
    var text: String {
        switch self {
        case .desktopEntry: "the desktop entry is installed and names the interface in Implements="
        case .interface: "the object of the app's bus name serves every method that must be there, with its types"
        case .version: "the property Version, if present, is 1"
        case .list: "the root has at least one item, and all that are listed have a title and right types"
        case .pages: "a list reads the same page by page as at once, and ends"
        case .identifiers: "no two items of a list have the same identifier"
        case .items: "ContentItem returns the same as the list of the item"
        case .containers: "only containers have child items"
        case .unknownItem: "an unknown item returns an empty dictionary"
        case .artwork: "pictures are file: URIs of files that are there"
        case .beginLoading: "BeginLoadingChildItems is answered"
        case .nowPlaying: "the property NowPlayingIds, if present, is a list of identifiers"
        case .prepareItem: "an item is prepared within 2 seconds and has a title"
        case .prepareChoice: "asked to choose, the app prepares an item and names it, or declines"
        case .prepareRepeatedly: "asked 20 times at once, it prepares the same each time"
        case .prepareUnknown: "an item that there is not is refused"
        case .silence: "preparing starts nothing"
        case .context: "a change of context has no side effects"
        case .limits: "identifiers beyond the limits are harmless"
        case .wrongTypes: "a call with wrong types is refused"
        case .play: "an item plays within 5 seconds after Play, and is reported as playing"
        case .playUnknown: "to play an item that there is not is refused"
        case .survival: "the app is still the same process on the bus"
        }
    }
}

/// The finding for one requirement.
struct ConformanceFinding: Encodable {
    /// The state of a check or a requirement.
    enum Outcome: String, Encodable {
        case passed
        case failed
        /// It was not checked.
        case skipped

        /// The mark at the start of the line.
        var mark: String {
            switch self {
            case .passed: "✓"
            case .failed: "✗"
            case .skipped: "•"
            }
        }
    }

    let check: String
    let requirement: String
    let outcome: Outcome
    /// The observation instead, or the reason why it was not checked; `nil` if it is met.
    let detail: String?

    /// Writes a line, or one JSON object.
    func tell(json: Bool) throws {
        if json { return try Output.raw(Output.json(self)) }
        try Output.raw("\(outcome.mark) \(Terminal.output.bold(check)): \(requirement)")
        if let detail { try Output.line("    \(outcome == .skipped ? "not checked: " : "")\(Output.cut(detail))") }
    }
}
