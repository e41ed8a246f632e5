import Directions
import FoundationEssentials
import HunchModel
import TestSupport
import Testing

@Suite("Which apps answer a request, in which order, and why others do not")
struct PlanTests {
    private let west = "[[0,0],[10,0],[10,10],[0,10],[0,0]]"
    private let east = "[[20,0],[30,0],[30,10],[20,10],[20,0]]"

    private func reasons(_ plan: DirectionsPlan, _ app: String) -> [Exclusion] {
        plan.omissions.first { $0.app.id == app }?.reasons ?? []
    }

    @Test("Both ends must be covered; the destination alone when the source is unknown; borders are inside")
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

    @Test("Two services of one app do not make a route between them")
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

    @Test("Modes, installation, coordinates and source are judged, and all that stands against an app is told")
    func exclusions() async throws {
        try await withMachine { machine in
            try machine.cover("absent", west, kind: "native", more: #""desktop_ids": ["absent"]"#)
            try machine.cover("nolinks", "null", kind: "native", more: #""desktop_ids": ["nolinks"]"#)
            try machine.cover("journeys", "null", uri: #"{"from": "https://j/{from.lat}/{lat}"}"#)
            try machine.cover("searching", "null", uri: #"{"to": "https://s/{query}"}"#)
            try machine.cover("west", west)
            try machine.install("nolinks", "Exec=nolinks")
            let catalogue = try machine.catalogue()

            var plan = catalogue.plan(for: DirectionsRequest(to: try place(50, 50), by: [.bus, .ferry]))
            #expect(plan.offers.isEmpty)
            #expect(reasons(plan, "absent") == [.notInstalled, .modeUnsupported([.car])])
            #expect(reasons(plan, "nolinks") == [.notInstalled, .modeUnsupported([.car])])
            #expect(plan.omissions.map(\.app.id) == ["absent", "journeys", "nolinks", "searching", "west"])

            plan = catalogue.plan(for: DirectionsRequest(to: try place(50, 50)))
            #expect(reasons(plan, "absent") == [.notInstalled, .outsideCoverage([.destination])])
            #expect(reasons(plan, "journeys") == [.needsSource])

            plan = catalogue.plan(for: DirectionsRequest(to: MapItem(query: "Yank Sing")))
            #expect(plan.offers.map(\.launch.uri) == ["https://s/Yank%20Sing"])
            #expect(reasons(plan, "west") == [.needsCoordinates])
            #expect(reasons(plan, "journeys") == [.needsCoordinates])
            for omission in plan.omissions {
                for reason in omission.reasons { #expect(!reason.description.isEmpty && !reason.code.isEmpty) }
            }
        }
    }

    @Test("Without learning: the default handler, other programs, web services; equal ones by name")
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
            #expect(plan.offers.map(\.app.id) == ["n2", "n1", "n3", "web1", "web2"])
            #expect(plan.offers[0].launch == DirectionsLaunch(desktopID: "n2", uri: "geo:1,2"))
            #expect(plan.offers[0].explanation.texts.first == "it opens map links on this desktop")
            #expect(plan.offers[3].launch.desktopID == nil)

            let learned = catalogue.plan(
                for: request,
                preferences: ["web2": RoutingPreference(likelihood: 0.9, explanation: ["you usually choose it"])])
            #expect(learned.offers.map(\.app.id) == ["web2", "n2", "n1", "n3", "web1"])
            #expect(learned.offers[0].explanation.texts.first == "you usually choose it")
            #expect(learned.offers.allSatisfy { (0...1).contains($0.score) })
        }
    }

    @Test("Titles tell rides and searches from directions")
    func titles() async throws {
        try await withMachine { machine in
            try machine.cover("ride", "null", modes: #"["rideShare"]"#)
            try machine.cover("both", "null", modes: #"["rideShare","car"]"#)
            let plan = try machine.catalogue().plan(for: DirectionsRequest(to: try place(1, 2, name: "Yank Sing")))
            #expect(plan.offers.map(\.title) == ["Get directions to Yank Sing", "Get a ride to Yank Sing"])
            let app = plan.offers[0].app
            #expect(app.title(for: MapItem(address: PostalAddress(city: "Rome"))) == "Search for Rome")
            #expect(app.title(for: try place(1.5, -2)) == "Get directions to 1.5, -2")
            #expect(app.title(for: MapItem(query: "café")) == "Search for café")
        }
    }

    @Test("Links are filled in the words of the app, with what is known of the source")
    func links() throws {
        let template = LaunchTemplate(
            toDestination: "a:{lat},{lon}?m={mode}&l={label}", fromHere: "h:{lat}",
            withSource: "f:{from.lat},{from.lon},{from.label}/{lat},{lon}", modeWords: [.car: "drive"])
        let there = try place(-33.8, 1e-7, name: "Über & Café")
        let from = try place(1, 2)
        #expect(
            template.link(for: DirectionsRequest(to: there), mode: .car)
                == "a:-33.8,0.0000001?m=drive&l=%C3%9Cber%20%26%20Caf%C3%A9")
        #expect(template.link(for: DirectionsRequest(to: there, from: .currentLocation), mode: .car) == "h:-33.8")
        #expect(
            template.link(for: DirectionsRequest(to: there, from: .place(from)), mode: .car)
                == "f:1,2,1%2C2/-33.8,0.0000001")
        // A mode without a word leaves that template out; the next that can be filled is used.
        #expect(template.link(for: DirectionsRequest(to: there), mode: .bus) == "h:-33.8")
        #expect(template.link(for: DirectionsRequest(to: MapItem(query: "x")), mode: .car) == nil)
        #expect(LaunchTemplate.unknownPlaceholder(in: "x{lat}{nope}") == "nope")
        #expect(LaunchTemplate.unknownPlaceholder(in: "x{lat") == "{")
        #expect(LaunchTemplate.unknownPlaceholder(in: "x{lat}{from.label}") == nil)
    }

    @Test("What stands between brackets is left out where it has no value")
    func optionalParts() throws {
        let template = LaunchTemplate(
            toDestination: "a:{lat},{lon}[,{name}]?m", withSource: "f:{from.lat}[_{from.name}]/{lat}[_{name}]")
        #expect(template.link(for: DirectionsRequest(to: try place(1, 2)), mode: nil) == "a:1,2?m")
        #expect(
            template.link(
                for: DirectionsRequest(to: try place(1, 2, name: "a b"), from: .place(try place(3, 4))), mode: nil)
                == "f:3/1_a%20b")
        #expect(template.link(for: DirectionsRequest(to: MapItem(query: "x")), mode: nil) == nil)
        #expect(LaunchTemplate.unknownPlaceholder(in: "x[{from.name}][{query}]") == nil)
        #expect(LaunchTemplate.unknownPlaceholder(in: "x[{nope}]") == "nope")
        #expect(LaunchTemplate.unknownPlaceholder(in: "x[{lat]") == "{")
        #expect(LaunchTemplate.unknownPlaceholder(in: "x[{lat}") == "[")
    }

    @Test("The time of the journey, and a destination that the app looks up itself")
    func timesAndSearches() throws {
        let template = LaunchTemplate(
            toDestination: "a:{lat}[?time={time}&arriveBy={arrive}]", search: "s:{query}")
        var request = DirectionsRequest(to: try place(1, 2))
        #expect(template.link(for: request, mode: nil) == "a:1")
        request.travel(at: .departure(Date(timeIntervalSince1970: 1_769_882_400.7)))
        #expect(template.link(for: request, mode: nil) == "a:1?time=1769882400&arriveBy=false")
        request.travel(at: .arrival(Date(timeIntervalSince1970: 60)))
        #expect(template.link(for: request, mode: nil) == "a:1?time=60&arriveBy=true")
        request.destination = MapItem(query: "Yank Sing")
        #expect(template.link(for: request, mode: nil) == "s:Yank%20Sing")
        #expect(LaunchTemplate.unknownPlaceholder(in: "{time}{arrive}{mode}") == nil)
    }
}
