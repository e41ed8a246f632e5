@testable import DesktopFiles
internal import Apps
import Directions
import FoundationEssentials
import HunchModel
import TestSupport
import Testing

@Suite("Installed apps and the catalogue of routing apps")
struct CatalogueTests {
    @Test("Earlier folders win; deleted and missing programs are out")
    func installed() async throws {
        try await withMachine { machine in
            try machine.install("one", "Exec=one %u")
            try machine.install("one", "Exec=mine %u", system: false)
            try machine.install("sub/two", "Exec=two")
            try machine.install("three", "Exec=three\nTryExec=nonexistent")
            try machine.install("four", "Exec=four")
            try machine.install("four", "Exec=four\nHidden=true", system: false)
            try machine.home.directory.write("nonsense", to: "share/applications/five.desktop")
            try machine.home.directory.write("", to: "share/applications/mimeinfo.cache")
            let installed = machine.installed
            #expect(installed.identifiers == ["five", "four", "one", "sub-two", "three"])
            #expect(try installed.entry("one")?.command(opening: "x") == ["mine", "x"])
            #expect(installed.entry("sub-two") != nil)
            #expect(installed.entry("three") == nil && installed.entry("four") == nil && installed.entry("five") == nil)
            #expect(installed.entry("absent") == nil)
        }
    }

    @Test("Default handler: desktop's list, common list, cache")
    func defaults() async throws {
        try await withMachine { machine in
            for id in ["one", "two", "three"] { try machine.install(id, "Exec=\(id) %u") }
            func handler() -> AppID? {
                DefaultApps(environment: machine.environment, installed: machine.installed)
                    .handler(for: "x-scheme-handler/geo")
            }
            #expect(handler() == nil)
            let directory = machine.home.directory
            try directory.write(
                "[MIME Cache]\nx-scheme-handler/geo=gone.desktop;one.desktop;\n",
                to: "share/applications/mimeinfo.cache")
            #expect(handler() == "one")
            try directory.write(
                "[Removed Associations]\nx-scheme-handler/geo=one.desktop;\n[Added Associations]\n"
                    + "x-scheme-handler/geo=two.desktop;\n", to: "config/mimeapps.list")
            #expect(handler() == "two")
            try directory.write(
                "[Default Applications]\nx-scheme-handler/geo=gone.desktop;three.desktop;\n",
                to: "config/gnome-mimeapps.list")
            #expect(handler() == "three")
        }
    }

