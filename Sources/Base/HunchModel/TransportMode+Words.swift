internal import Localization

extension TransportMode {
    /// The name of the mode for people, as in a list, in their language.
    public var name: String {
        switch self {
        case .car: localizedIn("travel mode", "car")
        case .bus: localizedIn("travel mode", "bus")
        case .train: localizedIn("travel mode", "train")
        case .subway: localizedIn("travel mode", "subway")
        case .streetcar: localizedIn("travel mode", "tram")
        case .plane: localizedIn("travel mode", "plane")
        case .bike: localizedIn("travel mode", "bike")
        case .ferry: localizedIn("travel mode", "ferry")
        case .taxi: localizedIn("travel mode", "taxi")
        case .pedestrian: localizedIn("travel mode", "on foot")
        case .rideShare: localizedIn("travel mode", "ride share")
        case .other: localizedIn("travel mode", "other")
        }
    }

    /// The words for travelling by the mode, after a verb, in the user's language; `nil` for ``other``.
    public var phrase: String? {
        switch self {
        case .car: localizedIn("travelling", "by car")
        case .bus: localizedIn("travelling", "by bus")
        case .train: localizedIn("travelling", "by train")
        case .subway: localizedIn("travelling", "by subway")
        case .streetcar: localizedIn("travelling", "by tram")
        case .plane: localizedIn("travelling", "by plane")
        case .bike: localizedIn("travelling", "by bike")
        case .ferry: localizedIn("travelling", "by ferry")
        case .taxi: localizedIn("travelling", "by taxi")
        case .pedestrian: localizedIn("travelling", "on foot")
        case .rideShare: localizedIn("travelling", "by ride share")
        case .other: nil
        }
    }

    /// Returns the names of modes for people, as a list.
    public static func list(_ modes: some Sequence<TransportMode>) -> String {
        modes.map(\.name).joined(separator: localized(", "))
    }
}
