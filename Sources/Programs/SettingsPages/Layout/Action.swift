public import CommandReports
public import AgentInterface
public import FoundationEssentials
public import HunchModel
internal import Localization

/// The action of a control.
public indirect enum Action: Hashable, Sendable {
    // MARK: The agent

    /// Starts the agent.
    case start
    /// Ends an agent that does not answer, and restarts it.
    case restart
    /// Switches Hunch on or off.
    case enable(Bool)
    /// Pauses Hunch; `nil` until the user resumes it.
    case pause(until: Date?)
    /// Ends a pause.
    case resume

    // MARK: Suggestions

    /// Performs the action of a suggestion.
    case accept(OfferedSuggestion.ID)
    /// Dismisses a suggestion for now.
    case dismiss(OfferedSuggestion.ID)
    /// Ends the mute of an app.
    case unmute(SuggestionPair)

    /// Removes a kept reservation.
    case removeReservation(String)

    // MARK: Devices and apps

    /// Changes the policy of a device.
    case setPolicy(DevicePolicyChange, of: AudioDevice.ID)
    /// Records and suggests an app, or excludes it.
    case include(Bool, AppID)
    /// Allows an app to read what other apps did, or forbids it.
    case allowReading(Bool, AppID)
    /// Allows an app to read the places that the user looked at, or forbids it.
    case allowPlaces(Bool, AppID)
    /// Forbids a script to donate.
    case revokeScript(String)

    // MARK: Privacy

    /// Records a category, or not.
    case record(Bool, category: String)
    /// Sets how long data is kept, in days.
    case keep(days: UInt32)
    /// Switches a setting on or off.
    case set(UserSetting, isOn: Bool)
    /// Forgets recorded data.
    case forget(ForgetScope)
    /// Counts what was recorded since a date, and asks the question before forgetting it.
    case forgetTime(since: Date, question: String)
    /// Exports all data to a file.
    case export(to: String)

    // MARK: Places

    /// Makes Hunch the handler of links to places, or restores the former one.
    case handleLinks(Bool)
    /// Allows a use of the network, or forbids it.
    case allowOnline(Bool, OnlineUse)
    /// Imports places from a file.
    case importPlaces(from: String)
    /// Downloads and imports GeoNames' list of places with 500 people and more.
    case downloadPlaces
    /// Imports the lists of towns that packages have installed.
    case importInstalledPlaces
    /// Removes a source of the gazetteer.
    case removePlaces(source: String)
    /// Sets the place that a name means, such as `home`, from the user's words.
    case setPlace(String, named: String)
    /// Removes a place that the user named.
    case removePlace(String)
    /// Connects the installed browsers to Hunch.
    case connectBrowsers
    /// Draws the coverage of a routing app.
    case drawCoverage(AppID)

    // MARK: The window

    /// Asks the question, and performs the action if the user agrees.
    case ask(Question, then: Action)
    /// Lets the user choose a file, and performs the action with its path.
    case choose(FileChoice)
    /// Searches the history. An empty text shows everything.
    case search(String)
    /// Searches for content of apps. An empty text ends the search.
    case find(String)
    /// Opens an item that the search found, in its app.
    case open(FoundItem)
    /// Continues the search in an app.
    case continueSearch(AppID)
    /// Stops the operation.
    case cancel(Operation.ID)
    /// Shows the history, with the focus in its search field.
    case showHistory
    /// Does nothing: the current choice.
    case none
}

/// A question before an action that cannot be undone.
public struct Question: Hashable, Sendable {
    /// The question.
    public var title: String
    /// The consequences.
    public var text: String
    /// The label of the button that agrees.
    public var agree: String
    /// Whether agreeing destroys something.
    public var isDestructive: Bool

    /// Creates a question.
    public init(title: String, text: String, agree: String, isDestructive: Bool = true) {
        (self.title, self.text, self.agree, self.isDestructive) = (title, text, agree, isDestructive)
    }
}

/// A file that the user chooses.
public enum FileChoice: Hashable, Sendable {
    /// The new file of an export.
    case export
    /// A file with places.
    case places

    /// The suffixes of files that can be imported.
    public static let placeSuffixes = [
        "zip", "gz", "txt", "csv", "tsv", "pbf", "osm", "geojson", "geojsonseq", "geojsonl", "ndjson", "jsonl", "json",
        "xml",
    ]

    /// The action with the chosen file.
    public func action(_ path: String) -> Action {
        switch self {
        case .export: .export(to: path)
        case .places: .importPlaces(from: path)
        }
    }
}

/// An action that needs a text from the user.
public enum TextAction: Hashable, Sendable {
    /// Forgets a place.
    case forgetPlace
    /// Sets the place that a name means.
    case setPlace(named: String)
    /// Searches the history.
    case search
    /// Searches for content of apps.
    case find

    /// Returns the label of a place that the user named in their language, such as `home`. Returns other texts unchanged.
    private static func label(of place: String) -> String {
        let labels = [localizedIn("place", "home"): "home", localizedIn("place", "work"): "work"]
        return labels[place.lowercased()] ?? place
    }

    /// The action with the text; `nil` if the text is blank and the action needs one.
    public func action(_ text: String) -> Action? {
        let text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        switch self {
        case .search: return .search(text)
        case .find: return .find(text)
        case .setPlace(let name): return text.isEmpty ? nil : .setPlace(text, named: name)
        case .forgetPlace:
            if text.isEmpty { return nil }
            return .forgetting(.place(Self.label(of: text)), what: text)
        }
    }
}
