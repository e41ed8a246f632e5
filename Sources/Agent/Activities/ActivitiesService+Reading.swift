internal import AgentInterface
internal import FoundationEssentials
internal import HunchDBus
internal import HunchModel

/// The calls of other programs about activities.
extension ActivitiesService {
    /// The current activity, with the keys of `org.hunch.Activities1.Current`; empty when there is none to be seen.
    func current(of visible: VisibleApps) async throws -> VariantMap {
        try await sweep()
        guard let current = table.current, visible.contains(current.application) else { return [:] }
        let life = await saved(current)
        guard table.currentID == life.id else { return [:] }
        return life.transfer ?? [:]
    }

    /// Activities, the last that was current first, with the keys of `org.hunch.Activities1.Recent`.
    func recent(_ options: VariantMap, of visible: VisibleApps) async throws -> [VariantMap] {
        let limit = min(max(Int(try options.value("limit", as: UInt32.self) ?? 20), 1), 200)
        let application = try options.text("application")
        let words = try options.text("text").map(Self.words)
        try await sweep()
        return table.newest(of: visible).lazy.filter { life in
            (application == nil || life.application == application)
                && words.map { Self.isFound(life.activity, by: $0) } ?? true
        }.prefix(limit).compactMap { life in
            life.transfer?.filter { $0.key != "payload" }
        }
    }

    private static func words(of text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    /// Whether an activity may be found, and all words are in it, the last one perhaps unfinished.
    private static func isFound(_ activity: Activity?, by words: [String]) -> Bool {
        guard let activity, activity.isEligibleForSearch, let last = words.last else { return false }
        let known = ([activity.title] + activity.keywords).flatMap(Self.words)
        return words.dropLast().allSatisfy(known.contains) && known.contains { $0.hasPrefix(last) }
    }

    /// Opens an app at an activity. Returns the way: `activity`, `url` or `application`.
    func goOn(with id: String, _ options: VariantMap, of visible: VisibleApps) async throws -> String {
        let token = try options.text("activation-token")
        let platform = try options.value("platform", as: VariantMap.self) ?? [:]
        guard platform.count <= 32, platform.textSize <= LaunchPlan.uriLimit else {
            throw DBusError(.limitsExceeded, "“platform” has more than 32 keys or \(LaunchPlan.uriLimit) bytes")
        }
        try await sweep()
        guard let known = table.lives[id], known.activity != nil, visible.contains(known.application) else {
            throw DBusError(.notFound, "there is no such activity, or it is over")
        }
        let life = await saved(known)
        guard let activity = life.activity else { throw DBusError(.notFound, "the activity is over") }
        let continuation = ActivityContinuation(
            activity: activity, application: life.application, platformData: platform, activationToken: token)
        do {
            return try await withDeadline(configuration.performanceTime, on: loop) { [opener, installed, bus] in
                try await continuation.carryOut(opener: opener, installed: installed, bus: bus).rawValue
            }
        } catch is CancellationError {
            throw DBusError(.failed, "the agent is ending")
        } catch {
            throw DBusError(.actionFailed, (error as? DBusError)?.message ?? "\(error)")
        }
    }
}

extension LiveActivity {
    /// The values for the bus; `nil` if nothing is known of it.
    fileprivate var transfer: VariantMap? {
        guard var map = activity?.transfer else { return nil }
        map["id"] = .string(id)
        map["application"] = .string(application)
        map["date"] = .uint64(date.microseconds)
        return map
    }
}
