import EventLoops
import HunchDBus
import TestSupport

/// A fake settings portal.
final class SettingsPortal: Sendable {
    static let name: BusName = "org.freedesktop.portal.Desktop"
    static let path: ObjectPath = "/org/freedesktop/portal/desktop"
    static let interface: InterfaceName = "org.freedesktop.portal.Settings"
    static let privacy = "org.gnome.desktop.privacy"

    let values: Watched<VariantMap>
    /// Whether calls are answered. Others wait.
    let answers: Watched<Bool>
    let questions = Watched(0)
    let connection: Connection
    private let server: ObjectServer

    init(on bus: PrivateBus, loop: EventLoop, _ values: VariantMap, answers: Bool = true) async throws {
        connection = try await Connection.open(BusAddress(bus.address), on: loop)
        server = await ObjectServer(on: connection)
        self.values = Watched(values)
        self.answers = Watched(answers)
        let (state, questions, mayAnswer) = (self.values, self.questions, self.answers)
        try await server.export(
            Self.path,
            [
                ExportedInterface(
                    Self.interface,
                    [
                        .method("ReadAll", arguments: ["namespaces"], results: ["value"]) {
                            (_, namespaces: [String]) async throws -> [String: VariantMap] in
                            questions.update { $0 += 1 }
                            try await mayAnswer.wait { $0 ? () : nil }
                            return namespaces.contains(Self.privacy) ? [Self.privacy: state.state] : [:]
                        }
                    ])
            ])
        guard try await connection.requestName(Self.name) == .owner else { throw BenchError("there is a portal") }
    }

    func set(_ key: String, _ value: Bool) async throws {
        values.update { $0[key] = .boolean(value) }
        try await server.emit(Self.path, Self.interface, "SettingChanged", Self.privacy, key, Value.boolean(value))
    }
}

/// A loop for a portal, separate from the agent's.
func withPortalLoop(_ body: nonisolated(nonsending) (EventLoop) async throws -> Void) async throws {
    let loop = try EventLoop()
    try loop.start(name: "portal")
    defer { loop.stop() }
    try await body(loop)
}
