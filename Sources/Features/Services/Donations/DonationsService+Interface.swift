internal import Agent
internal import AgentInterface
internal import FoundationEssentials
internal import History
internal import HunchDBus
internal import HunchModel
internal import Learning

extension DonationsService {
    nonisolated var interface: ExportedInterface {
        ExportedInterface(
            HunchNames.donations,
            [
                .method("Donate", arguments: ["items"], results: ["results"]) {
                    [self] (call, items: [VariantMap]) async throws -> [DonationResult] in
                    try await donate(items, by: callers.permission(of: call))
                },
                .method("SetUpcoming", arguments: ["items"]) {
                    [self] (call, items: [VariantMap]) async throws -> Void in
                    try await announce(items, in: .upcoming, of: callers.application(of: call))
                },
                .method("SetRelevant", arguments: ["items"]) {
                    [self] (call, items: [VariantMap]) async throws -> Void in
                    try await announce(items, in: .relevant, of: callers.application(of: call))
                },
                .method("DeleteOf", arguments: ["application", "selection"], results: ["deleted"]) {
                    [self] (call, application: AppID, selection: VariantMap) async throws -> UInt32 in
                    try await delete(selection, of: application, by: callers.permission(of: call))
                },
                .method("SetScript", arguments: ["name", "allowed"], results: ["changed"]) {
                    [self] (call, name: String, allowed: Bool) async throws -> Bool in
                    try await callers.permission(of: call).mustBePerson("allow a script to donate")
                    return try await history.use { store, now in
                        try store.setScript(name, isAllowed: allowed, now: now)
                    }
                },
                .method("Scripts", results: ["names"]) { [self] call async throws -> [String] in
                    try await callers.permission(of: call).mayReadEverything()
                    return try await history.use { store, _ in try store.allowedScripts() }
                },
                .property("Version", notice: .constant) { HunchNames.version },
            ]
                + ExportedMember.deletion(
                    callers,
                    scriptCommand: { what in
                        switch what {
                        case "GROUP"?: "hunch donate --as script:NAME --delete-group GROUP"
                        case let name?: "hunch donate --as script:NAME --delete \(name)"
                        case nil: "hunch forget --app script:NAME"
                        }
                    }
                ) { [self] in try await delete($0, of: $1) })
    }
}
