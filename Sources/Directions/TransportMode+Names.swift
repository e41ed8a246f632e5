public import HunchModel

extension TransportMode {
    /// The words of all modes with commas between them, for error messages.
    static let words = allCases.map(\.rawValue).joined(separator: ", ")

    /// Returns the kinds that some modes belong to: by car, by bike, on foot, by public transport, rides, and others.
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

    /// The modes that a word means: one mode by its own name in any case, or `transit` for all public transport, or
    /// `walk`, `drive`, `cycle`, `tram` and `metro` as people say. `nil` for any other word.
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
}
