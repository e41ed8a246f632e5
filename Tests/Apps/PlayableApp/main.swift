// An app with playable content, in a process of its own: serves PlayableContent1 on the session bus and writes each
// call to its standard output. Upon SIGUSR1 it loses its first show, upon SIGUSR2 it reports far too many changes.
//
//     playable-app BUS-NAME [MODE]
//
// The bus name is the app's identifier, or that and ".Hunch".
import Glibc
import HunchDBus
import HunchKit
import HunchModel

let arguments = CommandLine.arguments
guard arguments.count >= 2, let name = try? BusName(arguments[1]),
    let mode = Mode(rawValue: arguments.count > 2 ? arguments[2] : "normal")
else {
    say("usage: playable-app BUS-NAME [\(Mode.allCases.map(\.rawValue).joined(separator: "|"))]")
    exit(2)
}

EventLoop.block([SIGUSR1, SIGUSR2])
let loop = try EventLoop()
Task.detached(executorPreference: loop) {
    do {
        let bus = try await Connection.open(.session(), on: loop)
        let server = await ObjectServer(on: bus)
        let player = PodcastPlayer(mode: mode, loop: loop)
        let own = ".Hunch"
        let app = AppID(name.text.hasSuffix(own) ? String(name.text.dropLast(own.count)) : name.text)
        if mode == .wrong {
            try await server.export(ObjectPath(application: BusName(app.rawValue)), [PodcastPlayer.nonsense])
            _ = try await bus.requestName(name)
        } else {
            let content = try await PlayableContentService(
                of: app, on: server, as: name, dataSource: player, delegate: player)
            await player.setContent(content)
        }
        let signals = try loop.signals([SIGUSR1, SIGUSR2])
        say("ready")
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await signal in signals {
                    if signal == SIGUSR1 { try await player.loseFirstShow() } else { try await player.tellTooMuch() }
                }
            }
            group.addTask { _ = await bus.closed() }
            try await group.next()
            group.cancelAll()
        }
    } catch {
        say("playable-app: \(error)")
    }
    loop.stop()
}
loop.run()
