internal import AgentInterface
public import HunchDBus
public import HunchModel

extension AppActivities {
    /// Continues activities when the person asks for it. Serves `org.hunch.ContinueActivity1` for the app, whose
    /// desktop entry says `DBusActivatable=true` and `Implements=org.hunch.ContinueActivity1;`.
    ///
    ///     try await activities.serveContinuation(of: "org.example.Guide") { activity, platformData in
    ///         await window.show(activity.contentIdentifier)
    ///     }
    ///
    /// - Parameters:
    ///   - application: the desktop identifier, without `.desktop`; the bus name of the app, too.
    ///   - handler: receives the activity that the app reported, and data of the desktop such as `activation-token`. Its
    ///     errors are returned to the caller.
    /// - Throws: `DBusError`: `…InvalidArgs` if the identifier is not a bus name, `…ObjectPathInUse` if it is served
    ///   already, `…Failed` if another process owns the name. Then nothing is served.
    public func serveContinuation(
        of application: String, _ handler: @escaping @Sendable (Activity, VariantMap) async throws -> Void
    ) async throws {
        let name = try BusName(application)
        let path = try ObjectPath(application: name)
        let interface = ExportedInterface(
            HunchNames.continueActivity,
            [
                .method("Continue", arguments: ["activity", "platform_data"]) {
                    [weak self] (call, activity: VariantMap, platformData: VariantMap) async throws -> Void in
                    try await self?.checkAgent(call.sender)
                    try await handler(Activity(transfer: activity), platformData)
                }
            ])
        try await server.export(path, [interface])
        do {
            guard try await connection.requestName(name) == .owner else {
                throw DBusError(.failed, "another process is \(name) on this session bus")
            }
        } catch {
            try await server.unexport(path)
            throw error
        }
    }
}