    @Test("Coverage files give apps, merged by app, and report errors")
    func coverage() async throws {
        try await withMachine { machine in
            try machine.cover("maps", "null", more: #""mode_words": {"car": "driving", "bus": "transit"}"#)
            try machine.cover(
                "maps.transit", "[[0,0],[1,0],[1,1],[0,1],[0,0]]", modes: #"["bus"]"#, more: #""app": "maps""#)
            try machine.cover("native", "null", kind: "native")
            try machine.cover("broom", "null", modes: #"["broom"]"#)
            try machine.cover("odd", "null", uri: #"{"to": "x:{latitude}"}"#)
            try machine.cover("mute", "null", uri: "{}")
            try machine.cover("nowhere", "null", uri: #"{"to": "https://x/{mode}"}"#)
            try machine.cover("script", "null", uri: #"{"to": "javascript:go({lat})"}"#)
            try machine.cover("guess", "null", more: #""coverage": "guess""#)
            try machine.cover("village", "null", more: #""scope": "village""#)
            try machine.cover("special", "null", more: #""specialised": "yes""#)
            try machine.home.directory.write(
                #"{"type":"Feature","id":"plain","properties":{"name":"An area"},"geometry":null}"#,
                to: "share/hunch/regions/plain.geojson")
            let catalogue = try machine.catalogue()
            #expect(catalogue.apps.map(\.id) == ["maps"])
            #expect(catalogue.apps[0].services.map(\.region) == [nil, "maps.transit"])
            #expect(catalogue.apps[0].modes == [.car, .bus])
            #expect(
                Set(catalogue.problems.map(\.app))
                    == ["native", "broom", "odd", "mute", "nowhere", "script", "guess", "village", "special"])
            #expect(catalogue.problems.allSatisfy { $0.description.contains("share/hunch/regions/") })
        }
    }

    @Test("A desktop entry declares an app and replaces a coverage file")
    func declaration() async throws {
        try await withMachine { machine in
            try machine.cover("city", "[[0,0],[1,0],[1,1],[0,1],[0,0]]", more: #""x": 1"#)
            let declaration = """
                Exec=routes %u
                Implements=org.example.Other;org.hunch.RoutingApp1;
                [org.hunch.RoutingApp1]
                """
            try machine.install(
                "org.example.Routes",
                declaration
                    + "\nModes=bus;bike;\nCoverage=city.geojson\nUri=routes:{lat},{lon}\nUriFrom=routes:{lat}?from={from.lat}\n"
            )
            try machine.install("everywhere", declaration + "\nModes=car;\nUri=e:{lat}\n")
            try machine.install("nomodes", declaration + "\nUri=e:{lat}\n")
            try machine.install("nofile", declaration + "\nModes=car\nCoverage=absent.geojson\nUri=e:{lat}\n")
            try machine.install("path", declaration + "\nModes=car\nCoverage=../regions/city.geojson\nUri=e:{lat}\n")
            try machine.install("nouri", declaration + "\nModes=car\n")
            try machine.install("badmode", declaration + "\nModes=broom\nUri=e:{lat}\n")
            try machine.install("nogroup", "Exec=x %u\nImplements=org.hunch.RoutingApp1;\n")
            let catalogue = try machine.catalogue()
            #expect(catalogue.apps.map(\.id) == ["city", "everywhere", "org.example.Routes"])
            #expect(Set(catalogue.problems.map(\.app)) == ["nomodes", "nofile", "path", "nouri", "badmode", "nogroup"])
            let app = try #require(catalogue.apps.last)
            #expect(app.services.map(\.region) == ["city"] && app.modes == [.bus, .bike])
            #expect(app.services[0].template.withSource?.text == "routes:{lat}?from={from.lat}")
            #expect(catalogue.installedIDs["org.example.Routes"] == "org.example.Routes")
        }
    }

    @Test("What an app's own coverage file says of words, times and its area counts")
    func ownProperties() async throws {
        try await withMachine { machine in
            try machine.home.directory.write(
                """
                {"type": "Feature", "id": "own", "properties": {"name": "Own", "coverage": "estimate", "timezone":
                 "Europe/Helsinki", "mode_words": {"bus": "coach"}, "scope": "city"}, "geometry": {"type": "Polygon",
                 "coordinates": [[[24, 60], [25, 60], [25, 61], [24, 61], [24, 60]]]}}
                """, to: "share/hunch/regions/own.geojson")
            try machine.install(
                "org.example.Own",
                """
                Exec=own %u
                Implements=org.hunch.RoutingApp1;
                [org.hunch.RoutingApp1]
                Modes=bus;train;
                Coverage=own.geojson
                Uri=own:{lat},{lon}?by={mode}&at={time.local}
                """)
            let catalogue = try machine.catalogue()
            #expect(catalogue.problems.isEmpty)
            let service = try #require(catalogue.apps.last?.services.first)
            #expect(service.isEstimate && service.scope == .city && service.squareKilometres ?? 0 > 1_000)
            let noon = DirectionsRequest.Time.departure(Date(timeIntervalSince1970: 1_770_000_000))
            func plan(_ latitude: Double, by modes: Set<TransportMode>) throws -> DirectionsPlan {
                catalogue.plan(for: DirectionsRequest(to: try place(latitude, 24.5), by: modes, at: noon))
            }
            let offer = try #require(plan(60.5, by: [.bus]).offers.first)
            #expect(offer.launch.uri == "own:60.5,24.5?by=coach&at=2026-02-02T04%3A40%3A00")
            // Outside an estimate, it may serve the place.
            #expect(try plan(62, by: [.bus]).offers.first?.cautions.contains(.mayNotServe) == true)
            let omission = try #require(plan(60.5, by: [.train]).omissions.first)
            #expect(omission.reasons == [.needsModeWord([.train])])
            #expect(omission.reasons[0].description == "its link has no word for train")
        }
    }

    @Test("Every installed geo: handler is an app if it can take links")
    func mapApplications() async throws {
        try await withMachine { machine in
            let geo = "\nMimeType=text/x;x-scheme-handler/geo;"
            try machine.cover("known", "null", kind: "native", more: #""desktop_ids": ["org.example.Known"]"#)
            for id in ["org.example.Known", "io.example.Pure", "org.hunch.Hunch"] {
                try machine.install(id, "Exec=maps %u" + geo)
            }
            try machine.install("org.example.Dead", "Exec=maps" + geo)
            try machine.install("org.example.Text", "Exec=maps %u\nTerminal=true" + geo)
            try machine.install("org.example.Other", "Exec=other %u")
            let catalogue = try machine.catalogue()
            #expect(catalogue.apps.map(\.id) == ["io.example.Pure", "known"])
            let request = DirectionsRequest(
                to: try place(60.17, 24.94, name: "Rautatieasema"), by: [.train], zoom: 15, uncertainty: 40)
            let plan = catalogue.plan(for: request)
            let pure = try #require(plan.offers.first)
            #expect(pure.title == "Show Rautatieasema" && pure.missing == [.mode] && pure.modes.isEmpty)
            #expect(pure.launch.uri == "geo:60.17,24.94;u=40?q=60.17,24.94(Rautatieasema)&z=15")
            let bare = catalogue.plan(for: DirectionsRequest(to: try place(1, 2))).offers.first {
                $0.app.id == pure.app.id
            }
            #expect(bare?.launch.uri == "geo:1,2")
            let words = catalogue.plan(for: DirectionsRequest(to: MapItem(query: "Yank Sing"))).offers.first
            #expect(words?.launch.uri == "geo:0,0?q=Yank%20Sing")
        }
    }
}
