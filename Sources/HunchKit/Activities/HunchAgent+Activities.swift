internal import AgentInterface
public import FoundationEssentials
public import HunchDBus
public import HunchModel

/// An activity as other programs see it.
public struct ShownActivity: Sendable {
    /// The identifier, for ``HunchAgent/continueActivity(_:activationToken:platformData:)``.
    public let id: String
    /// The desktop identifier of its app.
    public let application: String
    /// The date on which it became current.
    public let date: Date
    /// The app's values; without payload in lists.
    public let activity: Activity
}

/// The activities of apps. See `org.hunch.Activities1` for the caller permissions. Apps report their own with
/// ``AppActivities``.
extension HunchAgent {
    private var root: Proxy { Proxy(connection, HunchNames.agent, HunchNames.root) }

    /// Returns the current activity, after its app has saved it. Does not start the agent.
    ///
    /// - Returns: `nil` if the caller may not see one, or no agent runs.
    public func currentActivity() async throws -> ShownActivity? {
        try await ifRunning {
            let map: VariantMap = try await root.call(
                HunchNames.activities, "Current", timeout: Self.answerTime, startsService: false)
            return map.isEmpty ? nil : try ShownActivity(map)
        }
    }

    /// Returns the live activities without payload, the last current one first. Does not start the agent.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of activities, 1 to 200.
    ///   - application: an app, to return only its activities.
    public func recentActivities(limit: UInt32 = 20, of application: String? = nil) async throws -> [ShownActivity] {
        var options: VariantMap = ["limit": .uint32(limit)]
        options["application"] = application.map(Value.string)
        return try await ifRunning {
            let maps: [VariantMap] = try await root.call(
                HunchNames.activities, "Recent", options, timeout: Self.answerTime, startsService: false)
            return try maps.map { try ShownActivity($0) }
        } ?? []
    }

    /// Opens an app at an activity.
    ///
    /// - Parameters:
    ///   - activationToken: the compositor's token, passed on to the app.
    ///   - platformData: data passed on to the app.
    /// - Returns: the way: `activity` when the app goes on with it, `url` when its web page was opened, `application` when
    ///   the app was started as ever.
    /// - Throws: `DBusError`: `…NotFound` when there is no such activity, `…ActionFailed` when nothing could be opened.
    public func continueActivity(
        _ id: String, activationToken: String? = nil, platformData: VariantMap = [:]
    ) async throws -> String {
        var options: VariantMap = ["platform": platformData.dbusValue]
        options["activation-token"] = activationToken.map(Value.string)
        let way: String? = try await ifRunning {
            try await root.call(
                HunchNames.activities, "Continue", id, options, timeout: Self.launchTime, startsService: false)
        }
        guard let way else { throw DBusError(.notFound, "no agent runs, so nothing is on the screen") }
        return way
    }

    /// Ends the caller's activities with one of these content or related identifiers, at most 1,000, and deletes what
    /// was recorded because of them. Returns the number of activities and places.
    public func deleteActivities(identifiers: [String]) async throws -> Int {
        let count: UInt32 = try await root.call(HunchNames.activities, "DeleteByIdentifier", identifiers)
        return Int(count)
    }

    /// Does the same for the activities of these groups.
    public func deleteActivities(groups: [String]) async throws -> Int {
        let count: UInt32 = try await root.call(HunchNames.activities, "DeleteByGroup", groups)
        return Int(count)
    }

    /// Does the same for all activities of the caller.
    public func deleteAllActivities() async throws -> Int {
        let count: UInt32 = try await root.call(HunchNames.activities, "DeleteAllOfCaller")
        return Int(count)
    }

    /// Returns a default if no agent runs, because then there are no activities.
    private func ifRunning<Result>(
        _ call: nonisolated(nonsending) () async throws -> Result?
    ) async throws -> Result? {
        do {
            return try await call()
        } catch let error as DBusError where [.serviceUnknown, .nameHasNoOwner].contains(error.name) {
            return nil
        }
    }
}

extension ShownActivity {
    fileprivate init(_ map: VariantMap) throws(DBusError) {
        id = try map.value("id") ?? ""
        application = try map.value("application") ?? ""
        date = try map.date(microseconds: "date") ?? Date.accepted.lowerBound
        activity = try Activity(transfer: map)
    }
}
