import HunchModel

/// What `route_type` of `routes.txt` says of the vehicle.
///
/// Source: GTFS Schedule reference, routes.txt, 0…12; and the extended types, which follow the hierarchical vehicle types of
/// TPEG: Google Transit, "Extended GTFS Route Types", 100…1702.
enum RouteType {
    /// The way to travel that a type is; `other` for cable cars in the air, funiculars, and what neither list has.
    static func mode(_ type: Int) -> TransportMode {
        switch type {
        case 0, 5: .streetcar
        case 1: .subway
        case 2, 12: .train
        case 3, 11: .bus
        case 4: .ferry
        case 100...199, 300...399: .train
        case 200...299: .bus
        // Of urban railways, metro and underground.
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
