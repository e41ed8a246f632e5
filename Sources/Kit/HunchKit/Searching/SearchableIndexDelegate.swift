internal import AgentInterface
public import HunchDBus
public import HunchModel

/// The part of an app that indexes its content when Hunch does not have it. See
/// ``HunchAgent/serveIndexing(of:on:_:)``.
public protocol SearchableIndexDelegate: Sendable {
    /// Deletes all items of the app's indexes and adds them again. Returns when everything is indexed.
    func reindexAll(because reason: ReindexReason) async throws

    /// Adds items again that expire within two days, with a later date if their content is still of use, and deletes those
    /// that no longer exist.
    ///
    /// - Parameters:
    ///   - identifiers: at most 1,000 identifiers.
    ///   - index: the index of the items.
    func reindex(_ identifiers: [String], in index: SearchableIndex) async throws
}

/// A reason for which Hunch asks an app for all of its content. Later versions may have further ones.
public struct ReindexReason: RawRepresentable, Hashable, Sendable {
    /// The word in `org.hunch.IndexDelegate1.ReindexAll`.
    public let rawValue: String
    /// Creates a reason from its word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The index never had the content: the app is new, the index was lost, or an earlier request failed.
    public static let missing = ReindexReason(rawValue: "missing")
    /// An older copy of the index came back.
    public static let outdated = ReindexReason(rawValue: "outdated")
    /// The user asked for it.
    public static let requested = ReindexReason(rawValue: "requested")
}

extension HunchAgent {
    /// Serves `org.hunch.IndexDelegate1`, so that Hunch can ask the app for its content. The app's desktop entry must have
    /// `DBusActivatable=true` and `Implements=org.hunch.IndexDelegate1;`.
    ///
    ///     try await agent.serveIndexing(of: "org.example.Notes", on: server, notes)
    ///
    /// - Parameters:
    ///   - application: the desktop identifier, without `.desktop`. It is also the app's bus name.
    ///   - server: the object server of the app's connection; ``AppActivities/server`` if the app has activities.
    ///   - name: the bus name; `nil` for the app's own. See ``PlayableContentService``.
    ///   - delegate: the object that indexes. Its errors are reported to Hunch, which asks again later.
    /// - Throws: `DBusError`: `…InvalidArgs` if the identifier is not a valid bus name, `…ObjectPathInUse` when the
    ///   interface is served already, `…Failed` when another process owns the name. Nothing is served then.
    public func serveIndexing(
        of application: AppID, on server: ObjectServer, as name: BusName? = nil,
        _ delegate: some SearchableIndexDelegate
    ) async throws {
        let agent = self
        try await server.serve(
            ExportedInterface(
                evolving: HunchNames.indexDelegate,
                [
                    .method("ReindexAll", arguments: ["index", "options"]) {
                        (call, index: String, options: VariantMap) async throws -> Void in
                        try await agent.connection.checkAgent(call.sender)
                        let reason = try options.value("reason", as: String.self) ?? ""
                        try await delegate.reindexAll(because: ReindexReason(rawValue: reason))
                    },
                    .method("ReindexItems", arguments: ["index", "ids", "options"]) {
                        (call, index: String, identifiers: [String], options: VariantMap) async throws -> Void in
                        try await agent.connection.checkAgent(call.sender)
                        try await delegate.reindex(identifiers, in: SearchableIndex(index, on: agent))
                    },
                ]), of: application, as: name)
    }
}
