internal import DesktopFiles
internal import DirectionServices
internal import Agent
internal import AgentInterface
internal import Apps
internal import History
internal import HunchDBus
internal import HunchModel
internal import Learning
internal import Queries
internal import SearchIndexes
internal import Localization

/// Opening apps at items, and continuing searches in apps.
extension IndexService {
    /// Opens the app at an item. Returns how, in the words of `org.hunch.Activities1.Continue`.
    ///
    /// - Parameters:
    ///   - search: the options of the search that found the item.
    ///   - isByPerson: whether the user opens it. Apps must not make their items appear earlier, or be reported.
    func open(
        _ id: String, _ options: VariantMap, of apps: VisibleApps, search: SearchOptions? = nil, isByPerson: Bool = true
    ) async throws -> String {
        try options.checkKeys("app", "index", "query", "unfinished", "activation-token", "platform")
        let platform = try ActivityContinuation.platformData(options)
        let token = try options.text("activation-token")
        let query = try options.text("query")
        let application = try options.text("app").map { AppID($0) }
        let index = try options.text("index")
        let isUnfinished = try options.value("unfinished", as: Bool.self) ?? true
        let now = configuration.now()
        let all = try await keeper.useIfPresent { try $0.items(identifier: id, now: now) } ?? []
        let found = all.filter { hit in
            apps.contains(hit.source.application) && application.map { $0 == hit.source.application } ?? true
                && index.map { $0 == hit.source.name } ?? true
        }
        guard let hit = found.first else {
            throw DBusError(
                .notFound, localized("there is no such item that this program may open, or it has expired"))
        }
        let owners = Set(found.map(\.source.application))
        guard owners.count == 1 else {
            let names = owners.map(\.rawValue).sorted().joined(separator: ", ")
            throw DBusError(.invalidInput, "several apps have such an item; choose one of \(names)")
        }
        let attributes = hit.attributes
        if hit.source.application.scriptName != nil, attributes["url"] == nil {
            throw DBusError(
                .actionFailed, localized("the item has no “url” that could be opened, and scripts have no app"))
        }
        let activity = Activity(
            type: attributes["activity"]?.texts.first ?? HunchNames.index.text, title: hit.title,
            webPageURL: attributes["url"]?.texts.first, contentIdentifier: hit.id)
        let way = try await ActivityContinuation(
            activity: activity, application: hit.source.application, platformData: platform, activationToken: token,
            further: Self.further(query)
        ).answer(self)
        guard isByPerson else { return way }
        let options = search ?? SearchOptions(isUnfinished: isUnfinished, now: now)
        // The caller does not wait for it.
        Task(executorPreference: loop) { await self.learnOpening(of: hit, for: query ?? "", options) }
        return way
    }

    /// Learns that the user opened an item, if that may be recorded.
    private func learnOpening(of hit: SearchHit, for text: String, _ options: SearchOptions) async {
        do {
            let application = hit.source.application
            let outcome = try await history.use { store, now in
                try store.outcome(forApplication: application, now: now)
            }
            guard outcome.isRecorded else { return }
            let options = try await permitted(options)
            try await keeper.use { try $0.learnOpening(of: hit.id, in: hit.source, for: text, options) }
        } catch {
            problems.report(localized("an opened item could not be recorded: %1", ErrorMapping.logged(error)))
        }
    }

    /// Continues a search in an app that declares it.
    ///
    /// - Throws: ``DBusError``: `InvalidInput` for too long texts and unknown options, `NotFound` if the app does not
    ///   declare it, `ActionFailed` if it does not continue.
    func continueSearch(_ text: String, in application: AppID, _ options: VariantMap) async throws {
        try options.checkKeys("activation-token", "platform")
        guard text.utf8.count <= Query.maximumLength else {
            throw DBusError(.invalidInput, "the text has more than \(Query.maximumLength) bytes")
        }
        guard try await continuesSearches(application) else {
            throw DBusError(.notFound, "\(application) does not continue searches; open it and search there")
        }
        let activity = Activity(type: HunchNames.index.text, title: text)
        let continuation = ActivityContinuation(
            activity: activity, application: application, platformData: try ActivityContinuation.platformData(options),
            activationToken: try options.text("activation-token"), further: Self.further(text))
        guard try await continuation.answer(self) == ActivityContinuation.Method.activity.rawValue else {
            throw DBusError(.actionFailed, "\(application) was opened, but did not continue the search")
        }
    }

    /// Returns whether an app's desktop entry declares that it continues searches.
    func continuesSearches(_ application: AppID) async throws -> Bool {
        try await installed.read { installed in
            guard let entry = installed.entry(application), entry.isDBusActivatable else { return false }
            return entry.implements.contains(HunchNames.continueActivity.text)
                && entry.string(HunchNames.continuesSearchKey) == "true"
        }
    }

    private static func further(_ query: String?) -> VariantMap {
        query.map { ["query": .string($0.cut(toBytes: Query.maximumLength))] } ?? [:]
    }
}
