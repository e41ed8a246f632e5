public import AgentInterface
internal import FoundationEssentials
public import HunchDBus
public import HunchModel

/// Access to the activities of all apps. See `org.hunch.Activities1` for the permissions of callers. An app reports its
/// own activities with ``AppActivities``.
extension HunchAgent {
    private var root: Proxy { Proxy(connection, HunchNames.agent, HunchNames.root) }

    /// Returns the current activity, after its app saved its changes. Does not start the agent.
    ///
    /// - Returns: `nil` if there is no activity that the caller may see, or if the agent is not running.
    public func currentActivity() async throws -> ShownActivity? {
        try await ifRunning {
            let map: VariantMap = try await root.call(
                HunchNames.activities, "Current", timeout: Self.answerTime, startsService: false)
            return map.isEmpty ? nil : try ShownActivity(transfer: map)
        }
    }

    /// Returns the activities that have not ended, latest first, without payload. Does not start the agent.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of activities, 1 to 200.
    ///   - application: the desktop identifier of the only app to return activities of; `nil` for all apps.
    public func recentActivities(limit: UInt32 = 20, of application: AppID? = nil) async throws -> [ShownActivity] {
        var options: VariantMap = ["limit": .uint32(limit)]
        options["app"] = application?.dbusValue
        return try await ifRunning {
            try await root.call(
                HunchNames.activities, "Recent", options, timeout: Self.answerTime, startsService: false)
        } ?? []
    }

    /// Opens an app at an activity. Does not start the agent.
    ///
    /// - Parameters:
    ///   - activationToken: the compositor's token, passed on to the app.
    ///   - platformData: the platform data passed on to the app.
    /// - Returns: `activity` if the app continues the activity, `url` if its web page was opened, `app` if the
    ///   app was only launched.
    /// - Throws: `DBusError`: `…NotFound` if there is no such activity, `…ActionFailed` if nothing could be opened.
    public func continueActivity(
        _ id: String, activationToken: String? = nil, platformData: VariantMap = [:]
    ) async throws -> String {
        var options: VariantMap = ["platform": platformData.dbusValue]
        options["activation-token"] = activationToken.map(Value.string)
        let way: String? = try await ifRunning {
            try await root.call(
                HunchNames.activities, "Continue", id, options, timeout: Self.launchTime, startsService: false)
        }
        guard let way else { throw DBusError(.notFound, "the agent is not running, so there are no activities") }
        return way
    }

    /// Ends the caller's activities with one of these content identifiers or related identifiers, at most 1,000.
    /// Withdraws their suggestions, and deletes their places and donations. Returns the number of activities and places.
    public func deleteActivities(identifiers: [String]) async throws -> Int {
        let count: UInt32 = try await root.call(HunchNames.activities, "DeleteById", identifiers)
        return Int(count)
    }

    /// Does the same as ``deleteActivities(identifiers:)`` for the caller's activities of these groups.
    public func deleteActivities(groups: [String]) async throws -> Int {
        let count: UInt32 = try await root.call(HunchNames.activities, "DeleteByGroup", groups)
        return Int(count)
    }

    /// Calls the agent. Returns `nil` if it is not running, since activities do not outlive it.
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
