internal import HunchModel

/// The straight-line length of a route, if its ends are known, and whether a sea divides them.
struct RouteLength {
    /// The length in km; `nil` if an end is unknown.
    let kilometres: Double?
    private let isOverseas: Bool

    /// - Parameter start: the position of the start; `nil` if it is not known.
    init(from start: Coordinate?, to destination: MapItem) {
        guard let start, let end = destination.coordinate else {
            (kilometres, isOverseas) = (nil, false)
            return
        }
        kilometres = start.distance(to: end) / 1_000
        let countries = [
            AppUse.known.country(of: start), destination.address?.countryCode ?? AppUse.known.country(of: end),
        ]
        .compactMap(\.self)
        isOverseas = Set(countries).count > 1 && countries.contains(where: Self.islands.contains)
    }

    /// Countries to which no road and no tunnel leads, and no ferry on a usual drive.
    private static let islands: Set<String> = [
        "AU", "BB", "CU", "CV", "FJ", "GL", "IS", "JM", "JP", "KR", "LK", "MG", "MU", "MV", "NZ", "PH", "PR", "TW",
    ]

    /// The length in km of the longest usual journey by ferry between countries.
    private static let longestFerry = 500.0

    /// Returns whether people may travel the whole route by a mode.
    func allows(_ mode: TransportMode) -> Bool {
        let kilometres = kilometres ?? 0
        if mode == .ferry, isOverseas { return kilometres <= Self.longestFerry }
        return kilometres <= mode.reach && (!isOverseas || !mode.isOnLand)
    }
}

extension TransportMode {
    /// The length in km, as the crow flies, beyond which a route by this mode is doubtful. Regions describe where an
    /// app works, not whether land connects two places. 5,000 km exceed the width of most continents.
    fileprivate var reach: Double {
        switch self {
        case .pedestrian: 100
        case .bike: 500
        case .plane, .other: .infinity
        default: 5_000
        }
    }

    fileprivate var isOnLand: Bool { ![.plane, .ferry, .other].contains(self) }
}
