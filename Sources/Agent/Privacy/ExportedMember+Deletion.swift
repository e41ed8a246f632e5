internal import History
internal import HunchDBus

extension ExportedMember {
    /// The most identifiers and groups in one call.
    static var selectionLimit: Int { 1_000 }

    /// `DeleteByIdentifier`, `DeleteByGroup` and `DeleteAllOfCaller`: an app takes back what it told.
    ///
    /// - Parameters:
    ///   - scriptCommand: what of `hunch` does the same for a script, by what is named: "ID", "GROUP" or nothing; `nil` where
    ///     nothing does.
    ///   - delete: deletes what is selected of the app that calls, and tells how much.
    static func deletion(
        _ configuration: AgentConfiguration, scriptCommand: (@Sendable (String?) -> String)? = nil,
        _ delete:
            nonisolated(nonsending) @escaping @Sendable (DonationSelection, _ application: String) async throws ->
            UInt32
    ) -> [ExportedMember] {
        @Sendable func checked(_ names: [String]) throws(DBusError) -> [String] {
            guard names.count <= selectionLimit else {
                throw DBusError(.limitsExceeded, "\(names.count) names in one call; the limit is \(selectionLimit)")
            }
            return names
        }
        @Sendable func application(_ call: IncomingCall, naming what: String?) async throws -> String {
            try await CallerStanding.application(
                of: call, configuration, orElse: scriptCommand.map { "a script uses “\($0(what))”" })
        }
        return [
            .method("DeleteByIdentifier", arguments: ["identifiers"], results: ["deleted"]) {
                (call, identifiers: [String]) async throws -> UInt32 in
                try await delete(.identifiers(checked(identifiers)), application(call, naming: "ID"))
            },
            .method("DeleteByGroup", arguments: ["groups"], results: ["deleted"]) {
                (call, groups: [String]) async throws -> UInt32 in
                try await delete(.groups(checked(groups)), application(call, naming: "GROUP"))
            },
            .method("DeleteAllOfCaller", results: ["deleted"]) { call async throws -> UInt32 in
                try await delete(.all, application(call, naming: nil))
            },
        ]
    }
}
