package import History
package import HunchDBus
package import HunchModel

extension ExportedMember {
    /// The maximum number of identifiers and groups in one call.
    package static var selectionLimit: Int { 1_000 }

    /// Returns the members `DeleteById`, `DeleteByGroup` and `DeleteAllOfCaller`, by which an app deletes its
    /// own data.
    ///
    /// - Parameters:
    ///   - scriptCommand: returns the `hunch` command with which a script does the same. Its argument is "ID", "GROUP" or
    ///     `nil`. `nil` for no such command.
    ///   - delete: deletes the selection of the calling app, and returns the number of deletions.
    package static func deletion(
        _ callers: CallerIdentifier, scriptCommand: (@Sendable (String?) -> String)? = nil,
        _ delete:
            nonisolated(nonsending) @escaping @Sendable (DonationSelection, _ application: AppID) async throws ->
            UInt32
    ) -> [ExportedMember] {
        @Sendable func checked(_ names: [String]) throws(DBusError) -> [String] {
            guard names.count <= selectionLimit else {
                throw DBusError(.limitsExceeded, "\(names.count) names in one call; the limit is \(selectionLimit)")
            }
            return names
        }
        @Sendable func application(_ call: IncomingCall, argument: String?) async throws -> AppID {
            try await callers.application(
                of: call, orElse: scriptCommand.map { "a script uses “\($0(argument))”" })
        }
        return [
            .method("DeleteById", arguments: ["ids"], results: ["deleted"]) {
                (call, identifiers: [String]) async throws -> UInt32 in
                try await delete(.identifiers(checked(identifiers)), application(call, argument: "ID"))
            },
            .method("DeleteByGroup", arguments: ["groups"], results: ["deleted"]) {
                (call, groups: [String]) async throws -> UInt32 in
                try await delete(.groups(checked(groups)), application(call, argument: "GROUP"))
            },
            .method("DeleteAllOfCaller", results: ["deleted"]) { call async throws -> UInt32 in
                try await delete(.all, application(call, argument: nil))
            },
        ]
    }
}
