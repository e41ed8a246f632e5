import Directions
import FoundationEssentials
import HunchModel
import Prediction
import TestSupport
import Testing

@Suite("Ranking and exclusion of apps")
struct PlanTests {
    private let west = "[[0,0],[10,0],[10,10],[0,10],[0,0]]"
    private let east = "[[20,0],[30,0],[30,10],[20,10],[20,0]]"

    private func reasons(_ plan: DirectionsPlan, _ app: AppID) -> [Exclusion] {
        plan.omissions.first { $0.app.id == app }?.reasons ?? []
    }

    @Test("Coverage must include both ends, or a lone destination")
    func coverage() async throws {
        try await withMachine { machine in
            try machine.cover("west", west)
            try machine.cover("world", "null")
            let catalogue = try machine.catalogue()
            let inside = try place(5, 5)
            let border = try place(10, 10)
            let outside = try place(5, 25)

            var plan = catalogue.plan(for: DirectionsRequest(to: inside))
            #expect(plan.offers.map(\.app.id) == ["west", "world"])
            plan = catalogue.plan(for: DirectionsRequest(to: inside, from: .place(border)))
            #expect(plan.offers.map(\.app.id) == ["west", "world"])
            plan = catalogue.plan(for: DirectionsRequest(to: inside, from: .place(outside)))
            #expect(plan.offers.map(\.app.id) == ["world"])
            #expect(reasons(plan, "west") == [.outsideCoverage([.source])])
            plan = catalogue.plan(for: DirectionsRequest(to: outside, from: .currentLocation), here: inside.coordinate)
            #expect(reasons(plan, "west") == [.outsideCoverage([.destination])])
            plan = catalogue.plan(for: DirectionsRequest(to: outside, from: .place(outside)))
            #expect(reasons(plan, "west") == [.outsideCoverage([.source, .destination])])
            plan = catalogue.plan(for: DirectionsRequest(to: inside, from: .currentLocation))
            #expect(plan.offers.map(\.app.id) == ["west", "world"])
        }
    }

