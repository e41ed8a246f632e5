internal import AgentInterface
internal import EventLoops
internal import FoundationEssentials
internal import History
internal import HunchDBus
internal import HunchModel
internal import Learning
internal import Popularity
internal import SearchIndexes

/// Exchanges the popularity of public content with the person's aggregator, once a day, if the person allows that. The online
/// geocoder sends and fetches. It sees only the random bits of the reports.
actor PopularityExchange: WatchingPart {
    /// The time between two looks at whether an exchange is due. The clock stands still while the computer sleeps.
    private static let interval = Duration.seconds(3_600)
    /// The time limit of fetching or sending.
    private static let patience = Duration.seconds(20)

    let environment: AgentEnvironment
    private let keeper: IndexKeeper
    private var random = SystemRandomNumberGenerator()
    /// Increases each time the person forgets something, so that no report is about what was forgotten.
    private var forgettings = 0

    init(_ environment: AgentEnvironment, keeper: IndexKeeper) {
        self.environment = environment
        self.keeper = keeper
    }

    func run() async {
        do {
            // Nothing wakes the agent up at the start if there is nothing to exchange.
            if await settings() != nil {
                try await loop.sleep(for: configuration.popularityDelay)
                await exchange()
            }
            while true {
                try await loop.sleep(for: Self.interval)
                await exchange()
            }
        } catch {}
    }

    /// Removes reports that were not sent yet. What was told, was told: the account stays.
    func forget() async throws {
        forgettings += 1
        try await worker.run { [directories = configuration.directories] in
            var ledger = try PopularityLedger.load(directories)
            guard !ledger.pending.isEmpty else { return }
            ledger.pending = []
            try ledger.save(directories)
        }
    }

    /// The settings if popularity is exchanged.
    private func settings() async -> OnlineGeocoderSettings? {
        let settings = try? await worker.run { [directories = configuration.directories] in
            OnlineGeocoderSettings.load(directories)
        }
        return settings.flatMap { $0.exchangesPopularity ? $0 : nil }
    }

    /// Exchanges popularity if that is allowed and due.
    func exchange() async {
        guard let settings = await settings() else { return }
        await history.privacyGate.pass()
        do {
            var ledger = try await ledger()
            guard ledger.isDue(at: configuration.now()) else { return }
            let client = OnlineGeocoderClient(bus: bus, patience: Self.patience)
            let sketch = try PopularitySketch(json: await client.popularity().utf8)
            _ = try await keeper.useIfPresent { try $0.setPopularity(sketch) }
            // An aggregator with another ε cannot count reports that were made for the former one.
            if !ledger.pending.contains(where: { $0.epsilon == sketch.encoding.epsilon }) {
                try await report(sketch.encoding, settings.privacyBudget ?? OnlineGeocoderSettings.usualBudget)
                ledger = try await self.ledger()
            }
            if !ledger.pending.isEmpty {
                try await client.sendPopularity(ledger.pending.map(\.json).joined(separator: "\n"))
            }
            try await change { [now = configuration.now()] ledger, random in
                ledger.pending = []
                ledger.postpone(from: now, using: &random)
            }
        } catch {
            guard !Task.isCancelled else { return }
            let reason = (error as? DBusError)?.message ?? "\(error)"
            problems.report("popularity could not be exchanged: \(reason)")
        }
    }

    /// Makes the reports of a day, about public items that the person opened since the last ones, or about none, so that
    /// their number tells nothing. Stores them with their privacy loss.
    private func report(_ encoding: UnaryEncoding, _ budget: Double) async throws {
        let last = try await ledger().last ?? .distantPast
        let now = configuration.now()
        let forgettings = forgettings
        let excluded = try await history.use { store, _ in try store.exclusions() }
        var opened = try await keeper.useIfPresent { try $0.publicItemsOpened(since: last, excluding: excluded) } ?? []
        if forgettings != self.forgettings { opened = [] }
        opened.shuffle(using: &random)
        let isWithinBudget = try await change { [opened] ledger, random in
            let count = ledger.take(encoding.epsilon, budget: budget, on: PopularityLedger.day(of: now))
            ledger.pending = (0..<count).map { index in
                PopularityReport(
                    about: index < opened.count ? opened[index] : nil, encoding: encoding, using: &random)
            }
            return encoding.epsilon <= budget
        }
        if !isWithinBudget {
            problems.report(
                "the aggregator of popularity wants reports with the privacy loss \(encoding.epsilon), which is more than you allow a day (\(budget)); “hunch online enable --popularity --budget” changes that"
            )
        }
    }

    private func ledger() async throws -> PopularityLedger {
        try await worker.run { [directories = configuration.directories] in try PopularityLedger.load(directories) }
    }

    /// Changes the account in its file.
    @discardableResult
    private func change<Result: Sendable>(
        _ body: @escaping @Sendable (inout PopularityLedger, inout SystemRandomNumberGenerator) throws -> Result
    ) async throws -> Result {
        try await worker.run { [directories = configuration.directories] in
            var random = SystemRandomNumberGenerator()
            var ledger = try PopularityLedger.load(directories)
            let result = try body(&ledger, &random)
            try ledger.save(directories)
            return result
        }
    }
}
