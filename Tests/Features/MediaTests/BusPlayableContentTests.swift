import FoundationEssentials
import HunchDBus
import HunchModel
import Media
import Players
import TestSupport
import Testing

@Suite("Playable content of an app on the bus", .timeLimit(.minutes(15)))
struct BusPlayableContentTests {
    static let interface: InterfaceName = "org.hunch.PlayableContent1"
    private let name: BusName = "org.example.Pod-Casts"
    private let headphones = PlaybackContext(
        device: AudioDevice(id: "AA:BB", name: "Phones", kind: .headphones, transport: .bluetooth))

    private func command(_ bus: PrivateBus, _ mode: String) throws -> Command {
        Command(
            try builtProduct("playable-app"), [name.text, mode], environment: bus.environment,
            ready: .line(containing: "ready"))
    }

    private func content(
        _ connection: Connection, remembered: NowPlayingInfo? = nil,
        launch: @escaping AppLaunch = { _, _ in throw BenchError("nothing may be launched") }
    ) throws -> BusPlayableContent {
        var deadlines = MediaDeadlines()
        deadlines.appearance = .seconds(10)
        deadlines.start = .seconds(1)
        return try BusPlayableContent(
            application: "org.example.Pod-Casts", name: "Podcasts", bus: connection, service: name,
            deadlines: deadlines, remembered: { _, _ in remembered }, launch: launch)
    }

    @Test("Preparing does not play; playing does")
    func prepareAndPlay() async throws {
        try await withPrivateBus { bus in
            try await withDaemon(command(bus, "normal")) { app in
                try await withConnection(to: bus) { connection in
                    let content = try content(connection)
                    #expect(await content.isRunning)
                    let info = try await content.initializePlaybackQueue(
                        ["show-2/episode-1", "show-2/episode-2"], context: headphones)
                    #expect(info.title == "Episode 1" && info.artists == ["Show 2"])
                    #expect(info.length == 3_600_000_000 && info.position == 1_800_000_000)
                    try await app.waitForLine(containing: "prepare [show-2/episode-1 show-2/episode-2] for headphones")
                    #expect(!app.output.contains("initiate"))
                    #expect(try await content.nowPlayingIdentifiers.isEmpty)
                    try await content.initiatePlayback(of: "show-2/episode-2", context: headphones)
                    try await app.waitForLine(containing: "playing show-2/episode-2")
                    #expect(try await content.nowPlayingIdentifiers == ["show-2/episode-2"])
                    try await content.beginLoadingChildItems(of: "show-1")
                    try await app.waitForLine(containing: "load show-1")
                }
            }
        }
    }

