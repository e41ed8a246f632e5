internal import HunchModel
internal import Regions

/// The use of each app by country and kind of travel: rough estimates with years and sources, from `Data/use.txt`.
struct AppUse: Sendable {
    /// A kind of travel for which people choose different apps.
    enum Kind: String, CaseIterable {
        case car, transit, train, bike, foot, ride

        fileprivate init?(_ mode: TransportMode) {
            switch mode {
            case .car: self = .car
            case .bike: self = .bike
            case .pedestrian: self = .foot
            case .taxi, .rideShare: self = .ride
            case .bus, .train, .subway, .streetcar, .ferry: self = .transit
            case .plane, .other: return nil
            }
        }

        /// Returns the kinds of a request, with their weights: how likely each is meant if the request has no mode.
        fileprivate static func weighted(_ modes: [TransportMode]) -> [(kind: Kind, weight: Double)] {
            if modes.isEmpty { return [(.car, 0.5), (.transit, 0.3), (.foot, 0.1), (.bike, 0.1)] }
            if modes == [.train] { return [(.train, 1)] }
            let kinds = Set(modes.compactMap(Self.init))
            return kinds.map { ($0, 1 / Double(kinds.count)) }
        }
    }

    /// One line of the table.
    struct Line {
        /// The code of the country, or ``AppUse/world``.
        let region: String
        let kind: Kind
        /// The year that the estimate describes.
        let year: Int
        /// The share of the people who use each app where it serves, 0…1.
        let shares: [AppID: Double]
        /// The reports behind the estimate.
        let source: String
    }

    /// The region of the lines for countries without lines of their own.
    static let world = "world"
    /// The table and the outlines of its countries.
    static let known = AppUse(
        text: String(decoding: PackageResources.use_txt, as: UTF8.self),
        outlines: String(decoding: PackageResources.countries_geojson, as: UTF8.self))

    /// The lines, in the order of the file.
    let lines: [Line]
    /// The lines that cannot be read.
    let unreadable: [String]
    /// The outlines of the countries; `nil` if they cannot be loaded.
    let countries: RegionIndex?
    private let table: [String: [Kind: [AppID: Double]]]

    init(text: String, outlines: String) {
        var (lines, unreadable): ([Line], [String]) = ([], [])
        for row in text.split(separator: "\n") where !row.hasPrefix("#") {
            if let line = Line(row) { lines.append(line) } else { unreadable.append(String(row)) }
        }
        self.lines = lines
        self.unreadable = unreadable
        table = lines.reduce(into: [:]) { $0[$1.region, default: [:]][$1.kind] = $1.shares }
        countries = try? RegionIndex(document: outlines, name: "countries.geojson")
    }

    /// Returns the code of the country that contains a position; `nil` if it has no lines of its own.
    func country(of position: Coordinate) -> String? { countries?.regions(containing: position).first }

    /// Returns the share of the people in a country who look up routes by these modes and use each app, 0…1. Apps that
    /// are hardly used are missing.
    ///
    /// - Parameters:
    ///   - country: the country of the destination; `nil` if unknown.
    ///   - modes: the requested modes; empty for any.
    func shares(in country: String?, by modes: [TransportMode]) -> [AppID: Double] {
        Kind.weighted(modes).reduce(into: [:]) { shares, part in
            for (app, share) in entries(in: country, part.kind) { shares[app, default: 0] += part.weight * share }
        }
    }

    private func entries(in country: String?, _ kind: Kind) -> [AppID: Double] {
        for region in [country, Self.world] {
            guard let region, let lines = table[region] else { continue }
            if let shares = lines[kind] ?? (kind == .train ? lines[.transit] : nil) { return shares }
        }
        return [:]
    }
}

extension AppUse.Line {
    /// Reads a line such as `US | car | 2023 | com.google.maps 65, com.waze 14 | surveys`; `nil` if it is wrong.
    fileprivate init?(_ row: Substring) {
        let cells = row.split(separator: "|").map { $0.split(separator: " ").joined(separator: " ") }
        guard cells.count == 5, let kind = AppUse.Kind(rawValue: cells[1]), let year = Int(cells[2]) else { return nil }
        var shares: [AppID: Double] = [:]
        for pair in cells[3].split(separator: ",") {
            let words = pair.split(separator: " ")
            guard words.count == 2, let share = Double(words[1]), (0...100).contains(share),
                shares.updateValue(share / 100, forKey: AppID(String(words[0]))) == nil
            else { return nil }
        }
        (region, self.kind, self.year, self.shares, source) = (cells[0], kind, year, shares, cells[4])
    }
}
