internal import Agent
internal import Apps
internal import FoundationEssentials
internal import History
internal import EventLoops
internal import HunchModel
internal import Learning
internal import Triggers
internal import Localization

/// Records the documents that the user opens and the apps that they launch, if they allow it.
actor DocumentsService: Feature {
    static let name = "documents"

    /// The time for which changes of the list are collected. Apps write it several times while they open a document.
    private static let changeTime = Duration.seconds(1)
    /// The time before a document is opened within which its app may have donated that, in seconds.
    private static let donationTime = 10.0
    /// The maximum number of documents that are recorded at once. More were not opened by a user.
    private static let maximumOpened = 16

    let environment: AgentEnvironment
    private let desk: SuggestionDesk
    /// The date of the last document that was seen. Earlier ones are not recorded.
    private var seen: Date
    private var wake: AsyncStream<Void>.Continuation?

    init(_ environment: AgentEnvironment, desk: SuggestionDesk) {
        self.environment = environment
        self.desk = desk
        seen = environment.configuration.now()
    }

    private var list: String? { configuration.directories.dataHome.map { $0 + "/recently-used.xbel" } }

    // MARK: Documents

    func run() async {
        guard let list else { return }
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.wake = wake
        let watch = PathWatch(list, on: loop) { wake.yield() }
        defer {
            watch.close()
            self.wake = nil
        }
        // Documents that were opened while Hunch did not watch are not recorded.
        seen = configuration.now()
        for await _ in wakes {
            do {
                try await loop.sleep(for: Self.changeTime)
                try await look(at: list)
            } catch is CancellationError {
                return
            } catch {
                problems.report(localized("opened documents could not be recorded: %1", ErrorMapping.logged(error)))
            }
        }
    }

    private func look(at list: String) async throws {
        guard try await isAllowed(.files) else {
            seen = configuration.now()
            return
        }
        let bytes = try await foreignFiles.read { FileManager.default.contents(atPath: list).map(Array.init) ?? [] }
        guard bytes.count <= RecentDocumentList.maximumSize else {
            return problems.report(localized("the list of recently used documents is too long to be read"))
        }
        let now = configuration.now()
        let documents = RecentDocumentList(bytes).documents(openedAfter: seen, until: now)
        seen = documents.last?.date ?? min(seen, now)
        guard let home = configuration.environment["HOME"] else { return }
        let exclusions = try await history.use { store, _ in try store.exclusions() }
        let filter = DocumentFilter(home: home, exclusions: exclusions)
        for document in documents.suffix(Self.maximumOpened) { try await record(document, filter) }
    }

    private func record(_ document: RecentDocument, _ filter: DocumentFilter) async throws {
        guard let path = try await foreignFiles.read({ filter.path(of: document.uri) }),
            let application = try await application(of: document),
            let kind = KindDeclaration.standard[.openItem]
        else { return }
        let parameters = [
            "uri": document.uri,
            "title": String(path[path.index(after: path.lastIndex(of: "/") ?? path.startIndex)...]),
        ]
        let donation = Donation(
            application: application, kind: .openItem, parameters: parameters, date: document.date,
            context: await present.now(), combination: try kind.combination(of: parameters, at: document.date))
        try await habits.recordOpening(of: donation, since: document.date.addingTimeInterval(-Self.donationTime))
        await desk.withdrawOffers(of: [donation])
    }

    /// Returns the app that opened a document: the one that its command names, else the default app of its type.
    private func application(of document: RecentDocument) async throws -> AppID? {
        let command = document.command.filter { $0 != "'" && $0 != "\"" }.split(separator: " ").map(String.init)
        if let first = command.first {
            // Apps that the bus starts and those of KDE write their desktop identifier.
            let named = AppID(first)
            if try await installed.read({ $0.entry(named) }) != nil { return named }
            let owners = try await installed.apps(startedBy: command)
            let shown = owners.filter(\.isShown)
            if let only = shown.count == 1 ? shown.first : owners.count == 1 ? owners.first : nil {
                return only.application
            }
        }
        return try await handler(for: document.mimeType, excluding: [])
    }

    // MARK: Apps

    /// Records an app that the user launched.
    func handle(_ event: CoreEvent) async {
        guard case .person(.launched(let application)) = event else { return }
        do {
            guard try await isAllowed(.apps), try await installed.read({ $0.entry(application) }) != nil else { return }
            let parameters = ["app": application.rawValue]
            let donation = Donation(
                application: application, kind: .openApp, parameters: parameters, date: configuration.now(),
                context: await present.now(), combination: ["app"])
            try await habits.record(donation)
            await desk.withdrawOffers(of: [donation])
        } catch {
            problems.report(localized("a launched app could not be recorded: %1", ErrorMapping.logged(error)))
        }
    }

    private func isAllowed(_ category: PrivacyCategory) async throws -> Bool {
        await history.privacyGate.pass()
        return try await history.use { store, _ in try store.settings().allowedCategories.contains(category) }
    }
}
