import Directions
import HunchModel
import Regions
import TestSupport
import Testing

@Suite("The order in which the shipped services are offered")
struct ShippedRankingTests {
    private static let folder =
        "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/Regions"

    private func offers(_ request: DirectionsRequest, _ machine: Machine) throws -> [DirectionsPlan.Offer] {
        let regions = try RegionIndex(folders: [CoverageFolder(path: Self.folder)])
        let catalogue = RoutingAppCatalogue(regions: regions, installed: machine.installed, defaultHandler: nil)
        return catalogue.plan(for: request).offers
    }

    @Test(
        "An area ends at the border of its country",
        arguments: [
            ("ru.2gis", 50.45, 30.52), ("com.yandex.maps", 50.45, 30.52), ("com.yandex.maps", 54.69, 25.28),
            ("com.yandex.go", 54.69, 25.28), ("de.stadtnavi.herrenberg", 47.56, 7.59),
            ("de.stadtnavi.herrenberg", 48.58, 7.75), ("fi.waltti.opas", 60.17, 24.94),
        ])
    func borders(app: String, latitude: Double, longitude: Double) async throws {
        try await withMachine { machine in
            let request = DirectionsRequest(to: try place(latitude, longitude))
            let offer = try offers(request, machine).first { $0.app.id == app }
            #expect(offer == nil || offer?.cautions.contains(.mayNotServe) == true)
        }
    }

    @Test("A known start goes with a destination in words")
    func startOfSearches() async throws {
        try await withMachine { machine in
            let request = DirectionsRequest(
                to: MapItem(query: "Rathaus"), from: .place(try place(53.55, 10)), by: [.car])
            let offers = try offers(request, machine)
            for app in [
                "com.google.maps", "com.apple.maps", "com.bing.maps", "org.openstreetmap.directions",
                "com.graphhopper.maps",
            ] {
                let offer = try #require(offers.first { $0.app.id == app }, "\(app)")
                #expect(offer.missing.isEmpty && offer.launch.uri.contains("53.55"), "\(offer.launch.uri)")
                #expect(!offer.cautions.contains(.mayNotServe), "\(app)")
            }
        }
    }
}
