internal import Agent
internal import AgentInterface
internal import History
internal import HunchDBus
internal import HunchModel
internal import Learning

extension IndexService {
    /// The interface of the search index.
    nonisolated var interface: ExportedInterface {
        ExportedInterface(
            evolving: HunchNames.index,
            [
                .method("Change", arguments: ["index", "changes"], results: ["result"]) {
                    [self] (call, index: String, changes: VariantMap) async throws -> VariantMap in
                    let application = try await callers.application(of: call)
                    let (result, contents) = try await change(index, changes, of: application)
                    if !contents.isEmpty { try await forgetContents(contents, application) }
                    return result
                },
                .method("State", arguments: ["index"], results: ["state"]) {
                    [self] (call, index: String) async throws -> [UInt8] in
                    try await state(of: index, of: callers.application(of: call))
                },
                .method("Search", arguments: ["text", "options"], results: ["search"]) {
                    [self] (call, text: String, options: VariantMap) async throws -> ObjectPath in
                    try await search(text, options, of: visible(to: call), owner: call.sender)
                },
                .method("Complete", arguments: ["text", "options"], results: ["completions"]) {
                    [self] (call, text: String, options: VariantMap) async throws -> [String] in
                    try await completions(text, options, of: visible(to: call))
                },
                .method("Open", arguments: ["id", "options"], results: ["way"]) {
                    [self] (call, id: String, options: VariantMap) async throws -> String in
                    let permission = try await callers.permission(of: call)
                    try permission.mayDecide()
                    return try await open(id, options, of: visible(to: call), isByPerson: permission == .person)
                },
                .method("ContinueSearch", arguments: ["text", "app", "options"]) {
                    [self] (call, text: String, application: AppID, options: VariantMap) async throws -> Void in
                    try await callers.permission(of: call).mayDecide()
                    try await continueSearch(text, in: application, options)
                },
                .method("Indexes", results: ["indexes"]) { [self] call async throws -> [VariantMap] in
                    try await indexes(of: visible(to: call))
                },
                .method("Rebuild", arguments: ["app"], results: ["asked"]) {
                    [self] (call, application: String) async throws -> [String] in
                    try await callers.permission(of: call).mustBePerson("have content indexed again")
                    let application = application.isEmpty ? nil : AppID(application)
                    return try await reindexer.rebuild(application).map(\.rawValue)
                },
            ])
    }

    /// Returns the interface of one search, for the connection that started it.
    nonisolated func interface(of search: ObjectPath, owner: BusName) -> ExportedInterface {
        @Sendable func checkOwner(_ call: IncomingCall) throws(DBusError) {
            guard call.sender == owner else {
                throw DBusError(.accessDenied, "the search belongs to another connection")
            }
        }
        return ExportedInterface(
            evolving: HunchNames.search,
            [
                .method("Next", arguments: ["limit"], results: ["items", "complete"]) {
                    [weak self] (call, limit: UInt32) async throws -> ([FoundItem], Bool) in
                    try checkOwner(call)
                    return try await self?.next(limit, of: search) ?? ([], true)
                },
                .method("Cancel") { [weak self] call async throws -> Void in
                    try checkOwner(call)
                    await self?.end(search)
                },
                .property("Count", notice: .constant) { [weak self] in await self?.count(of: search) ?? 0 },
            ])
    }

    /// Returns the apps whose items a caller may find.
    private nonisolated func visible(to call: IncomingCall) async throws -> VisibleApps {
        let permission = try await callers.permission(of: call)
        let readers = try await history.use { store, _ in try store.readers() }
        let apps = permission.visibleApps(readers: readers)
        guard apps != .none else { throw DBusError(.accessDenied, permission.unidentified) }
        return apps
    }
}
