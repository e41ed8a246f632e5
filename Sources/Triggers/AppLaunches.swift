internal import HunchModel
public import HunchDBus

/// Follows which apps the person launches, through the systemd user manager: desktops start each app as a unit of its
/// own, `app-…`. The manager is not started by it. What runs from the start is a state and no launch.
///
/// Source: org.freedesktop.systemd1(5).
public struct AppLaunches: Sendable {
    private static let service: BusName = "org.freedesktop.systemd1"
    private static let path: ObjectPath = "/org/freedesktop/systemd1"
    private static let manager: InterfaceName = "org.freedesktop.systemd1.Manager"
    private static let deadline = Duration.seconds(5)

    /// Describes what is followed.
    public init() {}

    /// Delivers the desktop identifier of each app that is launched, as long as the connection lasts.
    ///
    /// - Parameters:
    ///   - bus: the session bus.
    ///   - sign: told of each unit of an app as it is seen, those included that are there at the start.
    /// - Throws: ``DBusError`` when the bus refuses the subscription; `CancellationError`.
    public func follow(
        _ bus: Connection, sign: @Sendable (TriggerSign) async -> Void = { _ in },
        _ deliver: @Sendable (String) async -> Void
    ) async throws {
        let told: [MemberName] = ["UnitNew", "UnitRemoved", "JobNew", "JobRemoved"]
        let signals = try await bus.signals(
            [
                MatchRule(
                    sender: .bus, path: .bus, interface: .bus, member: "NameOwnerChanged", argument0: Self.service.text)
            ] + told.map { MatchRule(sender: Self.service, path: Self.path, interface: Self.manager, member: $0) })
        var table = await present(bus, sign)
        for await signal in signals {
            guard case .signal(let message) = signal, message.member != "NameOwnerChanged" else {
                table = await present(bus, sign)
                continue
            }
            guard let unit = Self.unit(of: message), LaunchTable.application(of: unit) != nil else { continue }
            switch message.member {
            case "UnitRemoved":
                if table.end(unit) { await sign(.unit(unit, began: false)) }
            case "JobRemoved":
                // A unit that has ended stays for a while, or for good when it failed.
                guard table.holds(unit), await !isStarted(unit, bus), table.end(unit) else { continue }
                await sign(.unit(unit, began: false))
            default:
                // The manager also loads units to tell of them, and may start them later; a scope is there only with its
                // processes.
                guard !table.holds(unit) else { continue }
                let isScope = message.member == "UnitNew" && unit.hasSuffix(".scope")
                guard isScope ? true : await isStarted(unit, bus) else { continue }
                await sign(.unit(unit, began: true))
                if let application = table.begin(unit) { await deliver(application) }
            }
        }
        await unsubscribe(bus)
        try Task.checkCancellation()
    }

    /// The apps that run; none where there is no user manager.
    private func present(_ bus: Connection, _ sign: @Sendable (TriggerSign) async -> Void) async -> LaunchTable {
        var table = LaunchTable()
        try? await subscribe(bus)
        let units: [ListedUnit]? = try? await bus.call(
            Self.service, Self.path, Self.manager, "ListUnitsByPatterns", ["active", "activating"], ["app-*"],
            timeout: Self.deadline, startsService: false)
        for unit in units ?? [] where LaunchTable.application(of: unit.name) != nil {
            _ = table.begin(unit.name)
            await sign(.unit(unit.name, began: true))
        }
        return table
    }

    /// The manager sends signals only while someone wants them.
    private func subscribe(_ bus: Connection) async throws {
        let () = try await bus.call(
            Self.service, Self.path, Self.manager, "Subscribe", timeout: Self.deadline, startsService: false)
    }

    /// The connection may stay for other things. A bus that refuses is gone, and the subscription with it.
    private func unsubscribe(_ bus: Connection) async {
        try? await bus.send(MethodCall(Self.service, Self.path, Self.manager, "Unsubscribe", startsService: false))
    }

    /// The unit that a signal is about.
    private static func unit(of message: Message) -> String? {
        switch message.member {
        case "JobNew": try? message.arguments(UInt32.self, ObjectPath.self, String.self).2
        case "JobRemoved": try? message.arguments(UInt32.self, ObjectPath.self, String.self, String.self).2
        default: try? message.arguments(String.self, ObjectPath.self).0
        }
    }

    /// Whether a unit runs, or is about to. One that is gone by now ended at once, or was only looked at.
    private func isStarted(_ unit: String, _ bus: Connection) async -> Bool {
        let path: ObjectPath? = try? await bus.call(
            Self.service, Self.path, Self.manager, "GetUnit", unit, timeout: Self.deadline, startsService: false)
        // All at one moment: a job that has come to its end leaves a unit that runs.
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
