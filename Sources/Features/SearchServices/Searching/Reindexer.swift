internal import DesktopFiles
internal import DirectionServices
package import Agent
internal import AgentInterface
internal import Apps
internal import EventLoops
internal import FoundationEssentials
internal import History
internal import HunchDBus
internal import HunchModel
internal import Learning
internal import SearchIndexes
internal import Localization

/// Asks apps to index their content when the index does not have it: the file is new, was lost, or is an older copy; the app
/// is new; or items expire soon.
package actor Reindexer: Feature {
    package static let name = "indexing"

    /// The reason for which an app is asked, as in `org.hunch.IndexDelegate1`.
    private enum Reason: String {
        case missing, outdated, requested, expiring
    }

    /// The time between two checks. The clock stops while the computer sleeps.
    private static let interval = Duration.seconds(3_600)
    /// The shortest time between two checks because the file was lost.
    private static let lossInterval = Duration.seconds(60)
    /// The time before the expiry at which apps are asked to renew items, in seconds.
    private static let renewalTime: Double = 2 * 86_400
    /// The shortest time between two requests to renew items, in seconds.
    private static let renewalInterval: Double = 86_400
    /// The time after a failure before an app is asked again, in seconds. It doubles with each failure, up to a week.
    private static let (patience, longestPatience) = (3_600.0, 7 * 86_400.0)

    package let environment: AgentEnvironment
    private let keeper: IndexKeeper
    private var isAsking = false
    /// Whether something happened while apps were asked.
    private var isCheckNeeded = false
    /// The apps that are asked although they have indexed everything, and why.
    private var wanted: [AppID: Reason] = [:]
    private var lastRenewal: Date?
    /// The date of the first list of items to renew, until the last one.
    private var renewalBegin: Date?
    /// The number of failures of apps, when they are asked again, and the problem that was reported.
    private var failures: [AppID: (count: Int, next: Date, problem: String)] = [:]

    package init(_ environment: AgentEnvironment, keeper: IndexKeeper) {
        self.environment = environment
        self.keeper = keeper
    }

    package func run() async {
        let losses = keeper.losses()
        let start = ContinuousClock.now + configuration.indexingDelay
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [loop] in
                do {
                    // Without an app to ask, nothing wakes the agent up at the start.
                    if await self.isNeeded() {
                        try await loop.sleep(for: max(.zero, start - .now))
                        await self.check()
                    }
                    while true {
                        try await loop.sleep(for: Self.interval)
                        await self.check()
                    }
                } catch {}
            }
            group.addTask { [loop] in
                do {
                    for await _ in losses {
                        try await loop.sleep(for: max(.zero, start - .now))
                        await self.check()
                        try await loop.sleep(for: Self.lossInterval)
                    }
                } catch {}
            }
        }
    }

    /// Whether an app should be asked. In doubt, one should.
    private func isNeeded() async -> Bool {
        do {
            let apps = try await delegates().map(\.id)
            guard !apps.isEmpty else { return false }
            try await compareCopy()
            let end = configuration.now().addingTimeInterval(Self.renewalTime)
            let now = configuration.now()
            let state = try await keeper.useIfPresent {
                (
                    try $0.completeApplications(),
                    try $0.expiringItems(after: now, before: end, changedBefore: now).keys.map(\.application)
                )
            }
            await keeper.releaseMemory()
            guard let (complete, expiring) = state else { return true }
            return apps.contains { wanted[$0] != nil || !complete.contains($0) || expiring.contains($0) }
        } catch {
            return true
        }
    }

    /// Asks apps to index all of their content again, in the background.
    ///
    /// - Parameter application: the app; `nil` for all.
    /// - Returns: the apps that are asked.
    /// - Throws: ``DBusError``: `Disabled` while Hunch is off or paused, `NotFound` if no such app can be asked.
    func rebuild(_ application: AppID?) async throws -> [AppID] {
        guard try await history.keepsRecords() else {
            throw DBusError(.disabled, localized("Hunch is off or paused; turn it on and try again"))
        }
        // A damaged file is set aside, even if no app can be asked.
        _ = try await keeper.useIfPresent { try $0.changeCount() }
        let asked = try await delegates().map(\.id).filter { application == nil || $0 == application }
        guard !asked.isEmpty else {
            throw DBusError(
                .notFound,
                application.map {
                    "“\($0.rawValue.cut(to: 80))” is not installed, is excluded, or cannot be asked; start the app, so that it indexes its content"
                } ?? "no installed app can be asked; start an app, so that it indexes its content")
        }
        for app in asked {
            wanted[app] = .requested
            clearFailure(of: app)
        }
        Task(executorPreference: loop) { await self.check() }
        return asked
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
                let apps = Set(try await delegates().map(\.id))
                // Apps that were uninstalled or excluded no longer fail.
                for application in failures.keys where !apps.contains(application) { clearFailure(of: application) }
                guard !apps.isEmpty else { continue }
                try await compareCopy()
                try await askForAll()
                try await askForExpiring()
            } catch {
                if !Task.isCancelled {
                    problems.report(
                        localized("apps could not be asked to index their content: %1", ErrorMapping.logged(error)))
                }
            }
        }
        await keeper.releaseMemory()
    }

    /// Notices that an older copy of the file came back, by the number of its changes when it was opened. Stores the
    /// current number.
    func compareCopy() async throws {
        guard let count = try await keeper.useIfPresent({ try $0.changeCount() }) else { return }
        let opening = keeper.takeOpeningCount()
        let known = try await history.use { store, _ in try store.indexChanges() }
        // A new file has nothing to mark.
        if let opening, opening > 0, opening < known {
            try await keeper.use { try $0.setIncomplete() }
            for (application, _) in try await delegates() where wanted[application] == nil {
                wanted[application] = .outdated
            }
        }
        if count != known { try await history.use { store, _ in try store.setIndexChanges(count) } }
    }

    private func askForAll() async throws {
        let delegates = try await delegates()
        guard !delegates.isEmpty else { return }
        // Also creates the file, so that apps are asked once.
        let complete = try await keeper.use { try $0.completeApplications() }
        for (application, service) in delegates where wanted[application] != nil || !complete.contains(application) {
            let file = try await keeper.use { try $0.fileNumber() }
            let reason = wanted.removeValue(forKey: application) ?? .missing
            let isDone = await ask(application, on: service, because: reason) { [bus, configuration] options in
                let () = try await bus.call(
                    service.name, service.path, HunchNames.indexDelegate, "ReindexAll", "", options,
                    timeout: configuration.indexingTime)
            }
            guard isDone else {
                // Asked for the same reason again, unless there is a newer one.
                if reason != .missing, wanted[application] == nil { wanted[application] = reason }
                continue
            }
            try await keeper.use { try $0.setComplete(application, file: file) }
        }
    }

    private func askForExpiring() async throws {
        let now = configuration.now()
        // Items that an app renews for less than two days are asked for again tomorrow.
        guard lastRenewal.map({ abs(now.timeIntervalSince($0)) >= Self.renewalInterval }) ?? true else { return }
        // Items that were renewed since the last list are not on the next one.
        let begin = renewalBegin ?? now
        renewalBegin = begin
        let expiring =
            try await keeper.useIfPresent {
                try $0.expiringItems(
                    after: now, before: now.addingTimeInterval(Self.renewalTime), changedBefore: begin)
            } ?? [:]
        var isFull = false
        let services = Dictionary(try await delegates().map { ($0.id, $0.service) }) { one, _ in one }
        for (source, identifiers) in expiring.sorted(by: { $0.key.name < $1.key.name }) {
            guard let service = services[source.application] else { continue }
            let isDone = await ask(source.application, on: service, because: .expiring) {
                [bus, configuration] options in
                let () = try await bus.call(
                    service.name, service.path, HunchNames.indexDelegate, "ReindexItems", source.name, identifiers,
                    options, timeout: configuration.indexingTime)
            }
            guard isDone else { continue }
            if identifiers.count == IndexStore.expiringLimit { isFull = true }
            // Items that were not renewed are not asked for a second time.
            try await keeper.use { store in
                try store.setRenewalAsked(identifiers, in: source, at: now)
            }
        }
        // The next check asks for the rest of a full list.
        if !isFull { (lastRenewal, renewalBegin) = (now, nil) }
    }

    /// Asks an app, and waits for its acknowledgement. Returns whether there is one.
    private func ask(
        _ application: AppID, on service: LaunchPlan.Service, because reason: Reason,
        _ call: @Sendable (_ options: VariantMap) async throws -> Void
    ) async -> Bool {
        let options: VariantMap = ["reason": .string(reason.rawValue)]
        do {
            if let failure = failures[application], configuration.now() < failure.next { return false }
            guard try await history.keepsRecords(of: application), !Task.isCancelled else { return false }
            try await service.call(on: bus) { try await call(options) }
            // The user may have excluded the app meanwhile. Then its additions were refused.
            guard try await history.keepsRecords(of: application) else { return false }
            clearFailure(of: application)
            return true
        } catch {
            guard !Task.isCancelled else { return false }
            let count = (failures[application]?.count ?? 0) + 1
            let delay = min(Self.patience * Double(1 << min(count - 1, 8)), Self.longestPatience)
            clearFailure(of: application)
            let problem = localized(
                "%1 did not index its content: %2", application, (error as? DBusError)?.message ?? "\(error)")
            failures[application] = (count, configuration.now().addingTimeInterval(delay), problem)
            problems.report(problem)
            return false
        }
    }

    private func clearFailure(of application: AppID) {
        if let failure = failures.removeValue(forKey: application) { problems.settle(failure.problem) }
    }

    /// Returns the apps that can be asked, in ascending order of their identifiers.
    private func delegates() async throws -> [(id: AppID, service: LaunchPlan.Service)] {
        let excluded = try await history.use { store, _ in try store.exclusions() }
        return try await installed.entries(implementing: HunchNames.indexDelegate.text).compactMap { entry in
            guard entry.isDBusActivatable, !excluded.contains(entry.id),
                let service = LaunchPlan.service(forHunchOf: entry)
            else { return nil }
            return (entry.id, service)
        }
    }
}
