// Answers org.hunch.Benchmark.Echo(s) → s on the session bus, as a peer of the plain C server.
import EventLoops
import HunchDBus

let loop = try EventLoop()
Task.detached(executorPreference: loop) {
    do {
        let bus = try await Connection.open(.session(), on: loop)
        let server = await ObjectServer(on: bus)
        try await server.export(
            "/echo",
            [
                ExportedInterface(
                    "org.hunch.Benchmark",
                    [.method("Echo", arguments: ["text"], results: ["text"]) { (_, text: String) in text }])
            ])
        _ = try await bus.requestName("org.hunch.Benchmark.Swift")
        print("ready")
        _ = await bus.closed()
        withExtendedLifetime(server) {}
    } catch {
        print("dbus-echo: \(error)")
    }
    loop.stop()
}
loop.run()
