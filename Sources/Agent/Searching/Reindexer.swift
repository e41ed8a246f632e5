internal import AgentInterface
internal import Apps
internal import EventLoops
internal import FoundationEssentials
internal import History
internal import HunchDBus
internal import HunchModel
internal import Learning
internal import SearchIndexes

/// Asks apps to index their content when the index does not have it: the file is new, was lost, or is an older copy; the app
/// is new; or items expire soon.
actor Reindexer: WatchingPart {
    /// The reason for which an app is asked, as in `org.hunch.IndexDelegate1`.
    private enum Reason: String {
        case missing, outdated, requested, expiring
    }

    /// The time between two checks.
    private static let interval = Duration.seconds(86_400)
    /// The time before the expiry at which apps are asked to renew items, in seconds. More than two checks.
    private static let renewalTime: Double = 2 * 86_400

    let environment: AgentEnvironment
    private let keeper: IndexKeeper
    private var isAsking = false
    /// Whether something happened while apps were asked.
    private var isCheckNeeded = false
    /// The reason to ask apps that have once indexed everything.
    private var reasons: [AppID: Reason] = [:]
    private var isOutdated = false

    init(_ environment: AgentEnvironment, keeper: IndexKeeper) {
        self.environment = environment
        self.keeper = keeper
    }

    func run() async {
        let losses = keeper.losses()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [loop, configuration] in
                do {
                    try await loop.sleep(for: configuration.indexingDelay)
                    while true {
                        await self.check()
                        try await loop.sleep(for: Self.interval)
                    }
                } catch {}
            }
            group.addTask { for await _ in losses { await self.check() } }
        }
    }

    /// Asks apps to index all of their content again, in the background.
    ///
    /// - Parameter application: the app; `nil` for all.
    /// - Returns: the apps that are asked.
    /// - Throws: ``DBusError``: `Disabled` while Hunch is off or paused, `NotFound` if no such app can be asked.
    func rebuild(_ application: AppID?) async throws -> [AppID] {
        guard try await isRecorded() else {
            throw DBusError(.disabled, "Hunch is off or paused; turn it on and try again")
        }
        let asked = try await delegates().filter { application.map { [id = $0.id] in $0 == id } ?? true }
        guard !asked.isEmpty else {
            let who = application.map { "“\($0.rawValue.cut(to: 80))”" } ?? "no app"
            throw DBusError(
                .notFound,
                application == nil
                    ? "\(who) can index its content by itself; apps that index theirs when they run do so then"
                    : "\(who) is not installed, is excluded, or cannot index its content by itself; start the app")
        }
        try await keeper.use { store in
            for app in asked { try store.setIncomplete(app.id) }
        }
        for app in asked { reasons[app.id] = .requested }
        Task(executorPreference: loop) { await self.check() }
        return asked.map(\.id)
    }

    // MARK: Asking

    private func check() async {
        isCheckNeeded = true
        guard !isAsking else { return }
        isAsking = true
        defer { isAsking = false }
        while isCheckNeeded, !Task.isCancelled {
            isCheckNeeded = false
            do {
                try await compareCopy()
                try await askForAll()
                try await askForExpiring()
            } catch {
                if !Task.isCancelled { problems.report("apps could not be asked to index their content: \(error)") }
            }
        }
    }

    /// Notices that an older copy of the file came back, by the number of its changes.
    private func compareCopy() async throws {
        let count = try await keeper.useIfPresent { try $0.changeCount() } ?? 0
        let known = try await history.use { store, _ in
            let known = try store.indexChanges()
            if known != count { try store.setIndexChanges(count) }
            return known
        }
        // Without a file, a new one has nothing to mark.
        guard count < known, count > 0 else { return }
        try await keeper.use { try $0.setIncomplete() }
        isOutdated = true
    }

    private func askForAll() async throws {
        let delegates = try await delegates()
        guard !delegates.isEmpty else { return }
        // Also creates the file, so that apps are asked once.
        let complete = try await keeper.use { try $0.completeApplications() }
        for (application, service) in delegates where !complete.contains(application) {
            let reason = reasons[application] ?? (isOutdated ? .outdated : .missing)
            guard await ask(application, service, "ReindexAll", "", reason) else { continue }
            reasons[application] = nil
            try await keeper.use { try $0.setComplete(application) }
        }
        isOutdated = false
    }

    private func askForExpiring() async throws {
        let end = configuration.now().addingTimeInterval(Self.renewalTime)
        let expiring = try await keeper.useIfPresent { try $0.expiringItems(before: end) } ?? [:]
        guard !expiring.isEmpty else { return }
        let services = Dictionary(try await delegates().map { ($0.id, $0.service) }) { one, _ in one }
        var isRenewed = true
        for (source, identifiers) in expiring.sorted(by: { $0.key.name < $1.key.name }) {
            guard let service = services[source.application] else { continue }
            isRenewed =
                await ask(source.application, service, "ReindexItems", source.name, .expiring, identifiers) && isRenewed
        }
        if isRenewed { try await keeper.use { try $0.setRenewed(before: end) } }
    }

    /// Asks an app, and waits for its acknowledgement. Returns whether there is one.
    private func ask(
        _ application: AppID, _ service: LaunchPlan.Service, _ method: MemberName, _ index: String, _ reason: Reason,
        _ identifiers: [String]? = nil
    ) async -> Bool {
        let options: VariantMap = ["reason": .string(reason.rawValue)]
        do {
            // The person may have turned Hunch off meanwhile.
            guard try await isRecorded(application), !Task.isCancelled else { return false }
            let (name, path, time) = (service.name, service.path, configuration.indexingTime)
            try await service.call(on: bus) {
                if let identifiers {
                    let () = try await bus.call(
                        name, path, HunchNames.indexDelegate, method, index, identifiers, options, timeout: time)
                } else {
                    let () = try await bus.call(
                        name, path, HunchNames.indexDelegate, method, index, options, timeout: time)
                }
            }
            return true
        } catch {
            if !Task.isCancelled {
                problems.report(
                    "\(application) did not index its content: \((error as? DBusError)?.message ?? "\(error)")")
            }
            return false
        }
    }

    /// Returns whether content of an app is kept now; without one, whether Hunch is on.
    private func isRecorded(_ application: AppID = "") async throws -> Bool {
        await history.privacyGate.pass()
        return try await history.use { store, now in
            try store.outcome(forApplication: application, now: now).isRecorded
        }
    }

    /// Returns the apps that can be asked, in ascending order of their identifiers.
    private func delegates() async throws -> [(id: AppID, service: LaunchPlan.Service)] {
        let excluded = try await history.use { store, _ in try store.exclusions() }
        return try await installed.entries(implementing: HunchNames.indexDelegate.text).compactMap { entry in
            guard entry.isDBusActivatable, !excluded.contains(entry.id), let service = LaunchPlan.service(of: entry.id)
            else { return nil }
            return (entry.id, service)
        }
    }
}
