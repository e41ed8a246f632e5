import AgentInterface
import HunchModel
import EventLoops
import HunchDBus
import HunchKit
import TestSupport
import Testing

@testable import Agent
@testable import Services
@testable import Apps

/// The agent in a GNOME session: its shell, and the part of it that gives media keys to players.
@Suite("Suggestions in GNOME Shell", .serialized, .timeLimit(.minutes(15)))
struct GnomeDesktopTests {
    private static let card = "org.mpris.MediaPlayer2.hunch"
    private static let app = MediaScene.podcasts

    /// A GNOME session with an agent, and with an app that was played before, on a machine whose headset can be put on.
    private func withSession(
        _ body: nonisolated(nonsending) (GnomeShell, AgentRig, HeadsetMachine, _ app: Daemon) async throws -> Void
    ) async throws {
        try await withTemporaryHome { home in
            try StoreFile(home: home).remember(plays: [Self.app])
            try home.declareContent(of: Self.app, name: "Podcasts")
            try await withGnomeShell { shell in
                try await HeadsetMachine.with(in: home) { machine in
                    try await withAgentInside(
                        on: shell.bus, in: home, also: machine.environment,
                        configure: {
                            $0.settleTime = .milliseconds(50)
                            $0.preparationTime = .seconds(20)
                            $0.keyTime = .zero
                        }
                    ) { rig in
                        try await rig.watch()
                        let command = Command(
                            try builtProduct("playable-app"), [Self.app.rawValue, "normal"],
                            environment: rig.environment,
                            ready: .busName(Self.app.rawValue, on: shell.bus))
                        try await shell.withMediaKeys {
                            try await withDaemon(command) { try await body(shell, rig, machine, $0) }
                        }
                    }
                }
            }
        }
    }

    /// Presses the media key until it has an effect: the settings daemon may not know the player yet.
    private func pressKey(
        _ shell: GnomeShell, until what: String, _ holds: nonisolated(nonsending) () async -> Bool
    ) async throws {
        try await eventually(what, because: "nobody tells whose the key is") {
            try await shell.press(key: "AudioPlay")
            return try? await eventually(what, within: .seconds(15), because: "nobody tells whose the key is") {
                await holds() ? () : nil
            }
        }
    }

    @Test("The media key starts the suggestion in the message list once")
    func key() async throws {
        try await withSession { shell, rig, machine, app in
            try await machine.putOn()
            try await shell.bus.waitForOwner(of: Self.card)
            try await shell.openMessages()
            try await shell.part("label", "Episode 1")
            try await shell.part("label", "Resume “Episode 1”")
            try await shell.closeMessages()
            #expect(app.count(of: "initiate") == 0)
            try await pressKey(shell, until: "the app playing") { app.count(of: "playing") == 1 }
            try await rig.waitForSuggestions("the suggestion going") { $0.isEmpty ? () : nil }
            #expect(app.count(of: "initiate") == 1)
        }
    }

    @Test("GNOME Shell is recognized by its program")
    func shellProcess() async throws {
        try await withGnomeShell { shell in
            let environment = ["PATH": "/usr/bin", "XDG_DATA_DIRS": "/usr/share"]
            let worker = try WorkerThread(name: "entries")
            defer { worker.stop() }
            let installed = InstalledAppsCache(environment: environment, worker: worker)
            let callers = CallerIdentifier(
                configuration: AgentConfiguration(environment: environment), installed: installed)
            try await withConnection(to: shell.bus) { connection in
                let owner = try #require(try await connection.owner(of: "org.gnome.Shell"))
                let process = try await callers.process(behind: owner, on: connection)
                #expect(process.owners.map(\.application) == ["org.gnome.Shell"])
            }
        }
    }

    @Test("A paused player keeps the media key and there is no card")
    func pausedPlayer() async throws {
        try await withSession { shell, rig, machine, app in
            try await withClient(of: shell.bus) { client in
                let radio = try await RadioPlayer(on: client.connection)
                try await radio.load("News")
                try await eventually("the player being seen", because: "Players has no signal") {
                    try await rig.agent.players().map(\.transfer).contains { $0["status"] == .string("Paused") }
                        ? () : nil
                }
                try await machine.putOn()
                try await rig.waitForSuggestions("it being shown") { $0.first?.state == "shown" ? () : nil }
                #expect(try await client.connection.owner(of: BusName(Self.card)) == nil)
                try await pressKey(shell, until: "the player playing") { await radio.isPlaying }
                // The suggestion is obsolete.
                try await rig.waitForSuggestions("the suggestion going") { $0.isEmpty ? () : nil }
                #expect(app.count(of: "initiate") == 0)
            }
        }
    }

    @Test("A player that starts playing takes the media key")
    func playingPlayer() async throws {
        try await withSession { shell, rig, machine, app in
            try await machine.putOn()
            try await shell.bus.waitForOwner(of: Self.card)
            try await withClient(of: shell.bus) { client in
                let radio = try await RadioPlayer(on: client.connection)
                try await radio.play("News")
                try await withDeadline(.seconds(60), "the card going") {
                    for await owner in try await client.connection.owners(of: BusName(Self.card)) where owner == nil {
                        return
                    }
                }
                try await pressKey(shell, until: "the player being paused") { await !radio.isPlaying }
                #expect(app.count(of: "initiate") == 0)
            }
        }
    }
}
