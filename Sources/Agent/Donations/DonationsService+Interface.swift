internal import AgentInterface
internal import FoundationEssentials
internal import History
internal import HunchDBus
internal import HunchModel

extension DonationsService {
    /// The most identifiers or groups in one call.
    private static let selectionLimit = 1_000

    nonisolated func interface() -> ExportedInterface {
        ExportedInterface(
            HunchNames.donations,
            [
                .method("Donate", arguments: ["items"], results: ["results"]) {
                    [self] (call, items: [VariantMap]) async throws -> [VariantMap] in
                    try await donate(items, by: standing(call))
                },
                .method("DeleteByIdentifier", arguments: ["identifiers"], results: ["deleted"]) {
                    [self] (call, identifiers: [String]) async throws -> UInt32 in
                    try await delete(.identifiers(Self.checked(identifiers)), of: caller(call))
                },
                .method("DeleteByGroup", arguments: ["groups"], results: ["deleted"]) {
                    [self] (call, groups: [String]) async throws -> UInt32 in
                    try await delete(.groups(Self.checked(groups)), of: caller(call))
                },
                .method("DeleteAllOfCaller", results: ["deleted"]) { [self] call async throws -> UInt32 in
                    try await delete(.all, of: caller(call))
                },
                .method("SetUpcoming", arguments: ["items"]) {
                    [self] (call, items: [VariantMap]) async throws -> Void in
                    try await announce(items, in: .upcoming, of: caller(call))
                },
                .method("SetRelevant", arguments: ["items"]) {
                    [self] (call, items: [VariantMap]) async throws -> Void in
                    try await announce(items, in: .relevant, of: caller(call))
                },
                .method("SetScript", arguments: ["name", "allowed"], results: ["changed"]) {
                    [self] (call, name: String, allowed: Bool) async throws -> Bool in
                    try await standing(call).mayAlone("allow a script to donate")
                    return try await history.use { store, now in
                        try store.setScript(name, isAllowed: allowed, now: now)
                    }
                },
                .method("Scripts", results: ["names"]) { [self] call async throws -> [String] in
                    try await standing(call).mayReadEverything()
                    return try await history.use { store, _ in try store.allowedScripts() }
                },
                .property("Version", notice: .constant) { HunchNames.version },
            ])
    }

    private nonisolated func standing(_ call: IncomingCall) async throws -> CallerStanding {
        try await CallerStanding.of(call, configuration)
    }

    /// The app that calls.
    private nonisolated func caller(_ call: IncomingCall) async throws -> String {
        guard let application = try await standing(call).application else {
            throw DBusError(.accessDenied, "it is not known which app this program belongs to")
        }
        return application
    }

    private static func checked(_ names: [String]) throws(DBusError) -> [String] {
        guard names.count <= selectionLimit else {
            throw DBusError(.limitsExceeded, "\(names.count) names in one call; the limit is \(selectionLimit)")
        }
        return names
    }
}
