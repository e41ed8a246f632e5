import Directions
import FoundationEssentials
import HunchModel
import JSON
import MapLinks
import Places
import Regions
import SeededRandom
import TestSupport
import Testing

@Suite("Shipped coverage files")
struct ShippedCoverageTests {
    private func catalogue(_ machine: Machine) throws -> RoutingAppCatalogue {
        let regions = try RegionIndex(folders: [CoverageFolder(path: Self.folder)])
        return RoutingAppCatalogue(regions: regions, installed: machine.installed, defaultHandler: nil)
    }

    private static let folder =
        "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/") + "/Regions"

    @Test("All files are valid and state their claim, source and date")
    func sound() async throws {
        try await withMachine { machine in
            let catalogue = try catalogue(machine)
            #expect(catalogue.regions.problems.isEmpty, "\(catalogue.regions.problems)")
            #expect(catalogue.problems.isEmpty, "\(catalogue.problems)")
            #expect(catalogue.apps.count >= 80)
            #expect(catalogue.apps.filter { $0.kind == .native }.count >= 3)
            var countries: Set<String> = []
            for region in catalogue.regions.regions {
                let word = region.properties["coverage"]?.string
                #expect(["stated", "estimate"].contains(word), "\(region.id)")
                let origin = try #require(region.properties["origin"]?.object, "\(region.id)")
                for key in ["claim", "source", "date", "licence", "accuracy"] {
                    #expect(origin[key]?.string?.isEmpty == false, "\(region.id): origin.\(key)")
                }
                let link = try #require(region.properties["link"]?.object, "\(region.id)")
                #expect(link["documentation"]?.string?.hasPrefix("https://") == true, "\(region.id)")
                for date in [origin["date"], link["checked"]] {
                    #expect(date?.string?.wholeMatch(of: /20\d\d-\d\d-\d\d/) != nil, "\(region.id)")
                }
                #expect(
                    ["documentation", "source code", "observed"].contains(link["evidence"]?.string), "\(region.id)")
                #expect(region.file.hasSuffix("/\(region.id).geojson"), "\(region.id)")
                #expect(region.positionCount <= 400, "\(region.id)")
                countries.formUnion(origin["countries"]?.strings ?? [])
            }
            #expect(countries.count >= 40)
        }
    }

    @Test(
        "Public transport is suggested only where it exists",
        arguments: [
            ("fi.hsl.reittiopas", 60.1699, 24.9384, true), ("fi.hsl.reittiopas", 60.2055, 24.6559, true),
            ("fi.hsl.reittiopas", 61.4978, 23.7610, false), ("fi.matka.opas", 61.4978, 23.7610, true),
            ("fi.matka.opas", 69.9083, 27.0289, true), ("fi.matka.opas", 60.0973, 19.9348, true),
            ("fi.matka.opas", 59.3293, 18.0686, false), ("fi.matka.opas", 59.4370, 24.7536, false),
            ("no.entur", 59.9139, 10.7522, true), ("no.entur", 69.6492, 18.9553, true),
            ("no.entur", 70.0744, 29.7487, true), ("no.entur", 57.7089, 11.9746, false),
            ("uk.gov.tfl", 51.5007, -0.1246, true), ("uk.gov.tfl", 51.4700, -0.4543, true),
            ("uk.gov.tfl", 52.4862, -1.8904, false), ("com.google.maps", 35.6812, 139.7671, true),
            ("com.google.maps", 40.7128, -74.0060, true), ("com.google.maps", 48.8566, 2.3522, true),
            ("de.bahn", 52.5251, 13.3694, true), ("de.bahn", 40.7128, -74.0060, false),
            ("ch.sbb", 46.9490, 7.4391, true), ("at.oebb.scotty", 48.1850, 16.3780, true),
            ("nl.ns", 52.0894, 5.1100, true), ("com.sncf-connect", 48.8443, 2.3735, true),
            ("dk.rejseplanen", 55.6728, 12.5645, true), ("se.resrobot.reseplanerare", 59.3300, 18.0580, true),
            ("hu.bkk.futar", 47.5003, 19.0839, true), ("cz.idnes.idos", 50.0830, 14.4350, true),
            ("info.transportnsw", -33.8830, 151.2070, true), ("jp.co.yahoo.transit", 35.6812, 139.7671, true),
        ])
    func transit(app: AppID, latitude: Double, longitude: Double, isServed: Bool) async throws {
        try await withMachine { machine in
            let there = try town(latitude, longitude, name: "Here")
            let request = DirectionsRequest(to: there, from: .place(there), by: [.bus, .train])
            let plan = try catalogue(machine).plan(for: request)
            #expect(plan.offers.contains { $0.app.id == app } == isServed)
        }
    }

    @Test("A written link is read back as the same place")
    func roundTrips() async throws {
        try await withMachine { machine in
            var random = SplitMix64(seed: 15)
            let parser = PlaceParser()
            // There the position is only the middle of the map, and the words are the destination.
            let apps = try catalogue(machine).apps.filter { $0.id != "ar.gob.buenosaires.comollego" }
            for app in apps {
                for template in app.services.map(\.template) {
                    for _ in 0..<5 {
                        // Within China and around it the maps of Chinese publishers are shifted.
                        let destination = try place(
                            Double.random(in: -60...60, using: &random),
                            Double.random(in: -170 ... -20, using: &random),
                            name: "Café Alex, Mitte")
                        let source = try place(
                            Double.random(in: -60...60, using: &random),
                            Double.random(in: -170 ... -20, using: &random),
                            name: "Tor")
                        let request = DirectionsRequest(to: destination, from: .place(source))
                        let mode = template.modeWords.keys.sorted { $0.rawValue < $1.rawValue }.first
                        guard let link = template.link(for: request, mode: mode), !link.isSearch else { continue }
                        let read = try? parser.parse(link.uri).item.coordinate
                        let there = try #require(destination.coordinate)
                        #expect(read.map { $0.distance(to: there) < 1 } == true, "\(app.id): \(link.uri)")
                    }
                }
            }
        }
    }

    @Test(
        "A nameless place gets no name if the service needs none",
        arguments: [
            ("com.here.wego", "https://share.here.com/r/37.79,-122.39/37.8,-122.4?m=d"),
            ("com.bing.maps", "https://www.bing.com/maps?rtp=pos.37.79_-122.39~pos.37.8_-122.4&mode=D"),
        ])
    func namelessPlaces(app: AppID, link: String) async throws {
        try await withMachine { machine in
            let request = DirectionsRequest(
                to: try place(37.8, -122.4), from: .place(try place(37.79, -122.39)), by: [.car])
            let offer = try #require(try catalogue(machine).plan(for: request).offers.first { $0.app.id == app })
            #expect(offer.app.services[0].template.link(for: request, mode: .car)?.uri == link)
        }
    }

    @Test("Driving works nearly everywhere, and rides where available")
    func others() async throws {
        try await withMachine { machine in
            let catalogue = try catalogue(machine)
            func web(_ latitude: Double, _ longitude: Double, _ mode: TransportMode) throws -> Set<AppID> {
                let plan = catalogue.plan(for: DirectionsRequest(to: try place(latitude, longitude), by: [mode]))
                return Set(plan.offers.map(\.app.id))
            }
            #expect(try web(37.79, -122.39, .car).isSuperset(of: ["com.google.maps", "com.here.wego", "com.waze"]))
            #expect(try web(37.79, -122.39, .rideShare).isSuperset(of: ["com.uber", "com.lyft"]))
            #expect(try web(-33.87, 151.21, .car).contains("com.bing.maps"))
            #expect(try web(-41.29, 174.78, .car).contains("com.here.wego"))
            // Athens, Bucharest, Reykjavik and Mexico City.
            for (latitude, longitude) in [(37.98, 23.73), (44.43, 26.10), (64.15, -21.94), (19.43, -99.13)] {
                let there = try place(latitude, longitude)
                let offers = catalogue.plan(for: DirectionsRequest(to: there, by: [.car])).offers
                for app: AppID in ["com.bing.maps", "com.here.wego", "com.waze", "com.google.maps"] {
                    #expect(offers.first { $0.app.id == app }?.cautions.contains(.mayNotServe) == false, "\(app)")
                }
            }
            // Google routes no cars in South Korea, but that may change: it is offered further down.
            let seoul = catalogue.plan(for: DirectionsRequest(to: try place(37.5665, 126.9780), by: [.car])).offers
            let google = try #require(seoul.first { $0.app.id == "com.google.maps" })
            #expect(google.cautions.first == .mayNotServe)
            #expect(try web(37.5665, 126.9780, .car).contains("org.openstreetmap.directions"))
            #expect(try web(-18.14, 178.44, .car).contains("com.google.maps"))
        }
    }

    @Test("A limited plan has the first offers of the whole one, and counts all")
    func limited() async throws {
        try await withMachine { machine in
            try machine.install("org.gnome.Maps", "Exec=gapplication launch org.gnome.Maps %U\nDBusActivatable=true")
            let catalogue = try catalogue(machine)
            let cities = [
                (60.17, 24.94), (37.79, -122.39), (48.86, 2.35), (52.52, 13.41), (-34.60, -58.38), (35.68, 139.77),
                (0, -30),
            ]
            var requests = [
                DirectionsRequest(to: MapItem(query: "Yank Sing")),
                DirectionsRequest(to: MapItem(query: "Yank Sing"), by: [.bus]),
            ]
            for (latitude, longitude) in cities {
                let there = try place(latitude, longitude)
                let near = try place(latitude + 0.05, longitude)
                for modes: Set<TransportMode> in [[], [.car], [.bus, .train], [.taxi], [.plane]] {
                    requests.append(DirectionsRequest(to: there, by: modes))
                    requests.append(DirectionsRequest(to: there, from: .place(near), by: modes))
                    requests.append(
                        DirectionsRequest(to: there, from: .place(MapItem(query: "the station")), by: modes))
                }
            }
            for request in requests {
                let whole = catalogue.plan(
                    for: request, excluding: ["com.google.maps"], handingBack: ["org.gnome.Maps"])
                for limit in [1, 4, 64] {
                    let plan = catalogue.plan(
                        for: request, excluding: ["com.google.maps"], handingBack: ["org.gnome.Maps"], limit: limit)
                    #expect(plan.offers == Array(whole.offers.prefix(limit)), "\(request)")
                    #expect(plan.offerCount == whole.offers.count && plan.modesInstead == whole.modesInstead)
                    #expect(plan.omissions.isEmpty)
                }
            }
        }
    }

    @Test("Links have the forms that the services document")
    func links() async throws {
        try await withMachine { machine in
            try machine.install("marble_geo", "Exec=marble --geo-uri=%u\nNoDisplay=true")
            try machine.install("org.gnome.Maps", "Exec=gapplication launch org.gnome.Maps %U\nDBusActivatable=true")
            let catalogue = try catalogue(machine)
            let helsinki = try place(60.1699, 24.9384, name: "Rautatieasema")
            let plan = catalogue.plan(for: DirectionsRequest(to: helsinki, from: .place(try place(60.2, 24.65))))
            let links = Dictionary(uniqueKeysWithValues: plan.offers.map { ($0.app.id, $0.launch) })
            #expect(
                links["org.gnome.Maps"] == DirectionsLaunch(desktopID: "org.gnome.Maps", uri: "geo:60.1699,24.9384"))
            #expect(links["org.kde.marble"] == DirectionsLaunch(desktopID: "marble_geo", uri: "geo:60.1699,24.9384"))
            #expect(
                links["com.google.maps"]?.uri
                    == "https://www.google.com/maps/dir/?api=1&origin=60.2%2C24.65&destination=60.1699%2C24.9384")
            #expect(
                links["org.openstreetmap.directions"]?.uri
                    == "https://www.openstreetmap.org/directions?from=60.2%2C24.65&to=60.1699%2C24.9384")
            #expect(
                links["fi.hsl.reittiopas"]?.uri
                    == "https://reittiopas.hsl.fi/reitti/60.2%2C24.65%3A%3A60.2%2C24.65"
                    + "/Rautatieasema%3A%3A60.1699%2C24.9384")
            #expect(
                links["com.mapy"]?.uri
                    == "https://mapy.com/fnc/v1/route?start=24.65,60.2&end=24.9384,60.1699&routeType=car_fast_traffic")
        }
    }
}
