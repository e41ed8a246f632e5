internal import AgentInterface
internal import Glibc
internal import HunchDBus
internal import HunchModel

extension ObjectServer {
    /// Serves an interface of an app on the app's object, under the app's bus name or one below it.
    ///
    /// - Throws: `DBusError`: `…InvalidArgs` if the identifier or the name is not valid, `…ObjectPathInUse` when the
    ///   interface is served already, `…Failed` when another connection owns the name. Nothing is served then.
    func serve(_ interface: ExportedInterface, of application: AppID, as name: BusName?) async throws {
        let own = try BusName(application.rawValue)
        let name = name ?? own
        guard name == own || name.text.hasPrefix("\(own).") else {
            throw DBusError(.invalidArgs, "the name \(name) is not below \(own)")
        }
        let path = try ObjectPath(application: own)
        try await export(path, [interface])
        do {
            guard try await connection.requestName(name) == .owner else { throw try await connection.taken(name) }
        } catch {
            try await unexport(path, interface.name)
            throw error
        }
    }
}

extension Connection {
    /// Returns the error about a name that another connection owns.
    fileprivate func taken(_ name: BusName) async throws -> DBusError {
        let owner = try await owner(of: name)
        let process = if let owner { try await identity(of: owner).processID } else { UInt32?.none }
        guard process == UInt32(getpid()) else {
            return DBusError(.failed, "another process is \(name) on this session bus")
        }
        return DBusError(
            .failed,
            "another connection of this process is \(name), as with GApplication; serve as \(name).Hunch, and say so in the desktop entry with X-Hunch-BusName=\(name).Hunch"
        )
    }

    /// Checks that the caller is the agent, since any program on the bus can call.
    ///
    /// - Throws: `DBusError` `…AccessDenied` for any other caller.
    func checkAgent(_ caller: BusName) async throws {
        guard try await owner(of: HunchNames.agent) == caller else {
            throw DBusError(.accessDenied, "only \(HunchNames.agent) may ask for this")
        }
    }
}
