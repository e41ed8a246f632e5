internal import AgentInterface
public import FoundationEssentials
public import HunchDBus
public import HunchModel

/// An activity as others than its app see it.
public struct ShownActivity: Sendable {
    /// Its identifier, for ``HunchAgent/continueActivity(_:activationToken:platformData:)``.
    public let id: String
    /// The desktop identifier of its app.
    public let application: String
    /// When it became current.
    public let date: Date
    /// What the app told; without payload where several were asked for.
    public let activity: Activity
}

/// What apps have on the screen. See `org.hunch.Activities1` for who may see what; an app tells of its own with
/// ``AppActivities``.
extension HunchAgent {
    private var root: Proxy { Proxy(connection, HunchNames.agent, HunchNames.root) }

    /// What is on the screen now, after its app was asked for what it knows more of. Starts no agent.
    ///
    /// - Returns: `nil` when there is nothing that the caller may see, or no agent runs.
    public func currentActivity() async throws -> ShownActivity? {
        try await ifRunning {
            let map: VariantMap = try await root.call(
                HunchNames.activities, "Current", timeout: Self.answerTime, startsService: false)
            return map.isEmpty ? nil : try ShownActivity(map)
        }
    }

    /// The activities that live, the last that was current first, without payload. Starts no agent.
    ///
    /// - Parameters:
    ///   - limit: the most activities, 1 to 200.
    ///   - application: only this app's.
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
    ///   - activationToken: the compositor's token, handed on to the app.
    ///   - platformData: handed on to the app.
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

    /// Ends the caller's activities with one of these content identifiers or related ones, at most 1,000, and takes back
    /// what came of them. Returns how many activities and places.
    public func deleteActivities(identifiers: [String]) async throws -> Int {
        let count: UInt32 = try await root.call(HunchNames.activities, "DeleteByIdentifier", identifiers)
        return Int(count)
    }

    /// The same for the activities of these groups.
    public func deleteActivities(groups: [String]) async throws -> Int {
        let count: UInt32 = try await root.call(HunchNames.activities, "DeleteByGroup", groups)
        return Int(count)
    }

    /// The same for all of the caller's.
    public func deleteAllActivities() async throws -> Int {
        let count: UInt32 = try await root.call(HunchNames.activities, "DeleteAllOfCaller")
        return Int(count)
    }

    /// Nothing is kept where no agent runs.
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
