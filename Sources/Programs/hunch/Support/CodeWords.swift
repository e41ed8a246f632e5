import Localization
import Places

/// The words for codes of the agent and of the history, in the user's language. JSON has the codes.
enum CodeWords {
    /// Returns the words for a setting.
    static func setting(_ isOn: Bool) -> String { isOn ? localized("on") : localized("off") }

    /// Returns the words for the state of a source that the agent watches. What follows a colon is a detail.
    static func state(_ code: String) -> String {
        let parts = code.split(separator: ":", maxSplits: 1)
        let words =
            switch parts.first ?? "" {
            case "off": localized("off")
            case "starting": localized("starting")
            case "watching": localized("watching")
            case "absent": localized("absent")
            case "unreachable": localized("unreachable")
            case "activatable": localized("starts when needed")
            case "running": localized("running")
            case "searching": localized("searching")
            case "waiting": localized("waiting")
            case "denied": localized("denied")
            case "partly": localized("partly")
            case "not allowed": localized("not allowed")
            case "no agent": localized("no program asks you")
            default: parts.first.map(String.init) ?? code
            }
        return parts.count > 1 ? "\(words):\(parts[1])" : words
    }

    /// Returns the words for the state of a suggestion.
    static func suggestion(_ code: String) -> String {
        switch code {
        case "offered": localized("offered")
        case "shown": localized("shown")
        case "accepted": localized("accepted")
        default: code
        }
    }

    /// Returns the words for the kind of a place.
    static func place(_ kind: PlaceKind) -> String {
        switch kind {
        case .country: localized("country")
        case .state: localizedIn("place", "state")
        case .district: localized("district")
        case .city: localized("city")
        case .suburb: localized("suburb")
        case .airport: localized("airport")
        case .weatherStation: localized("weather station")
        case .street: localized("street")
        case .house: localized("house")
        case .postalCode: localized("postal code")
        case .transport: localized("transport")
        case .spot: localized("spot")
        case .park: localized("park")
        case .water: localized("water")
        case .terrain: localized("terrain")
        case .seen: localized("seen")
        case .own: localized("own")
        case .other: localized("other")
        default: kind.rawValue
        }
    }
}
