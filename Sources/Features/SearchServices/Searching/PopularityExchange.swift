package import PersonalStores
package import Agent
internal import AgentInterface
internal import EventLoops
internal import FoundationEssentials
package import History
internal import HunchDBus
internal import HunchModel
internal import Learning
internal import Popularity
internal import SearchIndexes
internal import Localization

/// Exchanges the popularity of public content with the user's aggregator, once a day, if the user allows that. The online
/// geocoder sends and fetches. It sees only the random bits of the reports.
package actor PopularityExchange: Feature {
    package static let name = "popularity"

    /// The time between two looks at whether an exchange is due. The clock stops while the computer sleeps.
    private static let interval = Duration.seconds(3_600)
    /// The time limit of fetching or sending.
    private static let patience = Duration.seconds(20)

    package let environment: AgentEnvironment
    private let keeper: IndexKeeper
    /// Increases each time the user forgets something or excludes an app, so that no report is about that.
    private var forgettings = 0
    private var problem: String?

    package init(_ environment: AgentEnvironment, keeper: IndexKeeper) {
        self.environment = environment
        self.keeper = keeper
    }

    package func run() async {
        do {
            // Nothing wakes the agent up at the start if there is nothing to exchange.
            if await settings() != nil {
                try await loop.sleep(for: configuration.popularityDelay)
                await exchange()
            }
            while true {
                try await loop.sleep(for: await timeToNext())
                await exchange()
            }
        } catch {}
    }

    package nonisolated var stores: [any PersonalStore] { [self] }

    package func handle(_ event: CoreEvent) async {
        guard case .excluded = event else { return }
        do { try await forget() } catch {
            problems.report(localized("a report of popularity that was not sent could not be removed: %1", "\(error)"))
        }
    }

    /// Removes reports that were not sent yet. The account of those that were sent stays.
    func forget() async throws {
        forgettings += 1
        try await worker.run { [directories = configuration.directories] in
            try PopularityLedger.change(directories) { $0.removePending() }
        }
    }

    /// Exchanges popularity if that is allowed and due.
    func exchange() async {
        guard let settings = await settings() else { return settle() }
        await history.privacyGate.pass()
        let before = forgettings
        do {
            guard try await ledger().isDue(at: configuration.now()) else { return }
            let client = OnlineGeocoderClient(bus: bus, patience: Self.patience)
            let sketch = try PopularitySketch(json: await client.popularity().utf8)
            try await store(sketch, of: settings)
            let reports = try await reports(sketch.encoding, settings)
            // The user may have forgotten something or forbidden the exchange meanwhile.
            guard await self.settings() == settings, forgettings == before else {
                // The reports may have been stored after the pending ones were removed.
                return try await change { ledger, _ in ledger.removePending() }
            }
            if !reports.isEmpty {
                do {
                    try await client.sendPopularity(reports.map(\.json).joined(separator: "\n"))
                } catch let error as DBusError where error.name == .invalidInput {
                    // They would be refused again.
                    try await postpone()
                    throw error
                }
                settle()
                let now = configuration.now()
                try await change { ledger, _ in (ledger.last, ledger.problem) = (now, nil) }
            }
            try await postpone()
        } catch {
            guard !Task.isCancelled else { return }
            await report(
                localized("popularity could not be exchanged: %1", (error as? DBusError)?.message ?? "\(error)"))
        }
    }

    /// Stores a sketch, unless the user forbids the exchange or names another aggregator meanwhile.
    private func store(_ sketch: PopularitySketch, of settings: OnlineGeocoderSettings) async throws {
        _ = try await keeper.useIfPresent { try $0.setPopularity(sketch) }
        guard await self.settings()?.aggregatorURL != settings.aggregatorURL else { return }
        _ = try await keeper.useIfPresent { try $0.setPopularity(nil) }
    }

    /// Returns the reports of today.
    private func reports(
        _ encoding: UnaryEncoding, _ settings: OnlineGeocoderSettings
    ) async throws -> [PopularityReport] {
        let budget = settings.privacyBudget ?? OnlineGeocoderSettings.usualBudget
        guard encoding.epsilon <= budget else {
            await report(
                localized(
                    "the aggregator of popularity wants reports with the privacy loss %1, which is more than you allow a day (%2); “hunch online enable --popularity --budget” changes that",
                    encoding.epsilon, budget))
            return []
        }
        let now = configuration.now()
        let since = try await ledger().since
        let excluded = try await history.use { store, _ in try store.exclusions() }
        let opened =
            try await keeper.useIfPresent { try $0.publicItemsOpened(since: since ?? now, excluding: excluded) } ?? []
        let (reports, isAhead) = try await change { ledger, random in
            let reports = ledger.reports(at: now, encoding, budget: budget, using: &random) {
                $0 == since ? opened : []
            }
            return (reports, ledger.isAhead(of: PopularityLedger.day(of: now)))
        }
        if isAhead {
            await report(
                localized("the clock was ahead when popularity was reported; no reports are sent before that day"))
        }
        return reports
    }

    private func postpone() async throws {
        let now = configuration.now()
        try await change { ledger, random in ledger.postpone(from: now, using: &random) }
    }

    // MARK: State

    /// The settings if popularity is exchanged.
    private func settings() async -> OnlineGeocoderSettings? {
        let settings = try? await worker.run { [directories = configuration.directories] in
            OnlineGeocoderSettings.load(directories)
        }
        return settings.flatMap { $0.exchangesPopularity ? $0 : nil }
    }

    private func timeToNext() async -> Duration {
        guard await settings() != nil, let next = try? await ledger().next else { return Self.interval }
        let left = Duration.clamping(seconds: next.timeIntervalSince(configuration.now()))
        // Otherwise it failed, and is tried again.
        return left > .zero ? min(left, Self.interval) : Self.interval
    }

    private func ledger() async throws -> PopularityLedger {
        try await worker.run { [directories = configuration.directories] in try PopularityLedger.load(directories) }
    }

    /// Changes the account in its file.
    private func change<Result: Sendable>(
        _ body: @escaping @Sendable (inout PopularityLedger, inout SystemRandomNumberGenerator) -> Result
    ) async throws -> Result {
        try await worker.run { [directories = configuration.directories] in
            var random = SystemRandomNumberGenerator()
            return try PopularityLedger.change(directories) { body(&$0, &random) }
        }
    }

    private func report(_ text: String) async {
        settle()
        problem = text
        problems.report(text)
        // An account that cannot be written is the problem itself.
        try? await change { ledger, _ in ledger.problem = text }
    }

    private func settle() {
        if let problem { problems.settle(problem) }
        problem = nil
    }
}
