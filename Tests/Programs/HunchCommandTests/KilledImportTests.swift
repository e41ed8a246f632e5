import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite("Killed imports", .timeLimit(.minutes(15))) struct KilledImportTests {
    private struct Status: Decodable {
        struct Source: Decodable { var name: String }
        var placeCount: Int
        var sources: [Source]
    }

    @Test("A killed import keeps old places and does not block the next")
    func leavesTheOldPlaces() async throws {
        try await withHunch { hunch async throws in
            try hunch.installPlaceList()
            #expect(try await hunch("gazetteer", "import").status == .exited(0))
            // An export without an end, so that the import is certainly in progress.
            let directory = hunch.home.directory
            let program = try directory.write(
                """
                #!/bin/bash
                feature='{"type":"Feature","properties":{"place":"city","name":"Atlantis"},"geometry":{"type":"Point","coordinates":[1,2]}}'
                for i in {1..5000}; do echo "$feature"; done
                : > "$STARTED"
                while sleep 0.05 && echo "$feature"; do :; done 2>/dev/null
                """, to: "bin/osmium")
            #expect(chmod(program, 0o755) == 0)
            let map = try directory.write([0, 0, 0, 13, 0x0A, 0x09] + Array("OSMHeader".utf8), to: "a.osm.pbf")
            let started = directory.file("started")
            var environment = hunch.home.environment
            environment["PATH"] = "\(directory.file("bin")):/usr/bin:/bin"
            environment["STARTED"] = started
            try await withDaemon(
                Command(
                    try builtProduct("hunch"), ["gazetteer", "import", map], environment: environment,
                    ready: .file(started))
            ) { running in
                running.signal(SIGKILL)
                try await running.waitForExit()
            }
            let status = try await hunch.json(Status.self, "gazetteer", "status", "--json").first
            #expect(status?.sources.map(\.name) == ["gnome-places"] && status?.placeCount == 3)
            #expect(try await hunch("geocode", "Atlantis").status == .exited(1))
            #expect(try await hunch("geocode", "Paris, Texas").status == .exited(0))

            let later = try directory.write(
                "{\"type\":\"Feature\",\"properties\":{\"place\":\"city\",\"name\":\"Atlantis\"},\"geometry\":{\"type\":\"Point\",\"coordinates\":[1,2]}}",
                to: "a.geojsonseq")
            #expect(try await hunch("gazetteer", "import", later).status == .exited(0))
            #expect(try await hunch("geocode", "Atlantis").status == .exited(0))
            #expect(try await hunch("geocode", "Paris, Texas").status == .exited(0))
            let folder = try FileManager.default.contentsOfDirectory(atPath: "\(hunch.home.data)/hunch")
            #expect(folder == ["gazetteer.sqlite"])
        }
    }

    @Test("Commands that start during the first use wait for it")
    func concurrentFirstUse() async throws {
        try await withHunch { hunch async throws in
            try hunch.installPlaceList()
            async let first = hunch("geocode", "Paris, Texas")
            async let second = hunch("geocode", "Paris, Texas")
            async let third = hunch("geocode", "Paris, Texas")
            let results = try await [first, second, third]
            #expect(results.allSatisfy { $0.status == .exited(0) }, "\(results)")
            #expect(results.count { "\($0)".contains("filling the gazetteer") } == 1, "\(results)")
            let folder = try FileManager.default.contentsOfDirectory(atPath: "\(hunch.home.data)/hunch")
            #expect(folder == ["gazetteer.sqlite"])
        }
    }

    @Test("A killed first use continues after the lists that it imported")
    func continuesFirstUse() async throws {
        try await withHunch { hunch async throws in
            try hunch.installPlaceList()
            #expect(try await hunch("gazetteer", "import").status == .exited(0))
            // The first use fills this file, and replaces the gazetteer when all lists are in it.
            let gazetteer = "\(hunch.home.data)/hunch/gazetteer.sqlite"
            #expect(rename(gazetteer, gazetteer + ".anew") == 0)
            let list = hunch.home.directory.file("share/libgweather-4/Locations.xml")
            let date = try FileManager.default.attributesOfItem(atPath: list)[.modificationDate]
            // A second import would fail.
            try hunch.home.directory.write("no places", to: "share/libgweather-4/Locations.xml")
            if let date { try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: list) }
            #expect(try await hunch("geocode", "Paris, Texas").status == .exited(0))
            let folder = try FileManager.default.contentsOfDirectory(atPath: "\(hunch.home.data)/hunch")
            #expect(folder == ["gazetteer.sqlite"])
        }
    }

    @Test("A killed first use starts over if a list has changed")
    func beginsFirstUseAnew() async throws {
        try await withHunch { hunch async throws in
            try hunch.installPlaceList()
            #expect(try await hunch("gazetteer", "import").status == .exited(0))
            let gazetteer = "\(hunch.home.data)/hunch/gazetteer.sqlite"
            #expect(rename(gazetteer, gazetteer + ".anew") == 0)
            let list = hunch.home.directory.file("share/libgweather-4/Locations.xml")
            let text = try String(contentsOfFile: list, encoding: .utf8)
            try hunch.home.directory.write(
                text.replacing("Sydney", with: "Hobart"), to: "share/libgweather-4/Locations.xml")
            let later = Date(timeIntervalSinceNow: 60)
            try FileManager.default.setAttributes([.modificationDate: later], ofItemAtPath: list)
            #expect(try await hunch("geocode", "Hobart").status == .exited(0))
        }
    }
}
