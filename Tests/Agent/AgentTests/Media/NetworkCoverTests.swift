import AgentInterface
import FoundationEssentials
import EventLoops
import HunchDBus
import HunchKit
import HunchModel
import Media
import TestSupport
import Testing

@testable import Agent
@testable import Services
@testable import Learning

/// Tests of covers from the network, with a fake of the online program.
@Suite("Covers from the network", .timeLimit(.minutes(15)))
struct NetworkCoverTests {
    /// A PNG header of one pixel. Only the header is read.
    private static let picture: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
        + [0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0, 0, 0, 0, 0]

    /// Runs `body` with covers of a player that this test is, and with the record of fetched addresses.
    ///
    /// - Parameter forgetsMeanwhile: whether covers are forgotten during each fetch.
    private func withCovers(
        isAllowed: Bool, forgetsMeanwhile: Bool = false,
        _ body:
            nonisolated(nonsending) (NetworkCovers, _ player: BusName, _ asked: Watched<[String]>) async throws -> Void
    ) async throws {
        try await withTemporaryHome { home in
            try await withPrivateBus { bus in
                let loop = try EventLoop()
                try loop.start()
                defer { loop.stop() }
                let worker = try WorkerThread(name: "test")
                defer { worker.stop() }
                let connection = try await Connection.open(BusAddress(bus.address), on: loop)
                let directories = BaseDirectories(environment: home.environment)
                if isAllowed {
                    var settings = try #require(OnlineGeocoderSettings(isEnabled: false))
                    settings.fetchesCovers = true
                    try settings.save(directories)
                }
                let asked = Watched<[String]>([])
                let program = try await Connection.open(BusAddress(bus.address), on: loop)
                let forgotten = Watched<NetworkCovers?>(nil)
                let server = try await serve(on: program, asked) { forgotten.state?.forget() }
                let history = try HistoryKeeper(
                    environment: home.environment, now: { Planted.now }, on: worker)
                let covers = NetworkCovers(
                    bus: connection, directories: directories, history: history,
                    cache: ArtworkCache(folder: home.directory.file("covers")))
                if forgetsMeanwhile { forgotten.update { $0 = covers } }
                let player = try #require(await connection.uniqueName)
                try await body(covers, player, asked)
                if forgetsMeanwhile {
                    #expect(!FileManager.default.fileExists(atPath: home.directory.file("covers")))
                }
                await connection.close()
                await program.close()
                withExtendedLifetime(server) {}
            }
        }
    }

    /// Serves the interface of the online program.
    ///
    /// - Parameter meanwhile: called during each fetch.
    /// - Returns: its objects, which exist as long as the value is kept.
    private func serve(
        on program: Connection, _ asked: Watched<[String]>, meanwhile: @escaping @Sendable () -> Void = {}
    ) async throws -> ObjectServer {
        let server = await ObjectServer(on: program)
        let served = ExportedInterface(
            HunchNames.onlineGeocoderInterface,
            [
                .method("FetchPicture", arguments: ["address"], results: ["picture"]) {
                    (_, address: String) -> [UInt8] in
                    asked.update { $0.append(address) }
                    meanwhile()
                    return address.hasSuffix("text") ? Array("no picture".utf8) : Self.picture
                }
            ])
        try await server.export(HunchNames.onlineGeocoderPath, [served])
        _ = try await program.requestName(HunchNames.onlineGeocoder)
        return server
    }

    /// Tests of the now-playing card.
    private func cardPicture(_ scene: MediaScene) async throws -> String? {
        let name: BusName = "org.mpris.MediaPlayer2.hunch"
        try await scene.rig.bus.waitForOwner(of: name.text)
        let card = Proxy(scene.rig.agent.connection, name, "/org/mpris/MediaPlayer2")
        let metadata: VariantMap = try await card.property("org.mpris.MediaPlayer2.Player", "Metadata")
        return try metadata.value("mpris:artUrl")
    }