    @Test("Two services of one app do not combine into a route")
    func services() async throws {
        try await withMachine { machine in
            try machine.cover("a", west, more: #""app": "both""#)
            try machine.cover("b", east, modes: #"["bus"]"#, more: #""app": "both""#)
            let catalogue = try machine.catalogue()
            let plan = catalogue.plan(for: DirectionsRequest(to: try place(5, 25), from: .place(try place(5, 5))))
            #expect(reasons(plan, "both") == [.outsideCoverage([.source, .destination])])
            let local = catalogue.plan(for: DirectionsRequest(to: try place(5, 25)))
            #expect(local.offers.first?.modes == [.bus])
            let driving = catalogue.plan(for: DirectionsRequest(to: try place(5, 25), by: [.car]))
            #expect(reasons(driving, "both") == [.outsideCoverage([.destination])])
        }
    }

    @Test("Every reason to exclude an app is given")
    func exclusions() async throws {
        try await withMachine { machine in
            try machine.cover("absent", west, kind: "native", more: #""desktop_ids": ["absent"]"#)
            try machine.cover("nolinks", "null", kind: "native", more: #""desktop_ids": ["nolinks"]"#)
            try machine.cover("journeys", "null", uri: #"{"from": "https://j/{from.lat}/{lat}"}"#)
            try machine.cover("stations", "null", uri: #"{"from": "https://t/{from.name}/{name}"}"#)
            try machine.cover("searching", "null", uri: #"{"to": "https://s/{query}"}"#)
            try machine.cover("west", west)
            try machine.install("nolinks", "Exec=nolinks")
            let catalogue = try machine.catalogue()

            var plan = catalogue.plan(for: DirectionsRequest(to: try place(50, 50), by: [.bus, .ferry]))
            #expect(plan.offers.isEmpty)
            #expect(reasons(plan, "absent") == [.notInstalled, .modeUnsupported([.car])])
            #expect(reasons(plan, "nolinks") == [.notInstalled, .modeUnsupported([.car])])
            #expect(plan.omissions.map(\.app.id) == ["absent", "journeys", "nolinks", "searching", "stations", "west"])

            plan = catalogue.plan(for: DirectionsRequest(to: try place(50, 50)))
            #expect(reasons(plan, "absent") == [.notInstalled, .outsideCoverage([.destination])])
            #expect(reasons(plan, "journeys") == [.needsSource])
            #expect(plan.needingStart.isEmpty)

            plan = catalogue.plan(for: DirectionsRequest(to: try place(50, 50), from: .currentLocation))
            #expect(reasons(plan, "journeys") == [.needsSource])
            #expect(reasons(plan, "stations") == [.needsName])

            plan = catalogue.plan(for: DirectionsRequest(to: MapItem(query: "Yank Sing")))
            #expect(plan.offers.map(\.launch.uri) == ["https://s/Yank%20Sing"])
            #expect(reasons(plan, "west") == [.needsCoordinates])
            #expect(reasons(plan, "journeys") == [.needsCoordinates])
            for omission in plan.omissions {
                for reason in omission.reasons { #expect(!reason.description.isEmpty && !reason.code.isEmpty) }
            }
        }
    }

    @Test("Without learning: default, other apps, web services")
    func ranking() async throws {
        try await withMachine { machine in
            try machine.cover("web2", "null")
            try machine.cover("web1", "null")
            for id in ["n1", "n2", "n3"] {
                try machine.cover(
                    id, "null", kind: "native", more: #""desktop_ids": ["\#(id)"]"#, uri: #"{"to": "geo:{lat},{lon}"}"#)
                try machine.install(id, "Exec=\(id) %u")
            }
            try machine.home.directory.write(
                "[Default Applications]\nx-scheme-handler/geo=n2.desktop\n", to: "config/mimeapps.list")
            let catalogue = try machine.catalogue()
            let request = DirectionsRequest(to: try place(1, 2))
            let plan = catalogue.plan(for: request)
            let order = plan.offers.map(\.app.id)
            #expect(order.first == "n2" && Set(order[1...2]) == ["n1", "n3"] && Set(order[3...]) == ["web1", "web2"])
            #expect(plan.offers[0].launch == DirectionsLaunch(desktopID: "n2", uri: "geo:1,2"))
            #expect(plan.offers[0].explanation.texts.first == "it is the map app of this desktop")
            #expect(plan.offers[3].launch.desktopID == nil)

            let learned = catalogue.plan(
                for: request,
                preferences: ["web2": RoutingHabits.Choice(likelihood: 0.9, explanation: ["you usually choose it"])])
            #expect(learned.offers.map(\.app.id) == ["web2"] + order.filter { $0 != "web2" })
            #expect(learned.offers[0].explanation.texts.first == "you usually choose it")
            #expect(learned.offers.allSatisfy { (0...1).contains($0.score) })
        }
    }

    @Test("A route precedes a pin, except for a clicked place or a habit")
    func pins() async throws {
        try await withMachine { machine in
            try machine.install("pin", "Exec=pin %u\nMimeType=x-scheme-handler/geo;")
            try machine.home.directory.write(
                "[Default Applications]\nx-scheme-handler/geo=pin.desktop\n", to: "config/mimeapps.list")
            try machine.cover("route", "null", uri: #"{"to": "https://r/{lat}", "from": "https://r/{from.lat}/{lat}"}"#)
            try machine.cover("loses", "null")
            let catalogue = try machine.catalogue()
            let bare = DirectionsRequest(to: try place(1, 2))
            #expect(catalogue.plan(for: bare).offers.last?.app.id == "pin")
            #expect(catalogue.plan(for: bare).title == "Get directions to 1, 2")
            let clicked = catalogue.plan(for: bare, isLink: true).offers
            #expect(clicked.first?.app.id == "pin")
            #expect(clicked.first?.explanation.texts.first == "it is the map app of this desktop")

            let whole = DirectionsRequest(to: try place(1, 2), from: .place(try place(1, 3)), by: [.car])
            let plan = catalogue.plan(for: whole, isLink: true)
            #expect(plan.offers.map(\.app.id) == ["route", "loses", "pin"])
            #expect(
                plan.offers.map { $0.explanation.texts[0] }
                    == ["it shows the whole route", "it shows routes", "it shows the place on a map"])
            let habit = ["pin": RoutingHabits.Choice(likelihood: 0.5, explanation: ["you often use it"])] as [AppID: _]
            #expect(catalogue.plan(for: whole, preferences: habit).offers.first?.app.id == "pin")
        }
    }

    @Test("The order of equal apps is not alphabetical, and differs between countries")
    func ties() async throws {
        try await withMachine { machine in
            let apps = (0..<12).map { AppID("app\($0 + 10)") }
            for app in apps { try machine.cover(app.rawValue, "null") }
            let catalogue = try machine.catalogue()
            func order(_ latitude: Double, _ longitude: Double) throws -> [AppID] {
                catalogue.plan(for: DirectionsRequest(to: try place(latitude, longitude))).offers.map(\.app.id)
            }
            let (berlin, potsdam, ohio) = (try order(52.52, 13.4), try order(52.4, 13.07), try order(40.1, -83.1))
            #expect(Set(berlin) == Set(apps) && Set(ohio) == Set(apps))
            #expect(berlin == potsdam && berlin != ohio && berlin != apps && ohio != apps)
        }
    }

    @Test("Titles distinguish rides and searches from directions")
    func titles() async throws {
        try await withMachine { machine in
            try machine.cover("pin", "null", more: #""opens": "place""#)
            try machine.cover("ride", "null", modes: #"["rideShare"]"#)
            try machine.cover("both", "null", modes: #"["rideShare","car"]"#)
            let plan = try machine.catalogue().plan(for: DirectionsRequest(to: try place(1, 2, name: "Yank Sing")))
            #expect(
                plan.offers.map(\.title)
                    == ["Get directions to Yank Sing", "Get a ride to Yank Sing", "Show Yank Sing"])
            let app = plan.offers[0].app
            #expect(app.title(for: MapItem(address: PostalAddress(city: "Rome"))) == "Search for Rome")
            #expect(app.title(for: try place(1.5, -2)) == "Get directions to 1.5, -2")
            #expect(app.title(for: MapItem(query: "café")) == "Search for café")

            let word = #""mode_words": {"rideShare": "ride", "car": "car"}"#
            let link = #"{"to": "https://w/{lat}/{lon}/{mode}"}"#
            try machine.cover("words", "null", modes: #"["rideShare","car"]"#, more: word, uri: link)
            let ride = try machine.catalogue().plan(
                for: DirectionsRequest(to: try place(1, 2, name: "Yank Sing"), by: [.rideShare]))
            let titles = Dictionary(uniqueKeysWithValues: ride.offers.map { ($0.app.id, $0.title) })
            #expect(titles["words"] == "Get a ride to Yank Sing" && titles["ride"] == "Get a ride to Yank Sing")
            // Its link does not say that a ride is wanted.
            #expect(titles["both"] == "Get directions to Yank Sing")
        }
    }

    @Test("An app outside its estimated coverage ranks lower")
    func estimates() async throws {
        try await withMachine { machine in
            try machine.cover("estimate", west, more: #""coverage": "estimate""#)
            try machine.cover("stated", west, more: #""coverage": "stated""#)
            try machine.cover("world", "null")
            let catalogue = try machine.catalogue()
            var plan = catalogue.plan(for: DirectionsRequest(to: try place(5, 25)))
            #expect(plan.offers.map(\.app.id) == ["world", "estimate"])
            #expect(plan.offers[1].cautions == [.mayNotServe])
            #expect(plan.offers[1].explanation.texts.contains("may not serve this place"))
            #expect(reasons(plan, "stated") == [.outsideCoverage([.destination])])
            plan = catalogue.plan(for: DirectionsRequest(to: try place(5, 5)))
            #expect(plan.offers.allSatisfy { $0.cautions.isEmpty } && plan.offers.count == 3)
        }
    }

    @Test("A suggestion names the parts that its link cannot carry")
    func missingParts() async throws {
        try await withMachine { machine in
            try machine.cover("pin", "null", modes: #"["car","bike"]"#, uri: #"{"to": "https://p/{lat}"}"#)
            try machine.cover(
                "full", "null", modes: #"["car","bike"]"#, more: #""mode_words": {"car": "drive"}"#,
                uri:
                    #"{"to": "https://f/{lat}?m={mode}[&t={time}]", "from": "https://f/{from.lat}/{lat}?m={mode}[&t={time}]"}"#
            )
            let request = DirectionsRequest(
                to: try place(5, 25), from: .place(try place(5, 5)), by: [.car],
                at: .departure(Date(timeIntervalSince1970: 60)))
            let plan = try machine.catalogue().plan(for: request)
            #expect(plan.offers.map(\.app.id) == ["full", "pin"])
            #expect(plan.offers[0].missing.isEmpty)
            #expect(plan.offers[1].missing == [.source, .time, .mode])
            #expect(
                plan.offers[1].cautions.map(\.description) == [
                    "its link cannot carry the source, the time and the mode"
                ])
        }
    }

    @Test("Without a habit open data precedes the alphabet")
    func openData() async throws {
        try await withMachine { machine in
            try machine.cover("alpha", "null")
            try machine.cover("zulu", "null", more: #""open_data": true"#)
            let plan = try machine.catalogue().plan(for: DirectionsRequest(to: try place(1, 2)))
            #expect(plan.offers.map(\.app.id) == ["zulu", "alpha"])
            #expect(!plan.isDecided)
        }
    }

    @Test("A search link has the source, and a mode only if asked")
    func searchWithStart() async throws {
        try await withMachine { machine in
            let modes = #""mode_words": {"car": "drive", "bike": "cycle"}"#
            try machine.cover(
                "open", "null", modes: #"["car","bike"]"#, more: modes,
                uri:
                    #"{"to": "https://o/{lat}", "search": "https://o/?[a={from.lat}&|a={from.query}&]b={query}[&m={mode}]"}"#
            )
            try machine.cover(
                "fixed", "null", modes: #"["car","bike"]"#, more: modes,
                uri: #"{"to": "https://f/{lat}", "search": "https://f/{query}?m={mode}"}"#)
            let catalogue = try machine.catalogue()
            let words = MapItem(query: "Yank Sing")
            func offers(_ request: DirectionsRequest) -> [AppID: DirectionsPlan.Offer] {
                Dictionary(uniqueKeysWithValues: catalogue.plan(for: request).offers.map { ($0.app.id, $0) })
            }
            let any = offers(DirectionsRequest(to: words, from: .place(try place(5, 6))))
            #expect(any["open"]?.launch.uri == "https://o/?a=5&b=Yank%20Sing" && any["open"]?.assumedMode == nil)
            #expect(any["open"]?.missing == [] && any["fixed"]?.missing == [.source])
            #expect(any["fixed"]?.launch.uri == "https://f/Yank%20Sing?m=drive" && any["fixed"]?.assumedMode == .car)
            let cycling = offers(DirectionsRequest(to: words, from: .place(MapItem(query: "Home")), by: [.bike]))
            #expect(cycling["open"]?.launch.uri == "https://o/?a=Home&b=Yank%20Sing&m=cycle")
            #expect(cycling["open"]?.assumedMode == nil)
        }
    }

    @Test("Words searched on a map lead to its centre if the app cannot search")
    func middleOfTheMap() async throws {
        try await withMachine { machine in
            try machine.cover("stations", "null", uri: #"{"from": "https://t/{from.name}/{name}"}"#)
            try machine.cover("searching", "null", uri: #"{"search": "https://s/{query}", "to": "https://s/{lat}"}"#)
            try machine.cover("shows", west, uri: #"{"to": "https://w/{lat}/{lon}/{name}"}"#)
            try machine.cover("elsewhere", "[[40,0],[50,0],[50,10],[40,10],[40,0]]")
            let catalogue = try machine.catalogue()
            var request = DirectionsRequest(to: MapItem(query: "Museum"))
            #expect(catalogue.plan(for: request).offers.map(\.app.id) == ["searching"])
            request.near = try Coordinate(latitude: 5, longitude: 5)
            request.roughDestination = request.near
            let plan = catalogue.plan(for: request)
            #expect(plan.offers.map(\.launch.uri) == ["https://s/Museum", "https://w/5/5/Museum"])
            #expect(plan.offers.last?.cautions == [.mayNotServe, .showsSurroundings])
            #expect(reasons(plan, "elsewhere") == [.needsCoordinates])
        }
    }

    @Test("A place in words needs a rough coordinate for coverage")
    func roughPositions() async throws {
        try await withMachine { machine in
            let uri = #"{"to": "https://e/{query}"}"#
            try machine.cover("estimate", west, more: #""coverage": "estimate""#, uri: uri)
            try machine.cover("stated", west, uri: uri)
            let catalogue = try machine.catalogue()
            var request = DirectionsRequest(to: MapItem(query: "Main Street 1, Town"))
            var plan = catalogue.plan(for: request)
            #expect(plan.offers.map(\.cautions) == [[.searches]] && plan.offers.map(\.app.id) == ["estimate"])
            #expect(reasons(plan, "stated") == [.needsCoordinates])
            request.roughDestination = try Coordinate(latitude: 5, longitude: 5)
            plan = catalogue.plan(for: request)
            #expect(plan.offers.map(\.app.id) == ["estimate", "stated"])
            #expect(plan.offers.last?.cautions == [.mayNotServe, .searches])
            request.roughDestination = try Coordinate(latitude: 5, longitude: 50)
            #expect(catalogue.plan(for: request).offers.map(\.app.id) == ["estimate"])
        }
    }

    @Test("A planner that looks up names may serve a route from words to a place in its area")
    func wordsToPlace() async throws {
        try await withMachine { machine in
            try machine.cover("names", west, uri: #"{"from": "https://n/{from.name}/{name}"}"#)
            try machine.cover("positions", west, uri: #"{"from": "https://p/{from.lat}/{from.lon}/{lat}/{lon}"}"#)
            let catalogue = try machine.catalogue()
            let end = MapItem(
                name: "Town", coordinate: try Coordinate(latitude: 5, longitude: 5),
                address: PostalAddress(city: "Town"))
            let plan = catalogue.plan(for: DirectionsRequest(to: end, from: .place(MapItem(query: "Elm Street 3"))))
            #expect(plan.offers.map(\.launch.uri) == ["https://n/Elm%20Street%203/Town"])
            #expect(plan.offers.first?.cautions.contains(.mayNotServe) == true)
            let unknown = DirectionsRequest(to: MapItem(query: "Elm Street 3"))
            #expect(catalogue.plan(for: unknown).offers.isEmpty)
        }
    }

    @Test("Regional services rank first and specialised ones last")
    func regional() async throws {
        try await withMachine { machine in
            try machine.cover("demo", "null", more: #""open_data": true, "specialised": true"#)
            try machine.cover("open", "null", more: #""open_data": true"#)
            try machine.cover("region", west, more: #""coverage": "estimate""#)
            try machine.cover("state", west)
            try machine.cover("trains", west, modes: #"["train"]"#, more: #""scope": "intercity""#)
            try machine.cover("transit", west, modes: #"["train","bus"]"#)
            let catalogue = try machine.catalogue()
            let there = try place(5, 5)
            #expect(
                catalogue.plan(for: DirectionsRequest(to: there, by: [.car])).offers.map(\.app.id)
                    == ["state", "region", "open", "demo"])
            let near = DirectionsRequest(to: there, from: .place(try place(5, 5.1)), by: [.train, .bus])
            #expect(catalogue.plan(for: near).offers.map(\.app.id) == ["transit", "trains"])
        }
    }

    @Test("A planner that takes names gets names, not other words")
    func names() async throws {
        try await withMachine { machine in
            try machine.cover("names", west, uri: #"{"to": "https://n/{query}"}"#)
            try machine.cover("world", "null")
            let catalogue = try machine.catalogue()
            let named = catalogue.plan(for: DirectionsRequest(to: try place(5, 5, name: "Bern"), by: [.car]))
            #expect(named.offers.map(\.app.id) == ["names", "world"])
            var item = try place(5, 5)
            item.query = "the hut behind the hill"
            let words = catalogue.plan(for: DirectionsRequest(to: item, by: [.car]))
            #expect(words.offers.map(\.app.id) == ["world", "names"])
        }
    }

    @Test(
        "A route too long for its mode or planner gets a caution",
        arguments: [
            (TransportMode.pedestrian, 0.5, false), (.pedestrian, 1, true), (.bike, 4, false), (.bike, 5, true),
            (.car, 44, false), (.car, 46, true), (.plane, 90, false), (.bus, 0.5, false), (.bus, 1, true),
        ])
    func distances(mode: TransportMode, degrees: Double, isDoubtful: Bool) async throws {
        try await withMachine { machine in
            try machine.cover("all", "null", modes: #"["car","bike","plane","pedestrian"]"#)
            try machine.cover("city", "null", modes: #"["bus"]"#, more: #""scope": "city""#)
            let request = DirectionsRequest(to: try place(0, degrees), from: .place(try place(0, 0)), by: [mode])
            let offer = try #require(try machine.catalogue().plan(for: request).offers.first)
            #expect(offer.cautions.contains(.mayNotServe) == isDoubtful)
        }
    }
}
