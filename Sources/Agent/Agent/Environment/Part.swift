internal import Apps
internal import EventLoops
internal import HunchDBus
internal import Learning

/// Something that is made with the environment, whose members it uses as its own.
protocol EnvironmentUser {
    nonisolated var environment: AgentEnvironment { get }
}

/// A part of the agent. It is made with the environment and the parts that it uses.
protocol Part: EnvironmentUser, LoopActor {}

extension EnvironmentUser {
    nonisolated var loop: EventLoop { environment.loop }
    nonisolated var configuration: AgentConfiguration { environment.configuration }
    nonisolated var bus: Connection { environment.bus }
    nonisolated var server: ObjectServer { environment.server }
    nonisolated var worker: WorkerThread { environment.worker }
    nonisolated var foreignFiles: ForeignFiles { environment.foreignFiles }
    nonisolated var history: HistoryKeeper { environment.history }
    nonisolated var habits: Habits { environment.habits }
    nonisolated var present: CurrentContext { environment.present }
    nonisolated var installed: InstalledAppsCache { environment.installed }
    nonisolated var launcher: DesktopLauncher { environment.launcher }
    nonisolated var callers: CallerIdentifier { environment.callers }
    nonisolated var problems: ProblemReporter { environment.problems }
}