    @Test("A streaming player's cover is shown once allowed", arguments: [false, true])
    func shown(isAllowed: Bool) async throws {
        try await withMediaScene(configure: { $0.preparationTime = .seconds(20) }) { scene in
            let asked = Watched<[String]>([])
            let loop = try EventLoop()
            try loop.start()
            defer { loop.stop() }
            let program = try await Connection.open(BusAddress(scene.rig.bus.address), on: loop)
            let server = try await serve(on: program, asked)
            let home = scene.rig.home
            if isAllowed { _ = try await scene.rig.hunch("online", "enable", "--covers").output() }
            try await scene.withApp(mode: "streaming") { _ in
                let icons = "data/icons/hicolor/256x256/apps"
                let files = FileManager.default
                try files.createDirectory(atPath: home.directory.file(icons), withIntermediateDirectories: true)
                let icon = try home.directory.write("icon", to: "\(icons)/podcasts.png")
                let entry = home.directory.file("data/applications/\(MediaScene.podcasts).desktop")
                let text = try String(contentsOfFile: entry, encoding: .utf8) + "\nIcon=podcasts\n"
                try home.directory.write(text, to: "data/applications/\(MediaScene.podcasts).desktop")

                try await scene.putOn()
                let shown = try await scene.notifications.request(1)
                let picture = try await cardPicture(scene)
                #expect(asked.state == (isAllowed ? ["https://covers.example.org/show-1/episode-1"] : []))
                if isAllowed {
                    let cover = try #require(picture.flatMap(URL.init(string:))?.path)
                    #expect(FileManager.default.contents(atPath: cover).map { Array($0) } == Self.picture)
                    #expect(shown.hints["image-path"] == picture.map(Value.string))
                } else {
                    #expect(picture == "file://\(icon)" && shown.icon == picture && shown.hints["image-path"] == nil)
                }
            }
            await program.close()
            withExtendedLifetime(server) {}
        }
    }

    @Test("A cover is fetched once, and again after it is forgotten")
    func once() async throws {
        try await withCovers(isAllowed: true) { covers, player, asked async throws in
            let address = "https://covers.example.org/1"
            func copy() async -> String? { await covers.copy(of: address, for: player, within: .seconds(20)) }
            let first = try #require(await copy())
            let file = try #require(URL(string: first)?.path)
            #expect(FileManager.default.contents(atPath: file).map { Array($0) } == Self.picture)
            #expect(await copy() == first && asked.state == [address])
            try FileManager.default.removeItem(atPath: file)
            #expect(await copy() == first && asked.state.count == 2)
            covers.forget()
            #expect(await copy() == first && asked.state.count == 3)
        }
    }

    @Test("A cover that is forgotten while it is fetched is not kept")
    func forgottenMeanwhile() async throws {
        try await withCovers(isAllowed: true, forgetsMeanwhile: true) { covers, player, asked async throws in
            let address = "https://covers.example.org/1"
            for count in 1...2 {
                #expect(await covers.copy(of: address, for: player, within: .seconds(20)) == nil)
                #expect(asked.state.count == count)
            }
        }
    }

    @Test("An address or a file that is not a picture is not used")
    func unusable() async throws {
        try await withCovers(isAllowed: true) { covers, player, asked async throws in
            for address in ["https://covers.example.org/text", "http://covers.example.org/1", "file:///etc/passwd"] {
                #expect(await covers.copy(of: address, for: player, within: .seconds(20)) == nil)
            }
            #expect(asked.state == ["https://covers.example.org/text"])
        }
    }

    @Test("No cover is fetched before it is allowed or without a player")
    func notAllowed() async throws {
        try await withCovers(isAllowed: false) { covers, player, asked async throws in
            #expect(await covers.copy(of: "https://covers.example.org/1", for: player, within: .seconds(20)) == nil)
            #expect(asked.state.isEmpty)
        }
        try await withCovers(isAllowed: true) { covers, _, asked async throws in
            #expect(await covers.copy(of: "https://covers.example.org/1", for: ":1.99", within: .seconds(20)) == nil)
            #expect(asked.state.isEmpty)
        }
    }

    @Test("No cover is fetched for a sandboxed app without network")
    func sandboxed() async throws {
        try await withTemporaryDirectory { directory in
            func file(_ text: String) throws -> String { try directory.write(text, to: ".flatpak-info") }
            let missing = directory.file("none")
            #expect(NetworkCovers.grantsNetwork(missing, isConfined: false))
            #expect(!NetworkCovers.grantsNetwork(missing, isConfined: true))
            let open = try file("[Application]\nname=org.example.Player\n\n[Context]\nshared=network;ipc;\n")
            #expect(NetworkCovers.grantsNetwork(open, isConfined: true))
            for text in ["[Context]\nshared=ipc;\n", "[Application]\nshared=network;\n", "network", ""] {
                #expect(try !NetworkCovers.grantsNetwork(file(text), isConfined: true))
                #expect(try !NetworkCovers.grantsNetwork(file(text), isConfined: false))
            }
        }
    }
}
