internal import AgentInterface
public import HunchDBus
public import HunchModel

/// The content that the user wants to continue in the app: an activity, an item of the search index, a search, or that of a
/// donated action.
public struct ContinuationState: Sendable {
    /// The activity as the app reported it. For an item, only its ``HunchModel/Activity/contentIdentifier`` is set, with the
    /// type that the item names, or else `org.hunch.Index1`; for an action, only the type `org.hunch.Donations1`.
    public let activity: Activity
    /// The words for which the user searched, if that is known. Without a content identifier, the app shows what it finds
    /// for them.
    public let query: String?
    /// The action that the app donated; `nil` if it is about something else.
    public let donation: (kind: String, parameters: [String: String])?
    /// The compositor's token, for raising a window.
    public var activationToken: String? { (try? platformData.value("activation-token")) ?? nil }
    /// All platform data, as in `org.freedesktop.Application`.
    public let platformData: VariantMap

    /// Reads the arguments of `Continue`.
    ///
    /// - Throws: `DBusError` if a value is of a wrong type or exceeds a limit.
    init(_ map: VariantMap, _ platformData: VariantMap) throws(DBusError) {
        activity = try Activity(transfer: map)
        query = try map.value("query")
        let parameters: [String: String] = try map.value("parameters") ?? [:]
        donation = try map.value("kind").map { ($0, parameters) }
        self.platformData = platformData
    }
}

extension AppActivities {
    /// Serves `org.hunch.ContinueActivity1`, so that the user can continue the app's activities. The app's desktop
    /// entry must have `DBusActivatable=true` and `Implements=org.hunch.ContinueActivity1;`.
    ///
    ///     try await activities.serveContinuation(of: "org.example.Guide") { state in
    ///         await window.show(state.activity.contentIdentifier, raisedBy: state.activationToken)
    ///     }
    ///
    /// - Parameters:
    ///   - application: the desktop identifier, without `.desktop`. It is also the app's bus name.
    ///   - name: the bus name; `nil` for the app's own. See ``PlayableContentService``.
    ///   - handler: the function that continues. Its errors are returned to the caller.
    /// - Throws: `DBusError`: `…InvalidArgs` if the identifier is not a valid bus name, `…ObjectPathInUse` when the
    ///   object is served already, `…Failed` when another connection owns the name. Nothing is served then.
    public func serveContinuation(
        of application: AppID, as name: BusName? = nil,
        _ handler: @escaping @Sendable (ContinuationState) async throws -> Void
    ) async throws {
        let interface = ExportedInterface(
            evolving: HunchNames.continueActivity,
            [
                .method("Continue", arguments: ["activity", "platform_data"]) {
                    [connection] (call, activity: VariantMap, platformData: VariantMap) async throws -> Void in
                    try await connection.checkAgent(call.sender)
                    try await handler(ContinuationState(activity, platformData))
                }
            ])
        try await server.serve(interface, of: application, as: name)
    }
}
