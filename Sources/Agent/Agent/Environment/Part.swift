package import Apps
package import EventLoops
package import HunchDBus
package import Learning

/// Something that is made with the environment, whose members it uses as its own.
package protocol EnvironmentUser {
    nonisolated var environment: AgentEnvironment { get }
}

/// A part of the agent. It is made with the environment and the parts that it uses.
package protocol Part: EnvironmentUser, LoopActor {}

extension EnvironmentUser {
    package nonisolated var loop: EventLoop { environment.loop }
    package nonisolated var configuration: AgentConfiguration { environment.configuration }
    package nonisolated var bus: Connection { environment.bus }
    package nonisolated var server: ObjectServer { environment.server }
    package nonisolated var worker: WorkerThread { environment.worker }
    package nonisolated var foreignFiles: ForeignFiles { environment.foreignFiles }
    package nonisolated var history: HistoryKeeper { environment.history }
    package nonisolated var habits: Habits { environment.habits }
    package nonisolated var present: CurrentContext { environment.present }
    package nonisolated var installed: InstalledAppsCache { environment.installed }
    package nonisolated var launcher: DesktopLauncher { environment.launcher }
    package nonisolated var callers: CallerIdentifier { environment.callers }
    package nonisolated var problems: ProblemReporter { environment.problems }
}
