// An app in its own process that reports its activity. It shows the requested items and continues them.
//
//     screen-app BUS-NAME
import AgentInterface
import Glibc
import EventLoops
import HunchDBus

func say(_ line: String) {
    print(line)
    fflush(nil)
}

guard CommandLine.arguments.count == 2, let name = try? BusName(CommandLine.arguments[1]),
    let path = try? ObjectPath("/" + name.text.split(separator: ".").joined(separator: "/"))
else {
    say("usage: screen-app BUS-NAME")
    exit(2)
}

let loop = try EventLoop()
Task.detached(executorPreference: loop) {
    do {
        let bus = try await Connection.open(.session(), on: loop)
        let server = await ObjectServer(on: bus)
        let screen = ExportedInterface(
            "org.example.Screen1",
            [
                .method("Show", arguments: ["activity"], results: ["path"]) {
                    (_, activity: VariantMap) async throws -> ObjectPath in
                    try await bus.call(
                        HunchNames.agent, HunchNames.root, HunchNames.activities, "BecomeCurrent", activity)
                }
            ])
        let continuing = ExportedInterface(
            HunchNames.continueActivity,
            [.method("Continue", arguments: ["activity", "platform_data"]) { (_, _: VariantMap, _: VariantMap) in }])
        let application = ExportedInterface(
            "org.freedesktop.Application",
            [.method("Open", arguments: ["uris", "platform_data"]) { (_, _: [String], _: VariantMap) in }])
        try await server.export(path, [screen, continuing, application])
        guard try await bus.requestName(name) == .owner else {
            say("screen-app: another process owns \(name)")
            exit(1)
        }
        say("ready")
        _ = await bus.closed()
    } catch {
        say("screen-app: \(error)")
    }
    loop.stop()
}
loop.run()
