internal import DirectionServices
internal import Agent
internal import Activities
internal import AgentInterface
internal import Apps
internal import FoundationEssentials
internal import History
internal import EventLoops
internal import HunchDBus
internal import HunchModel
internal import Learning

/// Reading and continuing activities for other programs.
extension ActivitiesService {
    /// Returns the current activity with the keys of `org.hunch.Activities1.Current`; empty if there is none, or the
    /// caller may not see it.
    func current(of visible: VisibleApps) async throws -> VariantMap {
        try await sweep()
        guard let current = policy.table.current, visible.contains(current.application) else { return [:] }
        let life = await afterSaving(current)
        guard policy.table.currentID == life.id else { return [:] }
        return life.transfer ?? [:]
    }

    /// Returns the activities, the most recently current first, with the keys of `org.hunch.Activities1.Recent`.
    func recent(_ options: VariantMap, of visible: VisibleApps) async throws -> [VariantMap] {
        try options.checkKeys("limit", "app", "text")
        let limit = min(max(Int(try options.value("limit", as: UInt32.self) ?? 20), 1), 200)
        let application = try options.text("app").map { AppID($0) }
        guard application.map(visible.contains) ?? true else {
            throw DBusError(
                .accessDenied, "an app sees its own activities only, unless the user allows it to read those of others")
        }
        let words = try options.text("text").map(Self.words)
        try await sweep()
        return policy.table.newest(where: visible.contains).lazy.filter { life in
            (application == nil || life.application == application)
                && words.map { Self.isFound(life.activity, by: $0) } ?? true
        }.prefix(limit).compactMap { life in
            var map = life.transfer?.filter { $0.key != "payload" }
            if policy.table.lives[life.id] == nil { map?["ended"] = .boolean(true) }
            return map
        }
    }

    private static func words(of text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    /// Returns whether an activity allows search and contains all words. The last word may be a prefix.
    private static func isFound(_ activity: Activity?, by words: [String]) -> Bool {
        guard let activity, activity.isEligibleForSearch, let last = words.last else { return false }
        let known = ([activity.title] + activity.keywords).flatMap(Self.words)
        return words.dropLast().allSatisfy(known.contains) && known.contains { $0.hasPrefix(last) }
    }

    /// Continues an activity in its app. Returns how: `activity`, `url` or `application`.
    func continueActivity(_ id: String, _ options: VariantMap, of visible: VisibleApps) async throws -> String {
        try options.checkKeys("activation-token", "platform")
        let token = try options.text("activation-token")
        let platform = try ActivityContinuation.platformData(options)
        try await sweep()
        guard let known = policy.table.activity(id), known.activity != nil, visible.contains(known.application) else {
            throw DBusError(.notFound, "there is no such activity that this program may see, or it is over")
        }
        let life = await afterSaving(known)
        guard let activity = life.activity else { throw DBusError(.notFound, "the activity is over") }
        let continuation = ActivityContinuation(
            activity: activity, application: life.application, platformData: platform, activationToken: token)
        return try await continuation.answer(self)
    }
}

/// The signal `CurrentChanged`, for connections that called `Current`.
extension ActivitiesService {
    /// The maximum number of connections that are told of changes.
    private static let readerLimit = 64

    func follow(_ reader: BusName, _ permission: CallerPermission) {
        guard readers[reader] != nil || readers.count < Self.readerLimit else { return }
        readers[reader] = permission
        follow(reader)
    }

    /// Tells the readers that may see it that the current activity is another one.
    func announceCurrent() {
        let current = policy.table.current
        guard current?.id != announced?.id else { return }
        let concerned = [announced?.application, current?.application].compactMap(\.self)
        announced = current.map { ($0.id, $0.application) }
        guard !readers.isEmpty else { return }
        Task(executorPreference: loop) { [self, readers] in
            // Errors mean that the history or the bus fails; the next call says so.
            guard let allowed = try? await history.use({ store, _ in try store.readers() }) else { return }
            for (reader, permission) in readers
            where concerned.contains(where: permission.visibleApps(readers: allowed).contains) {
                try? await bus.emit(HunchNames.root, HunchNames.activities, "CurrentChanged", body: [], to: reader)
            }
        }
    }
}

extension LiveActivity {
    /// The values for the bus; `nil` if the activity's content is not kept.
    fileprivate var transfer: VariantMap? {
        activity.map { ShownActivity(id: id, application: application, date: date, activity: $0).transfer }
    }
}
