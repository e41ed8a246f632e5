import AgentInterface
import FoundationEssentials
import History
import HunchDBus
import HunchKit
import HunchModel
import TestSupport

@testable import Agent
@testable import Services

/// An enabled agent with a map app and a dialer. A test says which app a connection is; all others are the user.
struct ActivityScene: Sendable {
    let rig: AgentRig
    fileprivate let apps: Watched<[BusName: CallerIdentity]>

    static let guide: AppID = "org.example.Guide"
    static let dialer: AppID = "org.example.Dialer"
    static let calendar: AppID = "org.example.Calendar"
    static let maps: AppID = "org.example.Maps"

    /// Connects as an app.
    nonisolated(nonsending) func withApp<Value>(
        _ application: AppID? = guide, _ confinement: CallerIdentity.Confinement = .unsandboxed,
        _ body: nonisolated(nonsending) (ActivityApp) async throws -> Value
    ) async throws -> Value {
        try await withClient(of: rig.bus) { agent in
            guard let name = await agent.connection.uniqueName else { throw BenchError("the app has no name") }
            apps.update {
                $0[name] = CallerIdentity(name: name, application: application?.rawValue, confinement: confinement)
            }
            return try await body(ActivityApp(agent: agent))
        }
    }

    /// Sets the app of a connection.
    func know(_ connection: BusName, as application: AppID) {
        apps.update {
            $0[connection] = CallerIdentity(
                name: connection, application: application.rawValue, confinement: .unsandboxed)
        }
    }

    /// Tests of the commands about the current activity.
    func current() async throws -> VariantMap { try await rig.root.call(HunchNames.activities, "Current") }

    /// The titles of the activities that are kept.
    func recent(_ options: VariantMap = [:]) async throws -> [String] {
        let all: [VariantMap] = try await rig.root.call(HunchNames.activities, "Recent", options)
        return try all.map { try $0.require("title") }
    }

    /// Waits until suggestions with these titles are open, in any order.
    func waitForOffers(_ titles: String...) async throws -> [OfferedSuggestion] {
        try await rig.waitForSuggestions("the offer of \(titles)") { suggestions in
            // Reminders accompany every place, and have tests of their own.
            let suggestions = suggestions.filter { $0.kind != "reminder" || titles.contains($0.title) }
            return Set(suggestions.map(\.title)) == Set(titles) ? suggestions.sorted { $0.kind > $1.kind } : nil
        }
    }

    func seenPlaces() throws -> [SeenPlace] {
        try StoreFile(home: rig.home).use { try $0.seenPlaces(limit: 100) }
    }

    /// Waits until a number of places are recorded.
    func waitForSeenPlaces(_ count: Int) async throws -> [SeenPlace] {
        try await eventually("\(count) seen places", because: "rows tell nobody") {
            let places = try seenPlaces()
            return places.count == count ? places : nil
        }
    }
}

/// An app with its own connection.
struct ActivityApp: Sendable {
    let agent: HunchAgent
    var connection: Connection { agent.connection }

    /// A restaurant on the screen.
    static func restaurant(
        _ name: String = "Yank Sing", latitude: Double? = 37.7922, phone: String? = nil, more: VariantMap = [:]
    ) throws -> VariantMap {
        let item = MapItem(
            name: name, coordinate: try latitude.map { try Coordinate(latitude: $0, longitude: -122.3931) },
            phoneNumber: phone)
        return activity(name, more: ["place": item.transfer.dbusValue].merging(more) { $1 })
    }

    static func activity(_ title: String, more: VariantMap = [:]) -> VariantMap {
        let map: VariantMap = ["type": .string("org.example.Guide.page"), "title": .string(title)]
        return map.merging(more) { $1 }
    }

    func becomeCurrent(_ activity: VariantMap) async throws -> ObjectPath {
        try await connection.call(HunchNames.agent, HunchNames.root, HunchNames.activities, "BecomeCurrent", activity)
    }

    /// Reports an activity for a short time.
    func show(_ activity: VariantMap) async throws {
        try await tell(becomeCurrent(activity), "Resign")
    }

    func tell(_ activity: ObjectPath, _ member: MemberName) async throws {
        let () = try await connection.call(HunchNames.agent, activity, HunchNames.activity, member)
    }

    func update(_ activity: ObjectPath, _ changes: VariantMap) async throws {
        let () = try await connection.call(HunchNames.agent, activity, HunchNames.activity, "Update", changes)
    }

    func current() async throws -> VariantMap {
        try await connection.call(HunchNames.agent, HunchNames.root, HunchNames.activities, "Current")
    }

    func delete(_ member: MemberName, _ names: [String]) async throws -> UInt32 {
        try await connection.call(HunchNames.agent, HunchNames.root, HunchNames.activities, member, names)
    }

    /// Returns the error of a call; `nil` if it succeeds.
    func refusal(_ call: @Sendable (ActivityApp) async throws -> Void) async throws -> DBusError? {
        do {
            try await call(self)
            return nil
        } catch let error as DBusError {
            return error
        }
    }
}

extension DBusError {
    var isUnknownObject: Bool { name == .unknownObject }
}

nonisolated(nonsending) func withActivityAgent(
    on bus: PrivateBus, in home: TemporaryHome, now: @escaping @Sendable () -> Date = { Planted.now },
    configure: (inout AgentConfiguration) -> Void = { _ in },
    reach: @escaping @Sendable (Agent) -> Void = { _ in },
    _ body: nonisolated(nonsending) (ActivityScene) async throws -> Void
) async throws {
    let apps = Watched<[BusName: CallerIdentity]>([:])
    try await withAgentInside(
        on: bus, in: home,
        configure: {
            $0.now = now
            $0.leaveTime = .milliseconds(1)
            $0.openedTime = 0
            $0.identify = { call in
                if let app = apps.state[call.sender] { return app }
                return try await call.caller()
            }
            configure(&$0)
        }, reach: reach
    ) { rig in
        try rig.installMapApp()
        try rig.installApp(ActivityScene.dialer, "MimeType=x-scheme-handler/tel;")
        try rig.installApp(ActivityScene.calendar, "MimeType=text/calendar;")
        try rig.home.directory.write(
            "[Default Applications]\nx-scheme-handler/tel=\(ActivityScene.dialer).desktop\n"
                + "text/calendar=\(ActivityScene.calendar).desktop\n",
            to: "config/mimeapps.list")
        try rig.home.directory.write(
            "[Desktop Entry]\nType=Application\nName=Yelp\nExec=true\n",
            to: "data/applications/\(ActivityScene.guide).desktop")
        try await body(ActivityScene(rig: rig, apps: apps))
    }
}

/// Runs an enabled scene with its own bus and home.
nonisolated(nonsending) func withActivityAgent(
    now: @escaping @Sendable () -> Date = { Planted.now }, configure: (inout AgentConfiguration) -> Void = { _ in },
    prepare: (TemporaryHome) throws -> Void = prepareEnabled,
    reach: @escaping @Sendable (Agent) -> Void = { _ in },
    _ body: nonisolated(nonsending) (ActivityScene) async throws -> Void
) async throws {
    try await withTemporaryHome { home in
        try prepare(home)
        try await withPrivateBus { bus in
            try await withActivityAgent(on: bus, in: home, now: now, configure: configure, reach: reach, body)
        }
    }
}
