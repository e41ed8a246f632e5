public import HunchModel
import Localization

extension TransportMode {
    /// The names of all modes, comma-separated, for error messages.
    static let words = allCases.map(\.rawValue).joined(separator: ", ")

    /// Returns the families of modes: car, bike, walking, public transport, rides, and others.
    static func families(_ modes: some Sequence<TransportMode>) -> Set<Int> {
        modes.reduce(into: []) { $0.insert(family(of: $1)) }
    }

    private static func family(of mode: TransportMode) -> Int {
        switch mode {
        case .car: 0
        case .bike: 1
        case .pedestrian: 2
        case .taxi, .rideShare: 3
        case .plane: 4
        case .other: 5
        default: 6
        }
    }

    /// Returns the modes of a word: a mode's own name in any case, `transit` for all public transport, or the
    /// colloquial `walk`, `drive`, `cycle`, `tram` and `metro`; `nil` for any other word.
    public static func named(_ word: String) -> Set<TransportMode>? {
        switch word.lowercased() {
        case "transit": transit
        case "walk", "walking", "foot": [.pedestrian]
        case "drive", "driving": [.car]
        case "cycle", "cycling", "bicycle": [.bike]
        case "tram": [.streetcar]
        case "metro", "underground": [.subway]
        case let word: allCases.first { $0.rawValue.lowercased() == word }.map { [$0] }
        }
    }

    /// Returns the modes in words for a user: “by bike”, “by car or on foot”, “by public transport”; empty for none.
    public static func phrase(_ modes: some Sequence<TransportMode>) -> String {
        if Set(modes) == transit { return localized("by public transport") }
        let phrases = modes.map(\.phrase)
        return phrases.dropFirst().reduce(phrases.first ?? "") { localized("%1 or %2", $0, $1) }
    }

    private var phrase: String {
        switch self {
        case .car: localized("by car")
        case .bus: localized("by bus")
        case .train: localized("by train")
        case .subway: localized("by subway")
        case .streetcar: localized("by tram")
        case .plane: localized("by plane")
        case .bike: localized("by bike")
        case .ferry: localized("by ferry")
        case .taxi: localized("by taxi")
        case .pedestrian: localized("on foot")
        case .rideShare: localized("by ride share")
        case .other: localized("by other means")
        }
    }
}
