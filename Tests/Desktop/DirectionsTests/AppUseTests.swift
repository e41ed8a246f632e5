import HunchModel
import Regions
import TestSupport
import Testing

@testable import Directions

@Suite("Use of routing apps by country")
struct AppUseTests {
    @Test("Each line has a known region and app, a year and a source")
    func sound() async throws {
        #expect(AppUse.known.unreadable.isEmpty)
        let folder = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/") + "/Regions"
        let shipped = try RegionIndex(folders: [CoverageFolder(path: folder)])
        let apps = try shipped.regions.compactMap { try RoutingApp(region: $0) }
        let countries = try #require(AppUse.known.countries)
        #expect(countries.problems.isEmpty, "\(countries.problems)")
        var seen: Set<String> = []
        for line in AppUse.known.lines {
            let name = "\(line.region) \(line.kind)"
            #expect(seen.insert(name).inserted, "\(name) occurs twice")
            #expect(line.region == AppUse.world || countries.regions.contains { $0.id == line.region }, "\(name)")
            #expect((2018...2026).contains(line.year) && !line.source.isEmpty, "\(name)")
            for (app, share) in line.shares {
                let modes = apps.filter { $0.id == app }.reduce(into: Set<TransportMode>()) { $0.formUnion($1.modes) }
                #expect(modes.contains { serves($0, line.kind) }, "\(name): \(app)")
                #expect(share > 0 && share < 1, "\(name): \(app)")
            }
        }
        for kind in AppUse.Kind.allCases { #expect(seen.contains("world \(kind)")) }
        for country in countries.regions { #expect(AppUse.known.lines.contains { $0.region == country.id }) }
    }

    private func serves(_ mode: TransportMode, _ kind: AppUse.Kind) -> Bool {
        switch kind {
        case .car: mode == .car
        case .bike: mode == .bike
        case .foot: mode == .pedestrian
        case .ride: [.taxi, .rideShare].contains(mode)
        case .transit: TransportMode.transit.contains(mode)
        case .train: mode == .train
        }
    }

    @Test(
        "A place is in its country, at the coast and at borders",
        arguments: [
            (40.1, -83.1, "US"), (25.77, -80.19, "US"), (61.2, -149.9, "US"), (43.65, -79.38, "CA"),
            (52.4, 13.07, "DE"), (48.86, 2.35, "FR"), (43.3, 5.37, "FR"), (48.58, 7.75, "FR"), (47.56, 7.59, "CH"),
            (35.68, 139.76, "JP"), (37.56, 126.97, "KR"), (22.54, 114.06, "CN"), (22.28, 114.16, nil),
            (59.94, 30.31, "RU"), (43.1, 131.9, "RU"), (66.3, -172, "RU"), (41.39, 2.17, "ES"),
            (38.72, -9.14, nil), (0, -30, nil),
        ] as [(Double, Double, String?)])
    func countries(latitude: Double, longitude: Double, country: String?) throws {
        #expect(AppUse.known.country(of: try Coordinate(latitude: latitude, longitude: longitude)) == country)
    }

    @Test("A line of the country replaces that of the world")
    func lines() {
        let use = AppUse(
            text: """
                # comment
                world | car | 2023 | a 50, b 20 | reports
                world | transit | 2023 | c 60 | reports
                XX | car | 2023 | b 30 | reports
                XX | car | 2023 | b thirty | wrong
                YY | train | 2023 | d 40 | reports
                """, outlines: "")
        #expect(use.unreadable == ["XX | car | 2023 | b thirty | wrong"])
        #expect(use.shares(in: nil, by: [.car]) == ["a": 0.5, "b": 0.2])
        #expect(use.shares(in: "XX", by: [.car]) == ["b": 0.3])
        #expect(use.shares(in: "XX", by: [.train]) == ["c": 0.6])
        #expect(use.shares(in: "YY", by: [.train]) == ["d": 0.4])
        #expect(use.shares(in: "YY", by: [.bus, .train]) == ["c": 0.6])
        #expect(use.shares(in: nil, by: [.plane]).isEmpty)
        // Any mode: mostly by car, then by public transport.
        #expect(use.shares(in: nil, by: []).mapValues { ($0 * 100).rounded() } == ["a": 25, "b": 10, "c": 18])
    }
}
