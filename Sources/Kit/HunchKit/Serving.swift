internal import AgentInterface
internal import HunchDBus
internal import HunchModel

extension ObjectServer {
    /// Serves an interface of an app on the app's object, under the app's bus name.
    ///
    /// - Throws: `DBusError`: `…InvalidArgs` if the identifier is not a valid bus name, `…ObjectPathInUse` when the
    ///   interface is served already, `…Failed` when another process owns the name. Nothing is served then.
    func serve(_ interface: ExportedInterface, of application: AppID) async throws {
        let name = try BusName(application.rawValue)
        let path = try ObjectPath(application: name)
        try await export(path, [interface])
        do {
            guard try await connection.requestName(name) == .owner else {
                throw DBusError(.failed, "another process is \(name) on this session bus")
            }
        } catch {
            try await unexport(path, interface.name)
            throw error
        }
    }
}

extension Connection {
    /// Checks that the caller is the agent, since any program on the bus can call.
    ///
    /// - Throws: `DBusError` `…AccessDenied` for any other caller.
    func checkAgent(_ caller: BusName) async throws {
        guard try await owner(of: HunchNames.agent) == caller else {
            throw DBusError(.accessDenied, "only \(HunchNames.agent) may ask for this")
        }
    }
}
