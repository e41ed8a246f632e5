public import HunchModel

/// Why an app is not offered for a request.
public enum Exclusion: Hashable, Sendable, CustomStringConvertible {
    /// An end of a route.
    public enum End: String, CaseIterable, Hashable, Sendable, Codable {
        /// The source.
        case source
        /// The destination.
        case destination
    }

    /// No installed desktop entry of the app can be handed a link.
    case notInstalled
    /// It serves none of the wanted modes; these are what it serves.
    case modeUnsupported([TransportMode])
    /// It does not serve these ends, in none of the wanted modes.
    case outsideCoverage([End])
    /// The place has no coordinate yet, and the app or its coverage needs one.
    case needsCoordinates
    /// It has no link for a route of which the start is not known.
    case needsSource
    /// It asks for places by their names, and one has none.
    case needsName
    /// The person excluded it.
    case muted
    /// It was just handed this and hands it back: to open it again would go round for ever.
    case handedBack

    /// The word used in JSON output and on the bus.
    public var code: String {
        switch self {
        case .notInstalled: "notInstalled"
        case .modeUnsupported: "modeUnsupported"
        case .outsideCoverage: "outsideCoverage"
        case .needsCoordinates: "needsCoordinates"
        case .needsSource: "needsSource"
        case .needsName: "needsName"
        case .muted: "muted"
        case .handedBack: "handedBack"
        }
    }

    /// A few words for a person.
    public var description: String {
        switch self {
        case .notInstalled: "not installed"
        case .modeUnsupported(let modes): "only serves \(modes.map(\.rawValue).joined(separator: ", "))"
        case .outsideCoverage(let ends):
            "does not serve the \(ends.map(\.rawValue).joined(separator: " and the "))"
        case .needsCoordinates: "needs the coordinates of the place"
        case .needsSource: "needs to know where the route begins"
        case .needsName: "needs the names of the places"
        case .muted: "excluded by you; “hunch exclude --undo” brings it back"
        case .handedBack: "hands links back instead of opening them"
        }
    }
}
