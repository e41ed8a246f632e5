internal import AgentInterface
public import HunchDBus
public import HunchModel

extension AppActivities {
    /// Goes on with activities when the person wants to: serves `org.hunch.ContinueActivity1` for the app, whose desktop
    /// entry says `DBusActivatable=true` and `Implements=org.hunch.ContinueActivity1;`.
    ///
    ///     try await activities.serveContinuation(of: "org.example.Guide") { activity, platformData in
    ///         await window.show(activity.contentIdentifier)
    ///     }
    ///
    /// - Parameters:
    ///   - application: the desktop identifier, without `.desktop`; the bus name of the app, too.
    ///   - handler: gets the activity that the app told once, and what the desktop passes on: `activation-token`, for one.
    ///     What it throws is told to whoever wanted to go on.
    /// - Throws: `DBusError`: `…InvalidArgs` when the identifier is no bus name, `…ObjectPathInUse` when it is served
    ///   already, `…Failed` when another process has the name; nothing is served then.
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
