import FoundationEssentials
import HunchModel
import Synchronization
import TestSupport
import Testing

@testable import AgentInterface
@testable import OnlineGeocoder

@Suite("Downloads from a local server", .serialized, .timeLimit(.minutes(15))) struct DownloaderTests {
    /// A listener that keeps the events, and leaves after a number of them.
    private final class Notes: DownloadListener {
        var events: [DownloadEvent] = []
        var most = Int.max
        var isGone: Bool { events.count >= most }
        func report(_ event: DownloadEvent) { events.append(event) }
    }

    private static let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    private static let region = DownloadSource.openStreetMap("europe/malta")

    private func withServer(
        _ body: nonisolated(nonsending) (Daemon, _ url: String, TemporaryHome) async throws -> Void
    ) async throws {
        try await withTemporaryHome { home in
            try home.directory.write(Self.content, to: "served/europe/malta-latest.osm.pbf")
            try await withDownloadServer(of: "served", in: home) { server, url in try await body(server, url, home) }
        }
    }

    private func downloader(
        in home: TemporaryHome, _ notes: Notes, _ change: (inout Downloader) -> Void = { _ in }
    ) -> Downloader {
        var downloader = Downloader(
            folder: DownloadFolder(cacheHome: home.cache), userAgent: "Hunch/test", listener: notes)
        change(&downloader)
        return downloader
    }

    private func plan(_ url: String, _ kind: String) throws -> DownloadPlan {
        let settings = try #require(OnlineGeocoderSettings(isEnabled: false))
        return try DownloadPlan(Self.region, server: "\(url)/\(kind)", settings: settings)
    }

    /// Expects that the file was requested once, when the server has reported everything.
    private func expectOneDownload(_ server: Daemon) async throws {
        try await server.waitForLine(containing: "GET /ok/europe/malta-latest.osm.pbf ")
        #expect(
            server.output.split(separator: "\n").count { $0.hasPrefix("GET /ok/europe/malta-latest.osm.pbf ") } == 1)
    }

    private func failure(_ body: () throws -> String?) -> DownloadFailure.Code? {
        do {
            _ = try body()
        } catch Downloader.Ending.failed(let failure) {
            return failure.code
        } catch {
            Issue.record("\(error)")
        }
        return nil
    }

    private func bytes(at path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }

    @Test("A file is downloaded, checked, dated and not requested twice")
    func whole() async throws {
        try await withServer { server, url, home async throws in
            let notes = Notes()
            let downloader = downloader(in: home, notes)
            let path = try #require(try downloader.run(plan(url, "ok"), onlyMeasures: false))
            #expect(try bytes(at: path) == Self.content)
            let date = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
            #expect(date == Date(timeIntervalSince1970: 1_709_287_200))
            let length = Int64(Self.content.count)
            let address = "\(url)/ok/europe/malta-latest.osm.pbf"
            let name = "malta-latest.osm.pbf"
            #expect(
                notes.events.first
                    == .file(DownloadFile(name: name, address: address, length: length, received: 0)))
            #expect(notes.events.last == .progress(name: name, received: length, length: length))
            #expect(try downloader.run(plan(url, "ok"), onlyMeasures: false) == path)
            #expect(
                notes.events.last
                    == .file(DownloadFile(name: name, address: address, length: length, received: length)))
            try await expectOneDownload(server)
            let parts = try FileManager.default.contentsOfDirectory(
                atPath: home.cache + "/hunch/downloads/geofabrik/europe")
            #expect(parts.sorted() == [name, name + ".json"])
        }
    }

    @Test("Measuring requests only headers and writes nothing")
    func measured() async throws {
        try await withServer { server, url, home async throws in
            let notes = Notes()
            #expect(try downloader(in: home, notes).run(plan(url, "ok"), onlyMeasures: true) == nil)
            #expect(notes.events.count == 1 && !server.output.contains("GET"))
            #expect(!FileManager.default.fileExists(atPath: home.cache + "/hunch"))
        }
    }

    @Test("A partial download continues at its last byte", arguments: ["cut", "anew", "norange", "badrange"])
    func continued(kind: String) async throws {
        try await withServer { _, url, home async throws in
            let downloader = downloader(in: home, Notes())
            #expect(failure { try downloader.run(plan(url, kind), onlyMeasures: false) } == .incomplete)
            let path = try #require(try downloader.run(plan(url, kind), onlyMeasures: false))
            #expect(try bytes(at: path) == Self.content)
        }
    }

    @Test("A complete part that was not checked yet needs no request")
    func unchecked() async throws {
        try await withServer { server, url, home async throws in
            let downloader = downloader(in: home, Notes())
            let path = try #require(try downloader.run(plan(url, "ok"), onlyMeasures: false))
            try FileManager.default.moveItem(atPath: path, toPath: path + ".part")
            #expect(try downloader.run(plan(url, "ok"), onlyMeasures: false) == path)
            try await expectOneDownload(server)
            // A damaged one is discarded.
            var damaged = Self.content
            damaged[1_000] ^= 1
            try Data(damaged).write(to: URL(filePath: path + ".part"))
            try FileManager.default.removeItem(atPath: path)
            #expect(failure { try downloader.run(plan(url, "ok"), onlyMeasures: false) } == .wrongChecksum)
            #expect(try downloader.run(plan(url, "ok"), onlyMeasures: false) == path)
            #expect(try bytes(at: path) == Self.content)
        }
    }

    @Test("A new checksum restarts the download")
    func newChecksum() async throws {
        try await withServer { server, url, home async throws in
            let downloader = downloader(in: home, Notes())
            #expect(failure { try downloader.run(plan(url, "cut"), onlyMeasures: false) } == .incomplete)
            let digits = String(repeating: "a", count: 32)
            try home.directory.write("\(digits)  malta.osm.pbf\n", to: "served/europe/malta-latest.osm.pbf.md5")
            #expect(failure { try downloader.run(plan(url, "ok"), onlyMeasures: false) } == .wrongChecksum)
            #expect(!server.output.contains("GET /ok/europe/malta-latest.osm.pbf bytes="))
            try home.directory.write("<html>", to: "served/europe/malta-latest.osm.pbf.md5")
            #expect(failure { try downloader.run(plan(url, "ok"), onlyMeasures: false) } == .wrongChecksum)
        }
    }

    @Test("An endless file ends at the limit, and a long one is not requested")
    func limits() async throws {
        try await withServer { server, url, home async throws in
            let small = downloader(in: home, Notes()) { $0.limits.length = 100_000 }
            #expect(failure { try small.run(plan(url, "endless"), onlyMeasures: false) } == .tooLarge)
            #expect(failure { try small.run(plan(url, "ok"), onlyMeasures: false) } == .tooLarge)
            #expect(failure { try small.run(plan(url, "nohead"), onlyMeasures: false) } == .tooLarge)
            #expect(!server.output.contains("GET /ok/europe"))
            let part = "\(small.folder.path)/geofabrik/europe/malta-latest.osm.pbf.part"
            #expect((DownloadFolder.size(of: part) ?? 0) <= 100_000)
        }
    }

    @Test("A disk with too little space is reported before the download")
    func space() async throws {
        try await withServer { server, url, home async throws in
            let full = downloader(in: home, Notes()) { $0.freeSpace = { _ in (64 << 20) + 299_999 } }
            #expect(failure { try full.run(plan(url, "ok"), onlyMeasures: false) } == .noSpace)
            #expect(!server.output.contains("GET"))
            let fitting = downloader(in: home, Notes()) { $0.freeSpace = { _ in (64 << 20) + 300_000 } }
            #expect(try fitting.run(plan(url, "ok"), onlyMeasures: false) != nil)
            #expect(DownloadFolder.freeSpace(at: home.cache) ?? 0 > 0)
        }
    }

    @Test("A silent or dead server is given up")
    func silent() async throws {
        try await withServer { _, url, home async throws in
            let dead = try DownloadPlan(
                Self.region, server: "http://127.0.0.1:1",
                settings: .load(BaseDirectories(environment: home.environment)))
            let downloader = downloader(in: home, Notes()) { $0.limits.patience = 2 }
            #expect(failure { try downloader.run(dead, onlyMeasures: false) } == .unreachable)
            #expect(failure { try downloader.run(plan(url, "hung"), onlyMeasures: false) } == .unreachable)
        }
    }

    @Test("A download ends when its reader has gone")
    func abandoned() async throws {
        try await withServer { _, url, home async throws in
            let notes = Notes()
            notes.most = 2
            let downloader = downloader(in: home, notes)
            #expect(throws: Downloader.Ending.abandoned) { try downloader.run(plan(url, "slow"), onlyMeasures: false) }
            let part = "\(downloader.folder.path)/geofabrik/europe/malta-latest.osm.pbf.part"
            let size = try #require(DownloadFolder.size(of: part))
            #expect(size > 0 && size < 300_000)
        }
    }

    @Test("Unfinished downloads are removed after thirty days")
    func pruned() async throws {
        try await withTemporaryHome { home in
            let folder = DownloadFolder(cacheHome: home.cache)
            let part = try home.directory.write("x", to: "cache/hunch/downloads/geonames/DE.zip.part")
            let now = Int(Date().timeIntervalSince1970)
            folder.prune(at: now + DownloadFolder.lifetime - 60)
            #expect(FileManager.default.fileExists(atPath: part))
            folder.prune(at: now + DownloadFolder.lifetime + 60)
            #expect(!FileManager.default.fileExists(atPath: part))
        }
    }
}
