internal import DirectionServices
internal import Agent
internal import Activities
internal import AgentInterface
internal import Apps
internal import FoundationEssentials
internal import EventLoops
internal import HunchDBus
internal import HunchModel

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
        try options.checkKeys("limit", "application", "text")
        let limit = min(max(Int(try options.value("limit", as: UInt32.self) ?? 20), 1), 200)
        let application = try options.text("application").map { AppID($0) }
        let words = try options.text("text").map(Self.words)
        try await sweep()
        return policy.table.newest(where: visible.contains).lazy.filter { life in
            (application == nil || life.application == application)
                && words.map { Self.isFound(life.activity, by: $0) } ?? true
        }.prefix(limit).compactMap { life in
            life.transfer?.filter { $0.key != "payload" }
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
        guard let known = policy.table.lives[id], known.activity != nil, visible.contains(known.application) else {
            throw DBusError(.notFound, "there is no such activity, or it is over")
        }
        let life = await afterSaving(known)
        guard let activity = life.activity else { throw DBusError(.notFound, "the activity is over") }
        let continuation = ActivityContinuation(
            activity: activity, application: life.application, platformData: platform, activationToken: token)
        return try await continuation.answer(self)
    }
}

extension LiveActivity {
    /// The values for the bus; `nil` if the activity's content is not kept.
    fileprivate var transfer: VariantMap? {
        activity.map { ShownActivity(id: id, application: application, date: date, activity: $0).transfer }
    }
}
