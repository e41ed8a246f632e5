public import HunchModel

/// The reason why an app is not offered for a request.
public enum Exclusion: Hashable, Sendable, CustomStringConvertible {
    /// An end of a route.
    public enum End: String, CaseIterable, Hashable, Sendable, Codable {
        /// The source.
        case source
        /// The destination.
        case destination
    }

    /// No installed desktop entry of the app accepts links.
    case notInstalled
    /// It serves none of the requested modes. The value contains the modes that it serves.
    case modeUnsupported([TransportMode])
    /// It does not serve these ends in any requested mode.
    case outsideCoverage([End])
    /// The place has no coordinate, and the app or its coverage needs one.
    case needsCoordinates
    /// It has no link for a route with an unknown source.
    case needsSource
    /// It needs the names of places, and one has none.
    case needsName
    /// The person excluded it.
    case muted
    /// It just received this request and handed it back. Opening it again would cause a loop.
    case handedBack

    /// The code in JSON output and on the bus.
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
