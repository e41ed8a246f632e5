internal import Agent
internal import Activities
internal import AgentInterface
internal import History
internal import HunchDBus
internal import HunchModel
internal import Learning

extension ActivitiesService {
    /// The interface of activities.
    nonisolated var interface: ExportedInterface {
        ExportedInterface(
            evolving: HunchNames.activities,
            [
                .method("BecomeCurrent", arguments: ["activity"], results: ["path"]) {
                    [self] (call, activity: VariantMap) async throws -> ObjectPath in
                    try await becomeCurrent(
                        activity, owner: call.sender, application: callers.application(of: call)
                    )
                },
                .method("Current", results: ["activity"]) { [self] call async throws -> VariantMap in
                    let permission = try await callers.permission(of: call)
                    let visible = try await visible(to: permission)
                    await follow(call.sender, permission)
                    return try await current(of: visible)
                },
                .method("Recent", arguments: ["options"], results: ["activities"]) {
                    [self] (call, options: VariantMap) async throws -> [VariantMap] in
                    try await recent(options, of: visible(to: callers.permission(of: call)))
                },
                .method("Continue", arguments: ["id", "options"], results: ["way"]) {
                    [self] (call, id: String, options: VariantMap) async throws -> String in
                    let permission = try await callers.permission(of: call)
                    try permission.mayDecide()
                    return try await continueActivity(id, options, of: visible(to: permission))
                },
                .signal("CurrentChanged", arguments: []),
            ] + ExportedMember.deletion(callers) { [self] in try await delete($0, of: $1) })
    }

    /// Returns the interface of one activity, for the connection that created it.
    nonisolated func interface(of id: LiveActivity.ID, owner: BusName) -> ExportedInterface {
        @Sendable func checkOwner(_ call: IncomingCall) throws(DBusError) {
            guard call.sender == owner else {
                throw DBusError(.accessDenied, "the activity belongs to another connection")
            }
        }
        return ExportedInterface(
            evolving: HunchNames.activity,
            [
                .method("Update", arguments: ["changes"]) {
                    [weak self] (call, changes: VariantMap) async throws -> Void in
                    try checkOwner(call)
                    try await self?.update(id, changes)
                },
                .method("BecomeCurrent") { [weak self] call async throws -> Void in
                    try checkOwner(call)
                    try await self?.becomeCurrent(id)
                },
                .method("Resign") { [weak self] call async throws -> Void in
                    try checkOwner(call)
                    await self?.resign(id)
                },
                .method("Invalidate") { [weak self] call async throws -> Void in
                    try checkOwner(call)
                    await self?.invalidate(id)
                },
            ])
    }

    /// Returns the apps whose activities a caller may see.
    private nonisolated func visible(to permission: CallerPermission) async throws -> VisibleApps {
        let readers = try await history.use { store, _ in try store.readers() }
        let visible = permission.visibleApps(readers: readers)
        guard visible != .none else {
            throw DBusError(.accessDenied, permission.unidentified)
        }
        return visible
    }
}
