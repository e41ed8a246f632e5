package import Apps
package import HunchDBus
package import HunchModel

/// Identifies the callers of the agent and other processes on the bus.
package struct CallerIdentifier: Sendable {
    package let configuration: AgentConfiguration
    package let installed: InstalledAppsCache
    package let registered = RegisteredPrograms()

    /// Returns the permission of the caller of a call.
    ///
    /// - Throws: ``DBusError`` with the name `…AccessDenied` if the caller has disconnected and is not cached.
    package func permission(of call: IncomingCall) async throws -> CallerPermission {
        do {
            let found = try await process(needsOwners: false) { try await configuration.identify(call) }.permission
            return registered[call.sender].map(CallerPermission.app) ?? found
        } catch {
            throw DBusError(.accessDenied, "the caller has gone")
        }
    }

    /// Returns the desktop identifier of the app that makes a call.
    ///
    /// - Parameter advice: the alternative for a program that is not an app, if any.
    /// - Throws: ``DBusError`` with the name `…AccessDenied` if the app is unknown.
    package func application(of call: IncomingCall, orElse advice: String? = nil) async throws -> AppID {
        let permission = try await permission(of: call)
        guard let application = permission.application else {
            throw DBusError(
                .accessDenied, [permission.unidentified, advice].compactMap(\.self).joined(separator: "; "))
        }
        return application
    }

    /// Identifies the process of a connection.
    ///
    /// - Throws: ``DBusError`` if it has disconnected and is not cached.
    package func process(behind name: BusName, on bus: Connection) async throws -> CallerProcess {
        try await process(needsOwners: true) { try await bus.identity(of: name) }
    }

    /// - Parameter needsOwners: whether to look for the owners of its program even if its unit names its app.
    private func process(
        needsOwners: Bool, _ identify: () async throws -> CallerIdentity
    ) async throws -> CallerProcess {
        let identity = try await identify()
        guard identity.confinement != .sandboxed, let number = identity.processID else {
            return CallerProcess(identity: identity)
        }
        let evidence = ProcessEvidence(
            number, commands: configuration.commands, browserHost: configuration.browserHost)
        // Asked again, since another process may have got the identifier while the files were read.
        guard try await identify() == identity else {
            return CallerProcess(identity: CallerIdentity(name: identity.name))
        }
        var process = CallerProcess(identity: identity, evidence: evidence)
        guard !evidence.isCommand, needsOwners || identity.confinement == .unknown else { return process }
        for program in evidence.programs {
            process.owners = (try? await installed.apps(running: program)) ?? []
            if process.onlyOwner != nil { break }
        }
        return process
    }
}
