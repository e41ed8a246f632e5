import AgentInterface
import HunchModel
import FoundationEssentials
import EventLoops
import HunchDBus
import HunchKit
import TestSupport
import Testing

@testable import Agent
@testable import Services
@testable import Media

/// Tests of which player the agent reports as active.
@Suite("Players in the agent", .timeLimit(.minutes(15))) struct PlayersTests {
    /// Returns the only player once a condition holds for it.
    private func player(_ rig: AgentRig, where holds: (VariantMap) throws -> Bool) async throws -> VariantMap {
        try await eventually("the player", because: "Players has no signal") {
            try await rig.agent.players().map(\.transfer).first { try holds($0) }
        }
    }

    @Test("hunch players gives the reason for each player's rank")
    func why() async throws {
        try await withTemporaryHome { home in
            try StoreFile(home: home).remember(plays: ["org.example.Radio"])
            try await withPrivateBus { bus in
                try await withAgentInside(on: bus, in: home) { rig in
                    let none = try await rig.hunch("players")
                    #expect(none.status == .exited(1) && none.standardError.contains("hunch enable"))
                    try await rig.agent.enable()
                    try await withClient(of: bus) { client in
                        let radio = try await RadioPlayer(on: client.connection)
                        try await radio.load("News")
                        let loaded = try await player(rig) { $0["status"] == .string("Paused") }
                        #expect(try loaded.value("reason") == "usual" && loaded.value("likelihood") == 1.0)
                        #expect(try loaded.value("active") == true)
                        try await radio.play("News")
                        let playing = try await player(rig) { $0["status"] == .string("Playing") }
                        #expect(try playing.value("reason") == "playing")
                        try await radio.pause()
                        _ = try await player(rig) { $0["reason"] == .string("used") }
                        let lines = try await rig.hunch("players", "--json").output()
                        #expect(lines.contains(#""active":true"#) && lines.contains(#""why":"you used it just now""#))
                        let row = try await rig.hunch("players").output()
                        #expect(row == "Radio\torg.example.Radio\tpaused\tNews\tyou used it just now\n")
                        _ = try await rig.agent.forget(.application("org.example.Radio"))
                        #expect(try await !rig.hunch("players").output().contains("you used it"))
                    }
                }
            }
        }
    }

    /// Runs an agent with a fake radio player, whose claimed app is installed.
    private func withRadioInstalled(_ body: nonisolated(nonsending) (AgentRig) async throws -> Void) async throws {
        try await withAgentInside { rig in
            try rig.home.directory.write(
                "[Desktop Entry]\nType=Application\nName=Radio\nExec=true %U\nMimeType=audio/ogg;\n",
                to: "data/applications/org.example.Radio.desktop")
            try await rig.agent.enable()
            try await body(rig)
        }
    }

    /// The app to which the agent assigns the only player.
    private func application(_ rig: AgentRig) async throws -> String? {
        try await player(rig) { $0["status"] == .string("Paused") }.value("app")
    }

    @Test("hunch apps lists a running player without records")
    func participating() async throws {
        try await withRadioInstalled { rig in
            try await withClient(of: rig.bus) { client in
                try await RadioPlayer(on: client.connection).load("News")
                _ = try await player(rig) { $0["status"] == .string("Paused") }
                let lines = try await rig.hunch("apps", "--json").output().split(separator: "\n")
                let radio = try #require(lines.first { $0.contains(#""app":"org.example.Radio""#) })
                #expect(radio.contains(#""name":"Radio""#) && radio.contains(#""recorded":0,"roles":["player"]"#))
            }
        }
    }

    @Test("A running player without a desktop entry is forgotten and excluded by its name")
    func unlisted() async throws {
        try await withAgentInside { rig in
            try await rig.agent.enable()
            try await withClient(of: rig.bus) { client in
                try await RadioPlayer(on: client.connection, as: "org.mpris.MediaPlayer2.night").load("News")
                #expect(try await application(rig) == "night")
                for name in ["Radio", "radio", "night"] {
                    let result = try await rig.hunch("forget", "--app", name)
                    #expect(result.standardError == "hunch: there was nothing to forget\n", "\(result)")
                }
                let unknown = try await rig.hunch("forget", "--app", "Television")
                #expect(unknown.standardError.contains("no app is called “Television”"), "\(unknown)")
                _ = try await rig.hunch("exclude", "Radio").output()
                #expect(try await rig.agent.exclusions() == ["night"])
            }
        }
    }

    @Test("A sandboxed player is not the app that it names")
    func sandboxed() async throws {
        try await withRadioInstalled { rig in
            try await withBusProxy(to: rig.bus, ["--own=org.mpris.MediaPlayer2.radio"]) { address in
                let loop = try EventLoop()
                try loop.start()
                defer { loop.stop() }
                let connection = try await Connection.open(BusAddress(address), on: loop)
                try await RadioPlayer(on: connection).load("News")
                #expect(try await application(rig) == "org.mpris.MediaPlayer2.radio")
                await connection.close()
            }
        }
    }

    @Test(
        "A player names an app only if its bus name agrees", arguments: ["radio", "org.example.radio", "other"])
    func named(name: String) async throws {
        try await withRadioInstalled { rig in
            try await withClient(of: rig.bus) { client in
                let full = try BusName("org.mpris.MediaPlayer2.\(name)")
                try await RadioPlayer(on: client.connection, as: full).load("News")
                #expect(try await application(rig) == (name == "other" ? name : "org.example.Radio"))
            }
        }
    }

    @Test("mpv is the app of its desktop entry, except in a sandbox")
    func mpv() async throws {
        try await withAgentInside { rig in
            try FileManager.default.createDirectory(
                atPath: rig.home.directory.file("data/applications"), withIntermediateDirectories: true)
            try FileManager.default.copyItem(
                atPath: "/usr/share/applications/mpv.desktop",
                toPath: rig.home.directory.file("data/applications/mpv.desktop"))
            try await rig.agent.enable()
            let sound = rig.home.directory.file("News.wav")
            let bytes = WaveFile(seconds: 60, title: "News", artist: "Radio").bytes
            try Data(bytes).write(to: URL(filePath: sound))
            func application(_ address: String) async throws -> String? {
                let environment = rig.environment.merging(["DBUS_SESSION_BUS_ADDRESS": address]) { $1 }
                let mpv = Command(
                    "mpv",
                    [
                        "--no-video", "--ao=null", "--no-config", "--script=/usr/lib/mpv-mpris/mpris.so", "--pause",
                        sound,
                    ], environment: environment,
                    ready: .busName("org.mpris.MediaPlayer2.mpv", on: rig.bus))
                return try await withDaemon(mpv) { _ in
                    try await player(rig) { $0["status"] == .string("Paused") }.value("app")
                }
            }
            #expect(try await application(rig.bus.address) == "mpv")
            try await eventually("the player going", because: "Players has no signal") {
                try await rig.agent.players().map(\.transfer).isEmpty ? () : nil
            }
            try await withBusProxy(to: rig.bus, ["--own=org.mpris.MediaPlayer2.mpv"]) { address in
                let behind = try await application(address)
                #expect(behind == "org.mpris.MediaPlayer2.mpv")
            }
        }
    }

    @Test("An excess of player signals is dropped and reported")
    func excess() async throws {
        try await withAgentInside { rig in
            try await rig.agent.enable()
            try await withClient(of: rig.bus) { client in
                let radio = try await RadioPlayer(on: client.connection)
                try await radio.load("News")
                let calm = try await player(rig) { $0["status"] == .string("Paused") }
                #expect(calm["dropped"] == nil)
                let change: VariantMap = ["Volume": .double(0.5)]
                for _ in 0..<2_000 {
                    try await client.connection.emit(
                        "/org/mpris/MediaPlayer2", .properties, "PropertiesChanged",
                        body: ["org.mpris.MediaPlayer2.Player".dbusValue, change.dbusValue, [String]().dbusValue])
                }
                let rude = try await player(rig) { $0["dropped"] != nil }
                let dropped = try rude.value("dropped", as: UInt64.self) ?? 0
                #expect(1...2_000 ~= dropped)
                let row = try await rig.hunch("players").output()
                #expect(
                    row.contains(
                        "paused; sends too many changes: \(dropped) change\(dropped == 1 ? "" : "s") not read"),
                    "\(row)")
                let problems: [String] = try await rig.agent.status().transfer.value("problems") ?? []
                #expect(problems.contains { $0.contains("sends too many changes and is ignored") }, "\(problems)")
            }
        }
    }

    @Test(
        "The time since the last use is given in words",
        arguments: [
            (Duration.zero, "just now"), (.seconds(59), "just now"), (.seconds(60), "a minute ago"),
            (.seconds(7_199), "119 minutes ago"), (.seconds(7_200), "2 hours ago"), (.seconds(172_800), "2 days ago"),
        ])
    func ages(ago: Duration, words: String) {
        #expect(PlayerRank.used(ago: ago).words(device: "WH") == "you used it \(words)")
    }

    @Test("Learned and disregarded reasons are given in words")
    func reasons() {
        func usual(_ count: Int, of total: Int) -> String {
            PlayerRank.usual(1, plays: Explanation.Share(count: count, total: total)).words(device: "WH")
        }
        #expect(usual(3, of: 5) == "you listened with it 3 of 5 times on WH")
        #expect(usual(4, of: 4) == "you listened with it all 4 times on WH")
        #expect(usual(1, of: 1) == "you listened with it the last time on WH")
        for nothing in [usual(0, of: 4), PlayerRank.usual(1).words(device: "WH")] {
            #expect(nothing == "you listened with it before")
        }
        #expect(PlayerRank.idleBrowser.words(device: "WH").contains("a browser that plays nothing"))
        #expect(PlayerRank.silent.words(device: "WH") == "it does not answer")
    }
}
