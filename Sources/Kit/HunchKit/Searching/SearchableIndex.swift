public import AgentInterface
internal import FoundationEssentials
internal import HunchDBus
public import HunchModel
internal import Synchronization

/// A named index of the app's content, which people find with Hunch.
///
/// Items stay in the index while the app does not run. The client state identifies the version of the app's content:
///
///     let index = SearchableIndex("notes", on: agent)
///     if try await index.state() != notes.version {
///         try await index.change(.init(deletesAll: true, adding: notes.items), state: notes.version)
///     }
///     try await index.add([SearchableItem(id: "41", attributes: ["title": .text("Dim sum")])])
///
/// An app that serves a ``SearchableIndexDelegate`` is asked for its content when the index does not have it.
///
/// The agent keeps nothing new while Hunch is off or paused, and nothing of an app that the user excluded. Adding then
/// throws `DBusError` `Disabled`, and the client state stays as it was.
public struct SearchableIndex: Sendable {
    /// The most items that one change may add.
    public static let batch = 10_000

    /// Changes that are carried out together: deletions first, then additions.
    public struct Change: Sendable {
        /// Whether all items are deleted.
        public var deletesAll: Bool
        /// The domains whose items are deleted, with those of the domains below.
        public var deletedDomains: [String]
        /// The identifiers of items that are deleted.
        public var deleted: [String]
        /// The items that are added, in place of those with the same identifiers.
        public var added: [SearchableItem]

        /// Creates a change.
        public init(
            deletesAll: Bool = false, deletingDomains deletedDomains: [String] = [], deleting deleted: [String] = [],
            adding added: [SearchableItem] = []
        ) {
            self.deletesAll = deletesAll
            self.deletedDomains = deletedDomains
            self.deleted = deleted
            self.added = added
        }
    }

    /// The name of the index.
    public let name: String
    private let agent: HunchAgent

    /// Names an index of the app. The first change creates it.
    ///
    /// - Parameter name: 1 to 255 bytes.
    public init(_ name: String, on agent: HunchAgent) {
        self.name = name
        self.agent = agent
    }

    /// Carries out changes, all or none.
    ///
    /// - Parameter state: the client state that is stored with them, at most 250 bytes; `nil` keeps the former. If all items
    ///   are deleted and none is added, `nil` removes the index.
    /// - Returns: the number of deleted items, without replaced ones, and of added items that had expired already.
    /// - Throws: `DBusError` `Disabled`, `InvalidInput` with the identifier of an item that cannot be indexed,
    ///   `…LimitsExceeded` for more than ``batch`` items.
    @discardableResult
    public func change(_ change: Change, state: [UInt8]? = nil) async throws -> (deleted: UInt32, expired: UInt32) {
        var map: VariantMap = [:]
        if change.deletesAll { map["delete-all"] = .boolean(true) }
        if !change.deletedDomains.isEmpty { map["delete-domains"] = change.deletedDomains.dbusValue }
        if !change.deleted.isEmpty { map["delete"] = change.deleted.dbusValue }
        if !change.added.isEmpty { map["add"] = change.added.dbusValue }
        map["state"] = state?.dbusValue
        try await agent.start()
        let result: VariantMap = try await agent.connection.call(
            HunchNames.agent, HunchNames.root, HunchNames.index, "Change", name, map, timeout: HunchAgent.launchTime)
        return (
            try result.value("deleted", as: UInt32.self) ?? 0, try result.value("expired", as: UInt32.self) ?? 0
        )
    }

    /// Adds items, in place of those with the same identifiers.
    ///
    /// - Throws: like ``change(_:state:)``.
    public func add(_ items: [SearchableItem]) async throws { try await change(Change(adding: items)) }

    /// Returns the client state of the last change; empty if there is none, such as after the user forgot the items. Then
    /// the app adds everything again.
    public func state() async throws -> [UInt8] {
        try await agent.start()
        return try await agent.connection.call(
            HunchNames.agent, HunchNames.root, HunchNames.index, "State", name, timeout: HunchAgent.workTime)
    }
}

extension HunchAgent {
    /// A search for content: typed words, or a query.
    public struct Search: Sendable {
        /// The words or the query.
        public var text: String
        /// Whether the text is a condition in the query language.
        public var isQuery: Bool
        /// Whether the user still types, so that the last word may be the beginning of one.
        public var isUnfinished: Bool
        /// The most items, 1 to 1,000.
        public var limit: UInt32
        /// The only app whose items are found; `nil` for all that the caller may see.
        public var application: AppID?

        /// Creates a search.
        public init(
            _ text: String, isQuery: Bool = false, isUnfinished: Bool = false, limit: UInt32 = 100,
            application: AppID? = nil
        ) {
            self.text = text
            self.isQuery = isQuery
            self.isUnfinished = isUnfinished
            self.limit = limit
            self.application = application
        }

        /// Returns a text as a query has it, in quotation marks, so that none of its characters has a meaning there:
        /// `"title == \(Search.quoted(title))"`.
        public static func quoted(_ text: String) -> String {
            text.reduce(into: "\"") { $0 += "\\\"*".contains($1) ? "\\\($1)" : "\($1)" } + "\""
        }
    }

