import HunchModel

/// Maps `route_type` of `routes.txt` to travel modes.
///
/// Source: GTFS Schedule reference, for 0…12; Google Transit, "Extended GTFS Route Types" (after TPEG), for 100…1702.
enum RouteType {
    /// Returns the travel mode of a route type: `other` for aerial lifts, funiculars and unknown types.
    static func mode(_ type: Int) -> TransportMode {
        switch type {
        case 0, 5: .streetcar
        case 1: .subway
        case 2, 12: .train
        case 3, 11: .bus
        case 4: .ferry
        case 100...199, 300...399: .train
        case 200...299: .bus
        // Metro and underground, among the urban railways.
        case 401, 402, 500...699: .subway
        case 400, 403...499: .train
        case 700...899: .bus
        case 900...999: .streetcar
        case 1_000...1_099, 1_200...1_299: .ferry
        case 1_100...1_199: .plane
        case 1_500...1_599: .taxi
        case 1_604: .bike
        case 1_600...1_699: .car
        default: .other
        }
    }
}
