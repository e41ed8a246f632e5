internal import AgentInterface
public import HunchDBus
public import HunchModel

extension AppActivities {
    /// Serves `org.hunch.ContinueActivity1`, so that the user can continue the app's activities. The app's desktop
    /// entry must have `DBusActivatable=true` and `Implements=org.hunch.ContinueActivity1;`.
    ///
    ///     try await activities.serveContinuation(of: "org.example.Guide") { activity, platformData in
    ///         await window.show(activity.contentIdentifier)
    ///     }
    ///
    /// - Parameters:
    ///   - application: the desktop identifier, without `.desktop`. It is also the app's bus name.
    ///   - handler: the function that continues an activity. It gets the activity as the app reported it, and platform
    ///     data such as `activation-token`. Its errors are returned to the caller.
    /// - Throws: `DBusError`: `…InvalidArgs` if the identifier is not a valid bus name, `…ObjectPathInUse` when the
    ///   object is served already, `…Failed` when another process owns the name. Nothing is served then.
    public func serveContinuation(
        of application: AppID, _ handler: @escaping @Sendable (Activity, VariantMap) async throws -> Void
    ) async throws {
        let interface = ExportedInterface(
            evolving: HunchNames.continueActivity,
            [
                .method("Continue", arguments: ["activity", "platform_data"]) {
                    [connection] (call, activity: VariantMap, platformData: VariantMap) async throws -> Void in
                    try await connection.checkAgent(call.sender)
                    try await handler(Activity(transfer: activity), platformData)
                }
            ])
        try await server.serve(interface, of: application)
    }
}
