internal import DesktopFiles
internal import AgentInterface
package import Apps
internal import FoundationEssentials
package import EventLoops
package import HunchDBus
internal import HunchModel
package import Learning
internal import Logging
package import Surfaces
internal import Localization

/// The environment that every part of the agent gets.
package struct AgentEnvironment: Sendable {
    package let configuration: AgentConfiguration
    package let loop: EventLoop
    package let bus: Connection
    package let server: ObjectServer
    /// The thread for the store and other blocking work.
    package let worker: WorkerThread
    package let foreignFiles: ForeignFiles
    package let confinement: ThreadConfinement
    package let history: HistoryKeeper
    package let habits: Habits
    package let present: CurrentContext
    package let installed: InstalledAppsCache
    package let launcher: DesktopLauncher
    package let callers: CallerIdentifier
    package let problems: ProblemReporter
    /// Closed until the agent, which answers calls before that, has read the history and watches if the user wants it.
    package let start = Gate()
    /// The notifications that are open, for the next start.
    let notifications: NotificationRecord

    /// Connects to the session bus. Does not own a name, open the store, or watch anything.
    ///
    /// - Throws: as ``Agent/init(_:on:)``.
    package init(_ configuration: AgentConfiguration, on loop: EventLoop) async throws {
        self.loop = loop
        worker = try WorkerThread(name: "hunch-store")
        let installed = InstalledAppsCache(environment: configuration.environment, worker: worker)
        self.installed = installed
        let callers = CallerIdentifier(configuration: configuration, installed: installed)
        self.callers = callers
        self.configuration = configuration
        var logger = Logger(label: "hunchd", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = configuration.environment["HUNCH_LOG"].flatMap { Logger.Level(rawValue: $0) } ?? .notice
        problems = ProblemReporter { [logger] in logger.warning("\($0)") }
        bus = try await Connection.open(configuration.sessionBus(), on: loop)
        let confinement = ThreadConfinement(problems)
        self.confinement = confinement
        foreignFiles = try ForeignFiles(loop: loop, confinement)
        history = try HistoryKeeper(environment: configuration.environment, now: configuration.now, on: worker) {
            // Not earlier, because it creates the two folders.
            confinement.confine(FileConfinement.store(configuration))
        }
        server = await ObjectServer(on: bus, mapError: ErrorMapping.reply(to:)) { call in
            let permission = try await callers.permission(of: call)
            return { subject throws(DBusError) in
                if subject == NowPlayingCard.subject { return try permission.mayUseCard() }
                try permission.maySee(subject, from: call.sender)
            }
        }
        habits = Habits(loop: loop, history: history, problems: problems)
        present = CurrentContext(
            environment: configuration.environment, now: configuration.now, loop: loop, history: history,
            problems: problems, sessionBus: bus
        ) { [configuration, loop] in
            try await Connection.open(configuration.systemBus(), on: loop)
        }
        notifications = NotificationRecord(on: loop, bus: bus, history: history, problems: problems)
        launcher = DesktopLauncher(
            environment: configuration.environment, bus: bus, installed: installed, now: configuration.now)
    }

    /// Returns a new surface. If the agent is killed, its notifications are closed at the next start.
    package func notificationSurface() -> NotificationSurface {
        let database = configuration.directories.configHome.map { $0 + "/dconf/user" }
        return NotificationSurface(
            on: bus, desktopEntry: HunchNames.desktopEntry,
            dconf: { [history] key in
                guard let database else { return nil }
                return try? await history.blocking { DconfDatabase(file: database)?.boolean(key) }
            }, noteStanding: notifications.makeNote())
    }

    /// Follows the user's answers on a surface until cancelled.
    package func follow(
        _ surface: NotificationSurface, _ handle: @escaping @Sendable (NotificationEvent) async -> Void
    ) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [problems] in
                do { try await surface.run() } catch is CancellationError {} catch {
                    problems.report(localized("notifications are not followed: %1", "\(error)"))
                }
            }
            group.addTask { for await event in await surface.events() { await handle(event) } }
        }
    }
}