    @Test(
        "A hanging or faulty app is refused before long",
        arguments: [
            ("hang", MediaError.Code.noReply), ("error", .refused), ("crash", .noReply), ("wrong", .invalidReply),
            ("huge", .invalidReply),
        ])
    func misbehaving(mode: String, expected: MediaError.Code) async throws {
        try await withPrivateBus { bus in
            try await withDaemon(command(bus, mode)) { app in
                try await withConnection(to: bus) { connection in
                    let content = try content(connection)
                    let clock = ContinuousClock()
                    let start = clock.now
                    let found = await mediaErrorCode {
                        _ = try await content.initializePlaybackQueue([], context: PlaybackContext())
                    }
                    #expect(found == expected)
                    // A call waits 25 s by default, this one 2 s and the delay of a busy machine.
                    #expect(start.duration(to: clock.now) < .seconds(20))
                    if mode == "hang" || mode == "error" {
                        #expect(
                            await mediaErrorCode {
                                try await content.initiatePlayback(of: "show-1/episode-1", context: PlaybackContext())
                            } == expected)
                    }
                    #expect(!app.output.contains("playing"))
                }
            }
        }
    }

    @Test("A slow app is waited for")
    func slow() async throws {
        try await withPrivateBus { bus in
            try await withDaemon(command(bus, "slow")) { _ in
                try await withConnection(to: bus) { connection in
                    let info = try await content(connection)
                        .initializePlaybackQueue(["show-1/episode-3"], context: PlaybackContext())
                    #expect(info.title == "Episode 3")
                }
            }
        }
    }

    @Test("Preparing a stopped app uses its history without a start")
    func stopped() async throws {
        try await withPrivateBus { bus in
            try await withConnection(to: bus) { connection in
                let remembered = NowPlayingInfo(title: "Episode 7")
                let content = try content(connection, remembered: remembered)
                #expect(await !content.isRunning)
                #expect(try await content.initializePlaybackQueue([], context: PlaybackContext()) == remembered)
                let unknown = try self.content(connection)
                #expect(
                    await mediaErrorCode {
                        _ = try await unknown.initializePlaybackQueue([], context: PlaybackContext())
                    }
                        == .nothingToPlay)
                #expect(await mediaErrorCode { _ = try await unknown.contentItem("show-1") } == .notRunning)
                #expect(
                    await mediaErrorCode {
                        try await unknown.initiatePlayback(of: "show-1", context: PlaybackContext())
                    }
                        == .launchFailed)
            }
        }
    }

    @Test("To play, the bus starts a stopped app")
    func activated() async throws {
        try await withTemporaryDirectory { services in
            let app = try builtProduct("playable-app")
            try services.write(
                "[D-BUS Service]\nName=\(name)\nExec=\(app) \(name)\n", to: "\(name).service")
            try await withPrivateBus(serviceDirectories: [services.path]) { bus in
                try await withConnection(to: bus) { connection in
                    let content = try content(connection, remembered: NowPlayingInfo(title: "Episode 1"))
                    _ = try await content.initializePlaybackQueue([], context: PlaybackContext())
                    #expect(await !content.isRunning)
                    try await content.initiatePlayback(of: "show-1/episode-1", context: PlaybackContext())
                    #expect(try await content.nowPlayingIdentifiers == ["show-1/episode-1"])
                }
            }
        }
    }

    @Test("An app that the bus cannot start is launched, then played")
    func launched() async throws {
        try await withPrivateBus { bus in
            try await withConnection(to: bus) { connection in
                let wanted = Watched(false)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    let command = try command(bus, "normal")
                    let played = Watched(false)
                    group.addTask {
                        try await wanted.wait { $0 ? () : nil }
                        try await withDaemon(command) { app in
                            try await app.waitForLine(containing: "playing show-1/episode-1")
                            try await played.wait { $0 ? () : nil }
                        }
                    }
                    let content = try content(connection) { application, uri in
                        #expect(application == "org.example.Pod-Casts" && uri == nil)
                        wanted.update { $0 = true }
                    }
                    try await content.initiatePlayback(of: "show-1/episode-1", context: PlaybackContext())
                    #expect(try await content.nowPlayingIdentifiers == ["show-1/episode-1"])
                    played.update { $0 = true }
                    try await group.waitForAll()
                }
            }
        }
    }

    @Test("The served interface matches the documented XML")
    func introspection() async throws {
        let file = "\(Surroundings.packageRoot)/Sources/Base/AgentInterface/Interfaces/\(Self.interface).xml"
        let documented = try String(contentsOf: URL(filePath: file), encoding: .utf8)
        try await withPrivateBus { bus in
            try await withDaemon(command(bus, "normal")) { _ in
                try await withConnection(to: bus) { connection in
                    let served: String = try await connection.call(
                        name, ObjectPath(application: name), .introspectable, "Introspect")
                    #expect(Self.members(documented) == Self.members(served))
                    #expect(Self.members(documented).count == 11)
                }
            }
        }
    }

    /// Members, arguments and annotations of PlayableContent1 in a description, without comments and blanks.
    private static func members(_ xml: String) -> [String] {
        guard let start = xml.firstRange(of: "<interface name=\"\(interface)\">"),
            let end = xml[start.upperBound...].firstRange(of: "</interface>")
        else { return [] }
        var text = xml[start.upperBound..<end.lowerBound]
        while let begin = text.firstRange(of: "<!--"), let close = text[begin.upperBound...].firstRange(of: "-->") {
            text.removeSubrange(begin.lowerBound..<close.upperBound)
        }
        var (members, member) = ([String](), "")
        for line in text.split(separator: "\n") {
            let line = line.drop { $0 == " " }.replacing("/>", with: ">").replacing(" >", with: ">")
            if ["<method", "<signal", "<property"].contains(where: { line.hasPrefix($0) }) {
                members.append(member)
                member = ""
            }
            // Only code generators read the names of Qt's types.
            if !line.hasPrefix("</"), !line.contains("org.qtproject.") { member += line }
        }
        return (members + [member]).filter { !$0.isEmpty }.sorted()
    }
}
