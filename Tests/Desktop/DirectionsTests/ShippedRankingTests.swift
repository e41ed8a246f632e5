import Directions
import FoundationEssentials
import HunchModel
import Prediction
import Regions
import TestSupport
import Testing

@Suite("Ranking of the shipped services")
struct ShippedRankingTests {
    private static let folder =
        "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/") + "/Regions"

    private func offers(
        _ request: DirectionsRequest, _ machine: Machine, defaultHandler: AppID? = nil,
        preferences: [AppID: RoutingHabits.Choice] = [:]
    ) throws -> [DirectionsPlan.Offer] {
        let regions = try RegionIndex(folders: [CoverageFolder(path: Self.folder)])
        let catalogue = RoutingAppCatalogue(
            regions: regions, installed: machine.installed, defaultHandler: defaultHandler)
        return catalogue.plan(for: request, preferences: preferences).offers
    }

    @Test(
        "By car, national services rank among the first three",
        arguments: [
            (55.75, 37.62, ["com.yandex.maps", "ru.2gis"]), (39.9, 116.4, ["com.baidu.map", "com.qq.map"]),
            (35.68, 139.76, ["jp.co.yahoo.map"]), (37.56, 126.97, ["com.kakao.map"]),
            (50.08, 14.43, ["com.mapy"]),
        ])
    func national(latitude: Double, longitude: Double, apps: [AppID]) async throws {
        try await withMachine { machine in
            let request = DirectionsRequest(
                to: try place(latitude, longitude), from: .place(try place(latitude - 0.1, longitude)), by: [.car])
            #expect(Set(try offers(request, machine).map(\.app.id).prefix(3)).isSuperset(of: apps))
        }
    }

    @Test(
        "Apps that carry the time precede those that cannot",
        arguments: [[52.4, 13.07], [40.1, -83.1], [35.68, 139.76]])
    func time(end: [Double]) async throws {
        try await withMachine { machine in
            try machine.install("marble_geo", "Exec=marble %u\nMimeType=x-scheme-handler/geo;")
            let later = DirectionsRequest.Time.departure(Date(timeIntervalSince1970: 2e9))
            // In the United States, a time alone is that of a drive.
            let all: [Set<TransportMode>] = [[], [.train], [.bike]]
            for modes in all where !modes.isEmpty || end[1] > 0 {
                let request = DirectionsRequest(to: try town(end[0], end[1], name: "There"), by: modes, at: later)
                // National planners of another country come last.
                let five = try offers(request, machine, defaultHandler: "marble_geo").prefix(5)
                    .filter { $0.app.id != "at.oebb.scotty" }
                let carry = five.map { $0.missing.isEmpty || $0.cautions.contains(.mayNotServe) }
                #expect(carry == carry.sorted { $0 && !$1 }, "\(five.map { ($0.app.id, $0.missing) })")
                let habit: [AppID: RoutingHabits.Choice] = [
                    "com.google.maps": RoutingHabits.Choice(likelihood: 0.3, explanation: [])
                ]
                let first = try #require(try offers(request, machine, preferences: habit).first)
                #expect(first.app.id == "com.google.maps" && first.missing.contains(.time), "\(modes)")
            }
        }
    }

    @Test(
        "The apps that people use rank first, and no pin among five",
        arguments: [
            // Rural Ohio: without a source Waze can show the route, too.
            ([40.1, -83.1], nil, [.car], ["com.google.maps", "com.waze", "com.apple.maps"]),
            ([40.1, -83.1], [40.3, -83], [.car], ["com.google.maps", "com.apple.maps"]),
            ([52.4, 13.07], [52.52, 13.4], [], ["com.google.maps", "de.bahn"]),
            ([52.4, 13.07], [52.52, 13.4], [.train], ["de.bahn"]),
            ([52.5, 13.35], [52.52, 13.4], [.bus, .train, .subway], ["de.bvg", "de.bahn", "com.google.maps"]),
            ([37.5, 127], [37.56, 126.97], [.car], ["com.kakao.map"]),
            ([50.1, 14.5], [50.08, 14.43], [.bike], ["com.mapy"]),
            ([32.08, 34.78], nil, [.car], ["com.waze"]), ([35.7, 51.4], nil, [.car], ["ir.neshan", "ir.balad"]),
            ([-1.29, 36.82], [-1.3, 36.8], [.car], ["com.google.maps"]),
        ] as [([Double], [Double]?, Set<TransportMode>, [AppID])])
    func used(to end: [Double], from start: [Double]?, by modes: Set<TransportMode>, apps: [AppID]) async throws {
        try await withMachine { machine in
            for app in ["org.gnome.Maps", "marble_geo"] {
                try machine.install(app, "Exec=\(app) %u\nMimeType=x-scheme-handler/geo;")
            }
            let request = DirectionsRequest(
                to: try town(end[0], end[1], name: "There"),
                from: try start.map { .place(try town($0[0], $0[1], name: "Here")) } ?? .unknown, by: modes)
            let five = try offers(request, machine, defaultHandler: "marble_geo").prefix(5)
            #expect(Set(five.map(\.app.id).prefix(apps.count)) == Set(apps), "\(five.map(\.app.id))")
            #expect(five.allSatisfy { $0.app.opening == .route && $0.missing.isEmpty }, "\(five.map(\.app.id))")
            let cautions = five.flatMap(\.cautions).map(\.description)
            for offer in five { #expect(offer.explanation.texts.contains { !cautions.contains($0) }) }
        }
    }

    @Test("Where people drive, a time alone does not ask for a timetable")
    func drivers() async throws {
        try await withMachine { machine in
            let later = DirectionsRequest.Time.departure(Date(timeIntervalSince1970: 2e9))
            func isForCars(_ end: (Double, Double), by modes: Set<TransportMode> = []) throws -> Bool {
                let request = DirectionsRequest(to: try town(end.0, end.1, name: "There"), by: modes, at: later)
                return try #require(try offers(request, machine).first).app.modes.contains(.car)
            }
            let found = [
                try isForCars((39.96, -83)), try isForCars((39.96, -83), by: [.bus]), try isForCars((52.52, 13.4)),
            ]
            #expect(found == [true, false, false])
        }
    }

    @Test("The railway of another country follows the apps of the country")
    func foreign() async throws {
        try await withMachine { machine in
            func apps(to end: (Double, Double), at time: DirectionsRequest.Time?) throws -> [AppID] {
                let request = DirectionsRequest(
                    to: try town(end.0, end.1, name: "There"), from: .place(try town(52.52, 13.4, name: "Here")),
                    by: [.train], at: time)
                return try offers(request, machine).map(\.app.id)
            }
            let later = DirectionsRequest.Time.departure(Date(timeIntervalSince1970: 2e9))
            for time in [nil, later] {
                let german = try apps(to: (48.14, 11.56), at: time)
                let austrian = try #require(german.firstIndex(of: "at.oebb.scotty"))
                for app in ["de.bahn", "com.google.maps", "org.transitous"] as [AppID] {
                    #expect(try #require(german.firstIndex(of: app)) < austrian, "\(german)")
                }
                #expect(try apps(to: (48.21, 16.37), at: time).prefix(3).contains("at.oebb.scotty"))
            }
        }
    }

    @Test("A taxi is replaced by a car, and a plane by public transport")
    func instead() async throws {
        try await withMachine { machine in
            let regions = try RegionIndex(folders: [CoverageFolder(path: Self.folder)])
            let catalogue = RoutingAppCatalogue(regions: regions, installed: machine.installed, defaultHandler: nil)
            func plan(by modes: Set<TransportMode>) throws -> DirectionsPlan {
                catalogue.plan(
                    for: DirectionsRequest(
                        to: try place(48.14, 11.56), from: .place(try place(52.52, 13.4)), by: modes))
            }
            let pairs: [(TransportMode, Set<TransportMode>)] = [(.taxi, [.car]), (.plane, TransportMode.transit)]
            for (mode, instead) in pairs {
                let plan = try plan(by: [mode])
                #expect(plan.modesInstead.map(Set.init) == instead && plan.request.modes == [mode])
                #expect(!plan.offers.isEmpty && plan.offers.allSatisfy { instead.isSuperset(of: $0.modes) })
            }
            #expect(try plan(by: [.car]).modesInstead == nil)
            // Words without a coordinate
            let zoo = catalogue.plan(for: DirectionsRequest(to: MapItem(query: "zoo"), by: [.taxi]))
            #expect(zoo.modesInstead == [.car] && zoo.offers.first?.app.id == "com.google.maps")
        }
    }

    @Test(
        "By train the national railway ranks first",
        arguments: [
            (52.37, 4.89, 52.08, 4.31, "nl.ns"), (47.37, 8.55, 46.92, 7.47, "ch.sbb"),
            (48.87, 2.33, 45.75, 4.85, "com.sncf-connect"), (50.08, 14.47, 49.2, 16.63, "cz.cd"),
            (53.35, -6.26, 51.9, -8.47, "ie.irishrail.journeyplanner"),
            (35.69, 139.75, 34.67, 135.5, "jp.co.yahoo.transit"),
        ])
    func railways(
        fromLatitude: Double, fromLongitude: Double, latitude: Double, longitude: Double, app: AppID
    ) async throws {
        try await withMachine { machine in
            let request = DirectionsRequest(
                to: try town(latitude, longitude, name: "There"),
                from: .place(try town(fromLatitude, fromLongitude, name: "Here")), by: [.train])
            #expect(try offers(request, machine).first?.app.id == app)
        }
    }

    @Test(
        "A foreign railway is not in the first five within a city",
        arguments: [
            (48.86, 2.35, "at.oebb.scotty"), (48.86, 2.35, "de.bahn"), (41.9, 12.5, "at.oebb.scotty"),
            (52.52, 13.4, "at.oebb.scotty"), (48.2, 16.37, "de.bahn"), (47.37, 8.54, "de.bahn"),
        ])
    func foreignRailways(latitude: Double, longitude: Double, app: AppID) async throws {
        try await withMachine { machine in
            let request = DirectionsRequest(
                to: try place(latitude, longitude, name: "There"),
                from: .place(try place(latitude - 0.03, longitude, name: "Here")),
                by: [.bus, .train, .subway, .streetcar, .ferry])
            #expect(!(try offers(request, machine)).prefix(5).map(\.app.id).contains(app))
        }
    }

    @Test("No land route is promised across the Atlantic")
    func ocean() async throws {
        try await withMachine { machine in
            for mode in [TransportMode.car, .pedestrian, .bike, .train] {
                let request = DirectionsRequest(
                    to: try place(40.71, -74.01, name: "New York"),
                    from: .place(try place(52.52, 13.4, name: "Berlin")), by: [mode])
                for offer in try offers(request, machine) where offer.app.opening == .route {
                    #expect(offer.cautions.contains(.mayNotServe), "\(offer.app.id) by \(mode)")
                }
            }
        }
    }

    @Test("A city planner does not promise a route from London to Paris")
    func cities() async throws {
        try await withMachine { machine in
            let request = DirectionsRequest(
                to: try place(48.86, 2.35), from: .place(try place(51.5, -0.12)), by: [.train])
            let citymapper = try offers(request, machine).first { $0.app.id == "com.citymapper" }
            #expect(citymapper?.cautions.contains(.mayNotServe) == true)
        }
    }

    @Test("A city planner does not precede others for a journey to a town", arguments: [[52.52, 13.4], nil])
    func toTown(start: [Double]?) async throws {
        try await withMachine { machine in
            let arrival = DirectionsRequest.Time.arrival(Date(timeIntervalSince1970: 2e9))
            for (end, modes) in [([53.58, 10.02], []), ([41.85, -87.65], [.train])] as [([Double], Set<TransportMode>)]
            {
                let request = DirectionsRequest(
                    to: try town(end[0], end[1], name: "There"),
                    from: try start.map { .place(try place($0[0], $0[1])) } ?? .unknown, by: modes, at: arrival)
                #expect(try offers(request, machine).first?.app.id != "com.citymapper")
            }
            let inTown = DirectionsRequest(
                to: try place(41.85, -87.65), from: .place(try place(41.9, -87.7)), by: [.bus], at: arrival)
            let citymapper = try #require(try offers(inTown, machine).first { $0.app.id == "com.citymapper" })
            #expect(!citymapper.cautions.contains(.mayNotServe))
        }
    }

    @Test("A source in words can be combined with a known town by public transport")
    func sourceInWords() async throws {
        try await withMachine { machine in
            let request = DirectionsRequest(
                to: try town(53.58, 10.02, name: "Hamburg"), from: .place(MapItem(query: "Dorf")),
                by: TransportMode.transit)
            let offers = try offers(request, machine)
            let google = try #require(offers.first)
            #expect(google.app.id == "com.google.maps" && google.missing.isEmpty, "\(offers.map(\.app.id))")
            #expect(google.launch.uri.contains("origin=Dorf&destination=Hamburg&travelmode=transit"))
        }
    }

    @Test(
        "Coverage ends at the border of its country",
        arguments: [
            ("ru.2gis", 50.45, 30.52), ("com.yandex.maps", 50.45, 30.52), ("com.yandex.maps", 54.69, 25.28),
            ("com.yandex.go", 54.69, 25.28), ("de.stadtnavi.herrenberg", 47.56, 7.59),
            ("de.stadtnavi.herrenberg", 48.58, 7.75), ("fi.waltti.opas", 60.17, 24.94),
        ])
    func borders(app: AppID, latitude: Double, longitude: Double) async throws {
        try await withMachine { machine in
            let request = DirectionsRequest(to: try place(latitude, longitude))
            let offer = try offers(request, machine).first { $0.app.id == app }
            #expect(offer == nil || offer?.cautions.contains(.mayNotServe) == true)
        }
    }

    @Test("Google Maps is suggested for bicycles")
    func bicycles() async throws {
        try await withMachine { machine in
            let request = DirectionsRequest(
                to: try place(52.52, 13.4), from: .place(try place(52.5, 13.3)), by: [.bike])
            let google = try #require(try offers(request, machine).first { $0.app.id == "com.google.maps" })
            #expect(google.cautions.isEmpty)
            #expect(google.launch.uri.hasSuffix("&origin=52.5%2C13.3&destination=52.52%2C13.4&travelmode=bicycling"))
        }
    }

    @Test("A known source can be combined with a destination in words")
    func startOfSearches() async throws {
        try await withMachine { machine in
            let request = DirectionsRequest(
                to: MapItem(query: "Rathaus"), from: .place(try place(53.55, 10)), by: [.car])
            let offers = try offers(request, machine)
            for app: AppID in [
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
