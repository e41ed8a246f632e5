internal import EventLoops
public import HunchDBus

/// Connects to `bus` on a loop of its own while `body` runs.
public nonisolated(nonsending) func withConnection<Value>(
    to bus: PrivateBus, _ body: nonisolated(nonsending) (Connection) async throws -> Value
) async throws -> Value {
    let loop = try EventLoop()
    try loop.start()
    defer { loop.stop() }
    let connection = try await Connection.open(BusAddress(bus.address), on: loop)
    do {
        let value = try await body(connection)
        await connection.close()
        return value
    } catch {
        await connection.close()
        throw error
    }
}
