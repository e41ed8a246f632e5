// A complete player for a folder of music that lets Hunch prepare the next item: it serves PlayableContent1 with
// HunchKit, is controlled by media keys through MPRIS, and plays with GStreamer.
//
//     sample-player FOLDER
//
// Install `Tests/Apps/SamplePlayer/org.example.Player.desktop` in ~/.local/share/applications and run it: when
// headphones connect, Hunch offers to resume the unfinished file.
import FoundationEssentials
import Glibc
import HunchDBus
import HunchKit
import HunchModel

let application: AppID = "org.example.Player"

func complain(_ message: String) {
    let bytes = Array("sample-player: \(message)\n".utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
}

guard CommandLine.arguments.count == 2 else {
    complain("usage: sample-player FOLDER")
    exit(2)
}

let folder = MusicFolder(CommandLine.arguments[1])
let environment = ProcessInfo.processInfo.environment
let state = environment["XDG_STATE_HOME"] ?? (environment["HOME"] ?? "/") + "/.local/state"
let bookmarks = Bookmarks(URL(filePath: "\(state)/\(application)/bookmarks.json"))

/// Serves both interfaces until the bus closes or the user ends the player, which saves its position first.
func run(_ player: Player, on loop: EventLoop) async throws {
    let bus = try await Connection.open(.session(), on: loop)
    let server = await ObjectServer(on: bus)
    try await server.export(Player.path, player.interfaces(application: application))
    let content = try await PlayableContentService(of: application, on: server, dataSource: player, delegate: player)
    _ = try await bus.requestName("org.mpris.MediaPlayer2.sampleplayer")
    await player.onChange {
        try? await server.propertiesChanged(
            Player.path, Player.interface, ["PlaybackStatus", "Metadata", "CanPlay"])
        try? await content.nowPlayingChanged()
    }
    let signals = try loop.signals([SIGTERM, SIGINT])
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { for await _ in signals { return } }
        group.addTask { _ = await bus.closed() }
        try await group.next()
        group.cancelAll()
    }
    try await player.stop()
    try await content.stop()
}

EventLoop.block([SIGTERM, SIGINT])
let loop = try EventLoop()
Task.detached(executorPreference: loop) {
    do {
        try await run(Player(folder: folder, bookmarks: bookmarks, on: loop), on: loop)
    } catch {
        complain("\(error)")
        exit(3)
    }
    loop.stop()
}
loop.run()