    /// Opens an app at an item.
    ///
    /// - Parameters:
    ///   - application: the app of the item; `nil` if only one has an item with the identifier.
    ///   - index: the index of the item; `nil` if only one has it.
    ///   - query: the text that the user searched for, which the app gets; `nil` if there is none.
    ///   - isUnfinished: whether the user might still have typed the last word of the text.
    ///   - activationToken: the compositor's token, passed on to the app.
    /// - Returns: `activity` if the app continues there, `url` if its page was opened, `app` if the app was only
    ///   launched.
    /// - Throws: `DBusError`: `NotFound`, `InvalidInput` if several apps have such an item, `ActionFailed`.
    public func openItem(
        _ id: String, of application: AppID? = nil, in index: String? = nil, for query: String? = nil,
        isUnfinished: Bool = true, activationToken: String? = nil
    ) async throws -> String {
        var options: VariantMap = [:]
        options["index"] = index.map(Value.string)
        options["query"] = query.map(Value.string)
        if !isUnfinished { options["unfinished"] = .boolean(false) }
        options["app"] = application.map { .string($0.rawValue) }
        options["activation-token"] = activationToken.map(Value.string)
        try await start()
        return try await connection.call(
            HunchNames.agent, HunchNames.root, HunchNames.index, "Open", id, options, timeout: Self.launchTime)
    }

    /// Continues a search in an app that declares it, with `X-Hunch-ContinuesSearch=true` in its desktop entry.
    ///
    /// - Throws: `DBusError`: `NotFound` if the app does not declare it, `ActionFailed`.
    public func continueSearch(
        _ text: String, in application: AppID, activationToken: String? = nil
    ) async throws {
        var options: VariantMap = [:]
        options["activation-token"] = activationToken.map(Value.string)
        try await start()
        let () = try await connection.call(
            HunchNames.agent, HunchNames.root, HunchNames.index, "ContinueSearch", text, application, options,
            timeout: Self.launchTime)
    }

    /// Returns a text that the user types with its last word completed by words in the titles of the app's items, the
    /// likeliest first; at most 8.
    ///
    /// - Throws: `DBusError` `InvalidInput` for a text of more than 16 KiB.
    public func completions(of text: String) async throws -> [String] {
        try await start()
        return try await connection.call(
            HunchNames.agent, HunchNames.root, HunchNames.index, "Complete", text, VariantMap(),
            timeout: Self.workTime)
    }

    /// Asks apps that serve `org.hunch.IndexDelegate1` to index all of their content again, in the background.
    ///
    /// - Parameter application: the app; `nil` for all.
    /// - Returns: the apps that are asked.
    /// - Throws: `DBusError`: `Disabled` while Hunch is off or paused, `NotFound` if no such app can be asked.
    public func rebuildIndex(of application: AppID? = nil) async throws -> [AppID] {
        try await start()
        let asked: [String] = try await connection.call(
            HunchNames.agent, HunchNames.root, HunchNames.index, "Rebuild", application?.rawValue ?? "",
            timeout: Self.workTime)
        return asked.map { AppID($0) }
    }

    /// Finds items, the best first: those of the app, or of all apps for `hunch` and for apps that the user allowed.
    ///
    /// - Throws: `DBusError` `InvalidInput` for a query with a fault, `…AccessDenied` for items of other apps, `Busy` if the
    ///   agent ended the search because the index was replaced or something was forgotten.
    public func find(_ search: Search) async throws -> [FoundItem] {
        try await next(begin(search), min(max(search.limit, 1), 1_000)).items
    }

    /// Finds items page by page, for lists that people scroll. The search ends after a minute without a page.
    ///
    /// - Parameters:
    ///   - search: the search, whose limit is that of all pages together.
    ///   - size: the most items of a page, 1 to 1,000.
    /// - Throws: like ``find(_:)``, as do the pages.
    public func pages(of search: Search, size: UInt32 = 100) async throws -> AsyncThrowingStream<[FoundItem], any Error>
    {
        let path = try await begin(search)
        let isOver = Mutex(false)
        return AsyncThrowingStream {
            guard !isOver.withLock(\.self) else { return nil }
            let page = try await next(path, min(max(size, 1), 1_000))
            isOver.withLock { $0 = page.isLast }
            return page.items.isEmpty ? nil : page.items
        }
    }

    /// Starts a search. Returns its object.
    private func begin(_ search: Search) async throws -> ObjectPath {
        var options: VariantMap = [
            "query": .boolean(search.isQuery), "unfinished": .boolean(search.isUnfinished),
            "limit": .uint32(min(max(search.limit, 1), 1_000)),
        ]
        options["app"] = search.application.map { .string($0.rawValue) }
        try await start()
        return try await connection.call(
            HunchNames.agent, HunchNames.root, HunchNames.index, "Search", search.text, options,
            timeout: Self.workTime)
    }

    private func next(_ search: ObjectPath, _ limit: UInt32) async throws -> (items: [FoundItem], isLast: Bool) {
        do {
            let (items, isLast): ([FoundItem], Bool) = try await connection.call(
                HunchNames.agent, search, HunchNames.search, "Next", limit, timeout: Self.answerTime)
            return (items, isLast)
        } catch let error as DBusError where [.unknownObject, .notFound].contains(error.name) {
            throw DBusError(.busy, "the index has changed; search again")
        }
    }
}
