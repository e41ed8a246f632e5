/// Runs `xdg-dbus-proxy` in front of a bus while `body` runs, as sandboxes do. Its clients appear on the bus as the proxy's
/// process.
///
/// - Parameters:
///   - policy: options such as `--talk=NAME`. Names without an option can be neither seen nor called.
///   - body: gets the address of the proxy.
/// - Throws: what `body` throws, or `BenchError` if the proxy does not start.
public nonisolated(nonsending) func withBusProxy<Value>(
    to bus: PrivateBus, _ policy: [String], _ body: nonisolated(nonsending) (String) async throws -> Value
) async throws -> Value {
    try await withTemporaryDirectory { directory in
        let socket = directory.file("proxy")
        let command = Command("xdg-dbus-proxy", [bus.address, socket, "--filter"] + policy, ready: .socket(socket))
        return try await withDaemon(command) { _ in try await body("unix:path=\(socket)") }
    }
}
