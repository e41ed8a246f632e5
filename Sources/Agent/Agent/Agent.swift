internal import Apps
public import EventLoops
internal import HunchDBus
internal import AgentInterface
internal import FoundationEssentials
internal import Glibc
internal import History
internal import HunchModel
internal import Learning
internal import Logging
internal import Surfaces
internal import Localization

/// Makes the features, with what they share.
package typealias FeatureMaker = @Sendable (AgentEnvironment, SuggestionDesk) async throws -> [any Feature]

/// The composition root. It owns every part of the agent, starts every task, and ends them.
///
/// Until the user has enabled Hunch, it answers calls but watches nothing.
public actor Agent: LoopActor {
    package let environment: AgentEnvironment
    package let desk: SuggestionDesk
    package nonisolated let features: [any Feature]
    let watch: Watch
    let privacy: PrivacyService
    /// The path to which a damaged history was moved at startup.
    private(set) var setAside: String?
    /// The signals that end the agent in order.
    package static let endingSignals = [SIGTERM, SIGINT, SIGHUP]
    /// The idle time after which the agent returns memory.
    private static let quietTime = Duration.seconds(1)
    /// The loop that executes the agent.
    public nonisolated var loop: EventLoop { environment.loop }

    /// Connects to the session bus. Does not yet watch anything, own a name, or open the store.
    ///
    /// - Parameters:
    ///   - configuration: paths, time limits and the clock.
    ///   - loop: the running loop on which the agent works.
    ///   - features: makes all features, in the order in which they receive events.
    /// - Throws: ``DBusError`` if there is no session bus; `HistoryError` if the environment does not say where the store belongs.
    package init(
        _ configuration: AgentConfiguration, on loop: EventLoop, features make: FeatureMaker
    ) async throws {
        environment = try await AgentEnvironment(configuration, on: loop)
        desk = SuggestionDesk(environment)
        features = try await make(environment, desk)
        await desk.report(to: features)
        watch = Watch(environment, desk: desk, features: features)
        privacy = PrivacyService(environment, desk: desk, watch: watch, features: features)
    }

    /// Serves until the session bus closes or a signal ends the process.
    ///
    /// - Throws: ``DBusError`` if another agent owns the name; `HistoryError` if the store cannot be used.
    public func run() async throws {
        let notifier = ServiceNotifier(environment: environment.configuration.environment)
        let signals = try environment.loop.signals(Self.endingSignals)
        environment.history.awaitPrivacySettings()
        environment.start.close()
        try await export()
        guard try await environment.bus.requestName(HunchNames.agent) == .owner else {
            await close()
            throw DBusError(
                .failed, "another agent is running on this session bus; “hunch status” shows it")
        }
        do {
            try await openHistory()
        } catch {
            await close()
            throw error
        }
        notifier.ready()
        var memory = ResidentMemory()
        environment.loop.whenQuiet(for: Self.quietTime) { memory.trim() }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in signals { return } }
            group.addTask { [bus = environment.bus] in _ = await bus.closed() }
            group.addTask { [environment, privacy] in
                for await replacement in environment.history.replacements() { await privacy.beginAnew(replacement) }
            }
            await group.next()
            notifier.stopping()
            // Without memory for a thread, libdispatch waits for ever when the store closes. Its rows are on disk already.
            let limit = environment.configuration.closingTime.map { environment.loop.schedule(after: $0) { _exit(3) } }
            await close()
            if let limit { environment.loop.cancel(limit) }
            group.cancelAll()
        }
    }

    /// Opens the store. Only the agent that owns the name may do so. Calls that arrive meanwhile wait on the store's
    /// thread.
    private func openHistory() async throws {
        setAside = try await environment.history.open()
        await environment.notifications.closeEarlier()
        try await desk.load()
        if let setAside {
            environment.problems.report(
                localized("the history was damaged and is now at %1; a fresh one is in use", setAside))
        }
        await privacy.begin()
        await environment.habits.learn()
        try await watch.begin()
        environment.start.open()
    }

    private func close() async {
        environment.start.open()
        await watch.close()
        environment.history.privacyGate.open()
        for feature in features { await feature.close() }
        await privacy.close()
        await desk.close()
        await environment.habits.settle()
        await environment.history.close()
        // Awaited even if this task was cancelled, so that an agent that starts now does not find the name owned.
        await Task(executorPreference: environment.loop) { [bus = environment.bus] in
            try? await bus.releaseName(HunchNames.agent)
        }.value
        await environment.bus.close()
        environment.worker.stop()
        environment.foreignFiles.stop()
    }
}
