import Foundation
import Geocoding

/// The meaning of GeoNames' feature class and code. Source: GeoNames' `featureCodes.txt`.
struct GeoNamesFeature {
    let kind: PlaceKind
    /// The importance, 0…1. For towns, it grows with the logarithm of the population.
    let importance: Double

    init(class feature: String, code: String, population: Int) {
        // 10^7.6 is 40 million, more people than any city has.
        let people = log10(1 + Double(max(population, 0))) / 7.6
        switch feature {
        case "P":
            kind = code == "PPLX" ? .suburb : .city
            let seat = code == "PPLC" ? 0.08 : code == "PPLA" ? 0.04 : 0
            importance = min(1, 0.05 + 0.85 * people + seat)
        case "A":
            kind = code.hasPrefix("PCL") ? .country : code == "ADM1" ? .state : .district
            // A district is less important than the town of the same name, which people usually mean.
            importance = kind == .country ? 0.9 : kind == .state ? 0.6 : min(0.4, 0.2 + 0.4 * people)
        case "S":
            kind =
                ["AIRP", "AIRF", "AIRB", "AIRH"].contains(code)
                ? .airport
                : ["RSTN", "BUSTN", "MTRO", "TRANT"].contains(code) ? .transport : .spot
            // For a large airport, the column has the passengers of a year: ten million are as important as 500,000 people.
            importance = code == "AIRP" ? max(0.35, 0.8 * (0.05 + 0.85 * people)) : 0.12
        case "R": (kind, importance) = (.transport, 0.12)
        case "H", "U": (kind, importance) = (.water, 0.15)
        case "L": (kind, importance) = (.park, 0.15)
        case "T": (kind, importance) = (.terrain, 0.15)
        default: (kind, importance) = (.other, 0.1)
        }
    }
}
