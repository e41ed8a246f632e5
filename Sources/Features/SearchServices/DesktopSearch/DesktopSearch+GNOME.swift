internal import Agent
internal import HunchDBus
internal import HunchModel

/// The search of GNOME Shell: `org.gnome.Shell.SearchProvider2`.
///
/// Source: <https://developer.gnome.org/documentation/tutorials/search-provider.html>. GNOME Shell 43 to 48 asks at most 150 ms after
/// a letter, shows five results, keeps what it got about a result until the text is empty, and hides all results without a word
/// if one of them has no name.
extension DesktopSearch {
    /// The path of the provider. GNOME Shell ignores a second provider with the same path.
    static let gnomePath: ObjectPath = "/org/hunch/SearchProvider"

    nonisolated func gnomeInterface() -> ExportedInterface {
        ExportedInterface(
            "org.gnome.Shell.SearchProvider2",
            [
                .method("GetInitialResultSet", arguments: ["terms"], results: ["results"]) {
                    [self] (call, terms: [String]) async throws -> [String] in
                    try await checkCaller(call)
                    return await results(Self.text(terms)).map(\.id)
                },
                .method("GetSubsearchResultSet", arguments: ["previous_results", "terms"], results: ["results"]) {
                    [self] (call, _: [String], terms: [String]) async throws -> [String] in
                    try await checkCaller(call)
                    // The earlier results may be incomplete, because a later letter interrupted the search.
                    return await results(Self.text(terms)).map(\.id)
                },
                .method("GetResultMetas", arguments: ["identifiers"], results: ["metas"]) {
                    [self] (call, identifiers: [String]) async throws -> [VariantMap] in
                    try await checkCaller(call)
                    return await results(withIDs: identifiers).map { result in
                        [
                            "id": .string(result.id), "name": .string(result.title),
                            "description": .string(result.detail), "gicon": .string(result.icon),
                        ]
                    }
                },
                .method("ActivateResult", arguments: ["identifier", "terms", "timestamp"]) {
                    [self] (call, identifier: String, terms: [String], timestamp: UInt32) async throws -> Void in
                    try await checkCaller(call)
                    try await choose(
                        identifier, for: Self.text(terms), platform: Self.platform(timestamp), activationToken: nil)
                },
                .method("LaunchSearch", arguments: ["terms", "timestamp"]) {
                    [self] (call, terms: [String], timestamp: UInt32) async throws -> Void in
                    try await checkCaller(call)
                    try await continueSearch(Self.text(terms), platform: Self.platform(timestamp))
                },
            ])
    }

    private static func text(_ terms: [String]) -> String { terms.joined(separator: " ") }

    /// Returns the time of the user's click, in the form in which GTK takes it to bring a window to the front.
    private static func platform(_ timestamp: UInt32) -> VariantMap {
        timestamp == 0 ? [:] : ["desktop-startup-id": .string("hunch_TIME\(timestamp)")]
    }
}
