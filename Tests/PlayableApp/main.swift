// An app with playable content, in a process of its own: serves PlayableContent1 on the session bus and writes each
// call to its standard output.
//
//     playable-app BUS-NAME [normal|hang|error|crash|slow|wrong|huge]
import Glibc
import HunchDBus
import Media

let arguments = CommandLine.arguments
guard arguments.count >= 2, let name = try? BusName(arguments[1]),
    let mode = Mode(rawValue: arguments.count > 2 ? arguments[2] : "normal")
else {
    say("usage: playable-app BUS-NAME [\(Mode.allCases.map(\.rawValue).joined(separator: "|"))]")
    exit(2)
}

let loop = try EventLoop()
Task.detached(executorPreference: loop) {
    do {
        let bus = try await Connection.open(.session(), on: loop)
        let path = try BusPlayableContent.path(of: name)
        let server = await ObjectServer(on: bus)
        let player = PodcastPlayer(mode: mode, loop: loop) { changed in
            try await server.propertiesChanged(path, PodcastPlayer.interface, ["NowPlayingIdentifiers"])
            try await server.emit(path, PodcastPlayer.interface, "ContentChanged", [changed])
        }
        try await server.export(path, [player.served])
        guard try await bus.requestName(name) == .owner else {
            say("playable-app: another process owns \(name)")
            exit(1)
        }
        say("ready")
        _ = await bus.closed()
    } catch {
        say("playable-app: \(error)")
    }
    loop.stop()
}
loop.run()
