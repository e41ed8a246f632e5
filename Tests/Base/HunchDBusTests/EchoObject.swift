import HunchDBus
import TestSupport

/// The object that most tests call.
enum EchoObject {
    static let name: BusName = "org.hunch.Test.Echo"
    static let path: ObjectPath = "/org/hunch/Test"
    static let interface: InterfaceName = "org.hunch.Test.Echo1"

    struct Rejected: Error {}

    /// Exports the object on a connection and takes its name. `gate` holds `Wait` back until it is open.
    static func serve(
        on connection: Connection, gate: Watched<Bool> = Watched(false),
        mapError: @escaping @Sendable (any Error) -> DBusError = { DBusError(.failed, "\($0)") }
    ) async throws -> ObjectServer {
        let server = await ObjectServer(on: connection, mapError: mapError)
        try await server.export(path, [described(gate)])
        guard try await connection.requestName(name) == .owner else { throw BenchError("the name \(name) is taken") }
        return server
    }

    private static func described(_ gate: Watched<Bool>) -> ExportedInterface {
        ExportedInterface(
            interface,
            [
                .method("Echo", arguments: ["value"], results: ["value"]) { (_, value: Value) in value },
                .method("Number", arguments: ["number"], results: ["number"]) { (_, number: UInt32) in number },
                .method("Late", arguments: ["number"], results: ["number"]) { (_, number: UInt32) async -> UInt32 in
                    await Task.yield()
                    return number
                },
                .method("Wait") { (_) async throws in try await gate.wait { $0 ? () : nil } },
                .method("Fail", arguments: ["name", "message"]) { (_, name: String, message: String) -> () in
                    throw DBusError(DBusError.Name(rawValue: name), message)
                },
                .method("Reject") { (_) -> () in throw Rejected() },
                .method("Bytes", arguments: ["count"], results: ["bytes"]) { (_, count: UInt32) in
                    [UInt8](repeating: 7, count: Int(count))
                },
                .method("Sender", results: ["name"]) { (call) in call.sender.text },
            ])
    }
}

extension Connection {
    /// Calls the echo object.
    nonisolated(nonsending) func echo(_ value: Value) async throws -> Value {
        try await call(EchoObject.name, EchoObject.path, EchoObject.interface, "Echo", value)
    }

    nonisolated(nonsending) func echo(number: UInt32, timeout: Duration = .seconds(25)) async throws -> UInt32 {
        try await call(EchoObject.name, EchoObject.path, EchoObject.interface, "Number", number, timeout: timeout)
    }

    /// Calls a method of the echo object that neither takes nor returns anything.
    nonisolated(nonsending) func perform(_ member: MemberName, timeout: Duration = .seconds(25)) async throws {
        let () = try await call(EchoObject.name, EchoObject.path, EchoObject.interface, member, timeout: timeout)
    }
}
