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
}
