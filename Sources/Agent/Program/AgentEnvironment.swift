internal import Apps
internal import HunchDBus
internal import Learning

/// The environment that every part of the agent gets.
struct AgentEnvironment: Sendable {
    let configuration: AgentConfiguration
    let loop: EventLoop
    let bus: Connection
    let server: ObjectServer
    /// The thread for the store and other blocking work.
    let worker: WorkerThread
    let foreignFiles: ForeignFiles
    let history: HistoryKeeper
    let habits: Habits
    let present: CurrentContext
    let installed: InstalledAppsCache
    let launcher: DesktopLauncher
    let problems: ProblemReporter
}
