public import HunchModel
public import HunchDBus

/// Follows the apps that the user launches, without starting the systemd user manager.
///
/// Desktops start each app as a unit of its own, `app-…`. Units that exist at the start do not count as launches.
///
/// Source: org.freedesktop.systemd1(5).
public struct AppLaunches: Sendable {
    private static let service: BusName = "org.freedesktop.systemd1"
    private static let path: ObjectPath = "/org/freedesktop/systemd1"
    private static let manager: InterfaceName = "org.freedesktop.systemd1.Manager"
    private static let deadline = Duration.seconds(5)

    /// Creates the follower without contacting the manager.
    public init() {}

    /// Delivers the desktop identifier of each launched app until the connection ends.
    ///
    /// - Parameters:
    ///   - bus: the session bus.
    ///   - observe: called for each start and end of an app's unit, including units that exist at the start.
    /// - Throws: ``DBusError`` if the bus refuses the subscription; `CancellationError`.
    public func follow(
        _ bus: Connection, observe: @Sendable (TriggerObservation) async -> Void = { _ in },
        _ deliver: @Sendable (AppID) async -> Void
    ) async throws {
        let told: [MemberName] = ["UnitNew", "UnitRemoved", "JobNew", "JobRemoved"]
        let signals = try await bus.signals(
            [.ownerChanges(of: Self.service)]
                + told.map { MatchRule(sender: Self.service, path: Self.path, interface: Self.manager, member: $0) })
        var table = await present(bus, observe)
        for await signal in signals {
            guard case .signal(let message) = signal, message.ownerChange == nil else {
                table = await present(bus, observe)
                continue
            }
            guard let unit = Self.unit(of: message), LaunchTable.application(of: unit) != nil else { continue }
            switch message.member {
            case "UnitRemoved":
                if table.end(unit) { await observe(.unit(unit, began: false)) }
            case "JobRemoved":
                // systemd keeps an ended unit for a while, and a failed unit until it is reset.
                guard table.holds(unit), await !isStarted(unit, bus), table.end(unit) else { continue }
                await observe(.unit(unit, began: false))
            default:
                // The manager may load a unit and start it later or never. A scope exists only with its processes.
                guard !table.holds(unit) else { continue }
                let isScope = message.member == "UnitNew" && unit.hasSuffix(".scope")
                guard isScope ? true : await isStarted(unit, bus) else { continue }
                await observe(.unit(unit, began: true))
                if let application = table.begin(unit) { await deliver(application) }
            }
        }
        await unsubscribe(bus)
        try Task.checkCancellation()
    }

    /// Subscribes and returns the apps that run; none without a user manager.
    private func present(_ bus: Connection, _ observe: @Sendable (TriggerObservation) async -> Void) async
        -> LaunchTable
    {
        var table = LaunchTable()
        try? await subscribe(bus)
        let units: [ListedUnit]? = try? await bus.call(
            Self.service, Self.path, Self.manager, "ListUnitsByPatterns", ["active", "activating"], ["app-*"],
            timeout: Self.deadline, startsService: false)
        for unit in units ?? [] where LaunchTable.application(of: unit.name) != nil {
            _ = table.begin(unit.name)
            await observe(.unit(unit.name, began: true))
        }
        return table
    }

    /// Subscribes to the manager's signals, which it sends only while it has a subscriber.
    private func subscribe(_ bus: Connection) async throws {
        let () = try await bus.call(
            Self.service, Self.path, Self.manager, "Subscribe", timeout: Self.deadline, startsService: false)
    }

    /// Unsubscribes, since the connection may live on. If the bus refuses, the subscription is already gone.
    private func unsubscribe(_ bus: Connection) async {
        try? await bus.send(MethodCall(Self.service, Self.path, Self.manager, "Unsubscribe", startsService: false))
    }

    private static func unit(of message: Message) -> String? {
        switch message.member {
        case "JobNew": try? message.arguments(UInt32.self, ObjectPath.self, String.self).2
        case "JobRemoved": try? message.arguments(UInt32.self, ObjectPath.self, String.self, String.self).2
        default: try? message.arguments(String.self, ObjectPath.self).0
        }
    }

    /// Whether a unit runs or is about to. A unit without an object ended at once or was only inspected.
    private func isStarted(_ unit: String, _ bus: Connection) async -> Bool {
        let path: ObjectPath? = try? await bus.call(
            Self.service, Self.path, Self.manager, "GetUnit", unit, timeout: Self.deadline, startsService: false)
        // All properties in one call: between two calls, a job could finish and leave an active unit.
        guard let path,
            let properties = try? await Proxy(bus, Self.service, path).properties(
                "org.freedesktop.systemd1.Unit", timeout: Self.deadline)
        else { return false }
        let state = try? properties.value("ActiveState", as: String.self)
        if state == "active" || state == "activating" || state == "reloading" { return true }
        let job = try? properties.value("Job", as: UnitJob.self)
        return state == "inactive" && (job?.identifier ?? 0) != 0
    }
}

/// A unit in the answer to `ListUnitsByPatterns`.
private struct ListedUnit: DBusStructure {
    let name, description, load, active, sub, follower: String
    let path: ObjectPath
    let job: UInt32
    let jobType: String
    let jobPath: ObjectPath

    static let layout = StructureLayout(
        ListedUnit.init(
            name:description:load:active:sub:follower:path:job:jobType:jobPath:)
    ) {
        (
            $0.name, $0.description, $0.load, $0.active, $0.sub, $0.follower, $0.path, $0.job, $0.jobType, $0.jobPath
        )
    }
}

/// The property `Job` of a unit.
private struct UnitJob: DBusStructure {
    let identifier: UInt32
    let path: ObjectPath

    static let layout = StructureLayout(UnitJob.init(identifier:path:)) { ($0.identifier, $0.path) }
}
