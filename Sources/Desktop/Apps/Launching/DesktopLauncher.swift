package import FoundationEssentials
internal import Glibc
internal import EventLoops
package import HunchDBus
package import HunchModel
internal import Localization

/// Launches apps so that they run outside this process and its sandbox, and outlive it.
///
/// The order of attempts: over D-Bus if the app supports that; as a transient unit of the user's systemd; without
/// systemd, as a process in a session of its own. No shell is involved.
package struct DesktopLauncher: Sendable {
    /// The way in which an app was launched.
    package enum Route: Hashable, Sendable {
        /// The app was activated over D-Bus.
        case service(BusName)
        /// It runs as the systemd unit of this name.
        case unit(String)
        /// It runs as a child process with this identifier.
        case process(Int32)
    }

    private let environment: [String: String]
    private let bus: Connection
    private let installed: InstalledAppsCache
    private let deadline: Duration
    private let patience: Duration
    /// The wall clock.
    package let now: @Sendable () -> Date

    /// - Parameters:
    ///   - environment: locates apps, and becomes the environment of child processes.
    ///   - bus: the session bus.
    ///   - installed: the installed apps.
    ///   - now: the wall clock.
    ///   - deadline: the time limit for an app's answer or start.
    ///   - patience: the time in which an app fails. A process that runs longer has opened.
    package init(
        environment: [String: String], bus: Connection, installed: InstalledAppsCache,
        now: @escaping @Sendable () -> Date,
        deadline: Duration = .seconds(20), patience: Duration = .seconds(1)
    ) {
        self.environment = environment
        self.bus = bus
        self.installed = installed
        self.deadline = deadline
        self.patience = patience
        self.now = now
    }

    /// Opens a routing app at its destination, or a web service in the default browser.
    ///
    /// - Parameter variables: additions to the environment of a started program.
    /// - Throws: as ``launch(_:uri:activationToken:)``.
    @discardableResult
    package func open(
        _ launch: DirectionsLaunch, activationToken: String?, variables: [String: String]
    ) async throws -> Route {
        let plan = try await installed.read { [environment] installed in
            let defaults = DefaultApps(environment: environment, installed: installed)
            return try LaunchPlan(launch, installed: installed, defaults: defaults)
        }
        return try await carryOut(plan, activationToken, variables)
    }

    /// Opens an address in the default app for it.
    ///
    /// - Throws: as ``launch(_:uri:activationToken:)``.
    @discardableResult
    package func open(address: String, activationToken: String?) async throws -> Route {
        let plan = try await installed.read { [environment] installed in
            let defaults = DefaultApps(environment: environment, installed: installed)
            return try LaunchPlan(address: address, installed: installed, defaults: defaults)
        }
        return try await carryOut(plan, activationToken)
    }

    /// Launches an app.
    ///
    /// - Parameters:
    ///   - desktopID: desktop identifier, without `.desktop`.
    ///   - uri: the URI to open; `nil` to launch the app without one.
    ///   - activationToken: the compositor's token, which lets the app come to the front.
    /// - Returns: how it was launched, once the app has answered, or its program has run for a moment or has ended well.
    /// - Throws: ``LaunchError``; ``DBusError`` with the name `…Disconnected` if the bus is gone;
    ///   `CancellationError`.
    @discardableResult
    package func launch(_ desktopID: AppID, uri: String? = nil, activationToken: String?) async throws -> Route {
        let plan = try await installed.read { try LaunchPlan(app: desktopID, uri: uri, installed: $0) }
        return try await carryOut(plan, activationToken)
    }

    /// Launches a media app at an item of its player, if the app declares that it opens such items.
    ///
    /// - Returns: how it was launched, once the app has answered or its program runs.
    /// - Throws: as ``launch(_:uri:activationToken:)``.
    package func play(_ desktopID: AppID, uri: String?, activationToken: String?) async throws -> Route {
        let plan = try await installed.read { try LaunchPlan(playing: uri, in: desktopID, installed: $0) }
        // Code that waits for its player notices its end.
        return try await carryOut(plan, activationToken, within: .zero)
    }

    /// Whether the launched program has ended. Unknown, hence `false`, for an app activated over D-Bus.
    package func hasEnded(_ route: Route) async -> Bool {
        switch route {
        case .service: false
        // The child is reaped when it ends.
        case .process(let process): kill(process, 0) != 0 && errno == ESRCH
        case .unit(let name): await hasEnded(unit: name)
        }
    }

    private func hasEnded(unit: String) async -> Bool {
        do {
            let path: ObjectPath = try await bus.call(
                .systemd, .systemd, .systemdManager, "GetUnit", unit, timeout: deadline, startsService: false)
            let state: String = try await Proxy(bus, .systemd, path).property(
                .systemdUnit, "ActiveState", timeout: deadline)
            return ["failed", "inactive"].contains(state)
        } catch let error as DBusError {
            // systemd removes units once they have ended.
            return Self.meansGone(error)
        } catch {
            return false
        }
    }

    /// - Parameters:
    ///   - variables: additions to the environment of a started program.
    ///   - patience: the time in which its end with an error is noticed; `nil` for the usual one.
    private func carryOut(
        _ plan: LaunchPlan, _ activationToken: String?, _ variables: [String: String] = [:],
        within patience: Duration? = nil
    ) async throws -> Route {
        let patience = patience ?? self.patience
        let token = LaunchPlan.checkedToken(activationToken)
        let variables = variables.merging(LaunchPlan.activation(token)) { $1 }
        if let service = plan.service, try await ask(service, plan, token) { return .service(service.name) }
        guard let program = plan.program else {
            throw LaunchError(
                .failed,
                localized("%1 says that it can be started over D-Bus, but the bus does not know it", plan.name))
        }
        if let unit = try await startUnit(plan, program, variables, within: patience) { return .unit(unit) }
        return .process(try await spawn(plan, program, variables, within: patience))
    }

    /// Returns the result of a task; `nil` if it takes longer than a time.
    private func first<Value: Sendable>(
        within time: Duration, _ find: @escaping @Sendable () async throws -> Value?
    ) async throws -> Value? {
        let loop = bus.loop
        let found = try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await find() }
            group.addTask {
                try await loop.sleep(for: time)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
        try Task.checkCancellation()
        return found
    }

    /// - Throws: ``LaunchError`` if a program that has just been started ended with an error.
    private static func check(_ code: Int32?, of plan: LaunchPlan) throws {
        guard let code, code != 0 else { return }
        throw LaunchError(
            .failed,
            code > 128
                ? localized(
                    "%1 did not open: its program was ended by signal %2", plan.name, code - 128)
                : localized("%1 did not open: its program ended with exit code %2", plan.name, code))
    }

    // MARK: Over D-Bus

    /// - Returns: `false` if nothing provides the service.
    private func ask(_ service: LaunchPlan.Service, _ plan: LaunchPlan, _ token: String?) async throws -> Bool {
        var body: [Value] = plan.uris.isEmpty ? [] : [plan.uris.dbusValue]
        body.append(LaunchPlan.platformData(token).dbusValue)
        let call = MethodCall(
            service.name, service.path, "org.freedesktop.Application", plan.uris.isEmpty ? "Activate" : "Open",
            body: body)
        do {
            _ = try await bus.reply(to: call, timeout: deadline)
            return true
        } catch let error as DBusError where error.isServiceAbsent {
            return false
        } catch let error as DBusError where error.name != .disconnected {
            throw LaunchError(
                .failed, localized("%1 did not open: %2", plan.name, "\(error)"), underlying: error)
        }
    }

    // MARK: With systemd

    /// - Returns: the unit's name once its program runs; `nil` without systemd.
    private func startUnit(
        _ plan: LaunchPlan, _ program: LaunchPlan.Program, _ variables: [String: String], within patience: Duration
    ) async throws -> String? {
        guard try await bus.owner(of: .systemd) != nil else { return nil }
        let unit = try TransientUnit(
            plan, program, random: .random(in: 0 ... .max), environment: variables)
        let ended = try await bus.signals([
            MatchRule(sender: .systemd, path: .systemd, interface: .systemdManager, member: "JobRemoved")
        ])
        let changes = try await bus.signals([
            MatchRule(
                sender: .systemd, path: try unit.path, interface: .properties, member: "PropertiesChanged")
        ])
        do {
            let job = try await start(unit)
            do {
                try await wait(for: job, of: unit, in: ended, plan)
                let _: Void? = try await first(within: patience) { await Self.awaitEnd(in: changes) }
                try Self.check(await exitCode(of: unit), of: plan)
            } catch {
                try? await release(unit)
                throw error
            }
            try? await release(unit)
            return unit.name
        } catch let error as DBusError where [.serviceUnknown, .nameHasNoOwner].contains(error.name) {
            return nil
        } catch let error as DBusError where error.name != .disconnected {
            throw LaunchError(
                .failed, localized("systemd did not start %1: %2", plan.name, "\(error)"),
                underlying: error)
        }
    }

    /// Releases the reference to a unit, which kept it and let systemd report its changes.
    private func release(_ unit: TransientUnit) async throws {
        try await bus.send(
            MethodCall(
                .systemd, .systemd, .systemdManager, "UnrefUnit", body: [.string(unit.name)], startsService: false))
    }

    private func start(_ unit: TransientUnit) async throws -> ObjectPath {
        func call(untilLastProcess: Bool) -> MethodCall {
            MethodCall(
                .systemd, .systemd, .systemdManager, "StartTransientUnit",
                body: unit.arguments(untilLastProcess: untilLastProcess), startsService: false)
        }
        do {
            return try await bus.reply(to: call(untilLastProcess: true), timeout: deadline).arguments(ObjectPath.self)
        } catch let error as DBusError where error.name == .propertyReadOnly {
            // systemd before version 250 reports the unknown property like this.
            return try await bus.reply(to: call(untilLastProcess: false), timeout: deadline).arguments(ObjectPath.self)
        }
    }

    /// Waits until the signals of a unit report that its first process has ended. The unit may last longer.
    private static func awaitEnd(in changes: SignalStream) async {
        for await event in changes {
            guard case .signal(let message) = event,
                let (_, changed, _) = try? message.arguments(String.self, VariantMap.self, [String].self),
                let code: Int32 = try? changed.value("ExecMainCode"), code != 0
            else { continue }
            return
        }
    }

    /// Returns the exit code of the first process of a unit, as a shell reports it; `nil` while it runs, or if systemd
    /// does not report it.
    private func exitCode(of unit: TransientUnit) async -> Int32? {
        do {
            let path: ObjectPath = try await bus.call(
                .systemd, .systemd, .systemdManager, "GetUnit", unit.name, timeout: deadline, startsService: false)
            let proxy = Proxy(bus, .systemd, path)
            let code: Int32 = try await proxy.property(.systemdService, "ExecMainCode", timeout: deadline)
            let status: Int32 = try await proxy.property(.systemdService, "ExecMainStatus", timeout: deadline)
            // 0: it runs. 1 is CLD_EXITED. Otherwise a signal ended it.
            return code == 0 ? nil : code == 1 ? status : 128 + status
        } catch {
            return nil
        }
    }

    /// Waits for the end of a systemd job. Then the program runs.
    ///
    /// - Throws: ``LaunchError`` if it has failed to start.
    private func wait(
        for job: ObjectPath, of unit: TransientUnit, in signals: SignalStream, _ plan: LaunchPlan
    ) async throws {
        let result: String? = try await first(within: deadline) {
            for await event in signals {
                guard case .signal(let message) = event else {
                    // Its signal may have been among the lost ones.
                    if let result = try await outcome(of: job, of: unit) { return result }
                    continue
                }
                guard
                    let (_, path, _, result) = try? message.arguments(
                        UInt32.self, ObjectPath.self, String.self, String.self)
                else { continue }
                if path == job { return result }
            }
            return nil
        }
        guard result == "done" else {
            throw LaunchError(
                .failed,
                localized(
                    "systemd could not start %1 (%2); “journalctl --user” shows why", plan.name,
                    result ?? localized("no answer")))
        }
    }

    /// Returns the result of a systemd job as the unit shows it; `nil` while the job is pending.
    private func outcome(of job: ObjectPath, of unit: TransientUnit) async throws -> String? {
        do {
            let _: String = try await Proxy(bus, .systemd, job).property(.systemdJob, "State", timeout: deadline)
            return nil
        } catch let error as DBusError where Self.meansGone(error) {}
        do {
            let path: ObjectPath = try await bus.call(
                .systemd, .systemd, .systemdManager, "GetUnit", unit.name, timeout: deadline, startsService: false)
            let state: String = try await Proxy(bus, .systemd, path).property(
                .systemdUnit, "ActiveState", timeout: deadline)
            return state == "failed" ? "failed" : "done"
        } catch let error as DBusError where Self.meansGone(error) {
            // The unit is gone, so it has ended, whether well or badly.
            return "done"
        }
    }

    private static func meansGone(_ error: DBusError) -> Bool {
        error.name == .unknownObject || error.name.rawValue == "org.freedesktop.systemd1.NoSuchUnit"
    }

    // MARK: As a child

    private func spawn(
        _ plan: LaunchPlan, _ program: LaunchPlan.Program, _ variables: [String: String], within patience: Duration
    ) async throws -> Int32 {
        let (ends, end) = AsyncStream.makeStream(of: Int32?.self)
        let environment = environment.merging(variables) { $1 }
        // A thread of its own, started from the loop, because an app would inherit the worker's confinement.
        let thread = try WorkerThread(name: "hunch-launch")
        defer { thread.stop() }
        let process = try await thread.run {
            let process: Int32
            do throws(LaunchError) {
                process = try ChildProcess.start(program, environment: environment)
            } catch {
                // It names the file of the program.
                throw LaunchError(error.code, localized("%1 did not open: %2", plan.name, error.message))
            }
            ChildProcess.reap(process) { end.yield($0) }
            return process
        }
        let code = try await first(within: patience) {
            for await code in ends { return code }
            return nil
        }
        try Self.check(code, of: plan)
        return process
    }
}

extension BusName {
    fileprivate static let systemd: BusName = "org.freedesktop.systemd1"
}

extension ObjectPath {
    fileprivate static let systemd: ObjectPath = "/org/freedesktop/systemd1"
}

extension InterfaceName {
    fileprivate static let systemdManager: InterfaceName = "org.freedesktop.systemd1.Manager"
    fileprivate static let systemdJob: InterfaceName = "org.freedesktop.systemd1.Job"
    fileprivate static let systemdUnit: InterfaceName = "org.freedesktop.systemd1.Unit"
    fileprivate static let systemdService: InterfaceName = "org.freedesktop.systemd1.Service"
}
