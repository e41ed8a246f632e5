public import HunchModel
internal import Localization

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
    /// Its link has no word for these modes, which it serves.
    case needsModeWord([TransportMode])
    /// The user excluded it.
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
        case .needsModeWord: "needsModeWord"
        case .muted: "muted"
        case .handedBack: "handedBack"
        }
    }

    /// A few words for a user, in their language.
    public var description: String {
        switch self {
        case .notInstalled: localized("not installed")
        case .modeUnsupported(let modes): localized("only serves %1", TransportMode.list(modes))
        case .outsideCoverage([.source]): localized("does not serve the source")
        case .outsideCoverage([.destination]): localized("does not serve the destination")
        case .outsideCoverage: localized("does not serve the source and the destination")
        case .needsCoordinates: localized("needs the coordinates of the place")
        case .needsSource: localized("needs to know where the route begins")
        case .needsName: localized("needs the names of the places")
        case .needsModeWord(let modes): localized("its link has no word for %1", TransportMode.list(modes))
        case .muted: localized("excluded by you; “hunch exclude --undo” brings it back")
        case .handedBack: localized("hands links back instead of opening them")
        }
    }
}
