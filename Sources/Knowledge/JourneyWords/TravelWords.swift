package import HunchModel

/// The words and letters for travel modes in links.
package enum TravelWords {
    private static let common: [String: Set<TransportMode>] = {
        let words: [(Set<TransportMode>, [String])] = [
            (
                [.car],
                [
                    "d", "car", "drive", "driving", "auto", "automobile", "vehicle", "motorcycle", "motorbike",
                    "two-wheeler", "l", "truck", "car_fast", "car_fast_traffic", "car_short", "fastest_car",
                ]
            ),
            (
                [.pedestrian],
                ["w", "walk", "walking", "foot", "pedestrian", "pd", "hike", "hiking", "foot_fast", "foot_hiking"]
            ),
            (
                [.bike],
                [
                    "b", "bike", "bicycle", "bicycling", "cycle", "cycling", "bc", "bike_road", "bike_mountain",
                    "fahrrad",
                    "rad",
                ]
            ),
            (
                TransportMode.transit,
                ["r", "transit", "pt", "mt", "masstransit", "public_transport", "publictransport", "public"]
            ),
            ([.taxi], ["taxi"]), ([.rideShare], ["rideshare", "ride-share"]), ([.ferry], ["ferry"]),
            ([.bus], ["bus", "buses", "autobús"]),
            (
                [.plane],
                [
                    "flying", "flight", "flights", "fly", "flug", "flüge", "vol", "vols", "vuelo", "vuelos", "volo",
                    "voli",
                    "voo", "voos", "vlucht",
                ]
            ),
            (
                [.train],
                [
                    "train", "trains", "zug", "züge", "bahn", "tren", "trenes", "treno", "treni", "trem", "comboio",
                    "trein",
                    "treinen", "tåg", "tog", "pociąg", "vlak", "поезд", "потяг",
                ]
            ),
        ]
        var table: [String: Set<TransportMode>] = [:]
        for (modes, names) in words {
            for name in names { table[name] = modes }
        }
        return table
    }()

    /// Returns the modes of a word; empty for an unknown word, which leaves the choice open.
    ///
    /// - Parameter special: the words of a publisher that are not common or have another meaning there.
    package static func modes(_ word: String?, special: [String: Set<TransportMode>] = [:]) -> Set<TransportMode> {
        guard let word = word?.lowercased() else { return [] }
        return special[word] ?? common[word] ?? []
    }
}
