package import AgentInterface
package import FoundationEssentials
package import EventLoops
package import HunchDBus
package import HunchModel
package import Triggers
internal import Localization

/// The current context, for recording and suggesting.
package actor CurrentContext: LoopActor {
    /// The maximum distance of a donation's date from now to belong to the current context, in seconds.
    private static let justNow = 60.0
    /// The maximum number of waiting triggers. The oldest are dropped.
    private static let waitingEvents = 16

    private let clock: @Sendable () -> Date
    private let environment: [String: String]
    /// The loop that executes the actor.
    package nonisolated let loop: EventLoop
    private let problems: ProblemReporter
    private let place: PlaceFeature
    private let session: SessionFeature
    private let features: [any ContextFeature]
    private let openBus: @Sendable () async throws -> Connection
    private let sessionBus: Connection?
    /// The device in use, and when it became ready.
    private var inUse: (device: AudioDevice, ready: DatedTrigger)?

    /// - Parameter sessionBus: the bus on which launched apps and screen savers are reported; `nil` in a replay.
    package init(
        environment: [String: String], now: @escaping @Sendable () -> Date, loop: EventLoop, history: HistoryKeeper,
        problems: ProblemReporter, sessionBus: Connection?,
        openSystemBus: @escaping @Sendable () async throws -> Connection
    ) {
        clock = now
        self.environment = environment
        self.loop = loop
        self.problems = problems
        self.sessionBus = sessionBus
        openBus = openSystemBus
        place = PlaceFeature(now: now, loop: loop, history: history, problems: problems, openBus: openBus)
        session = SessionFeature(loop: loop, now: now)
        features = [PowerFeature(loop: loop), session, place, LaunchFeature(loop: loop, sessionBus: sessionBus)]
    }

    /// Follows all features and the screen savers until cancelled.
    ///
    /// - Parameters:
    ///   - screen: called when the user begins or ceases to see the screen: the session is unlocked and in front, and
    ///     no screen saver covers it. Without information, the screen counts as seen.
    ///   - positionLost: called when the user's position is no longer known.
    ///   - consider: called for one trigger after the other.
    package func run(
        screen: @escaping @Sendable (_ isSeen: Bool) -> Void, positionLost: @escaping @Sendable () -> Void,
        consider: @escaping @Sendable (PersonEvent) async -> Void
    ) async {
        let follower = SystemBusFollower(
            on: loop, environment: { [environment] in environment[$0] }, openBus: openBus)
        let (personEvents, sink) = AsyncStream.makeStream(
            of: PersonEvent.self, bufferingPolicy: .bufferingNewest(Self.waitingEvents))
        let report: @Sendable (ContextReport) -> Void = {
            switch $0 {
            case .trigger(let event): sink.yield(event)
            case .screen(let isSeen): screen(isSeen)
            case .positionLost: positionLost()
            }
        }
        await withTaskGroup(of: Void.self) { [features, problems] group in
            group.addTask {
                // This task ends by cancellation. A missing system bus is reported by the device monitor.
                try? await follower.run { bus in
                    let hasAnswered = (try? await bus.names()) != nil
                    await withTaskGroup(of: Void.self) { group in
                        for feature in features {
                            group.addTask {
                                do { try await feature.follow(bus, report) } catch is CancellationError {
                                } catch {
                                    problems.report(
                                        localized("the context “%1” is unknown: %2", feature.name, "\(error)"))
                                }
                            }
                        }
                        _ = await bus.closed()
                        group.cancelAll()
                    }
                    return ("it is no longer watched", hasAnswered)
                }
            }
            group.addTask { [sessionBus, session] in
                guard let sessionBus else { return }
                do {
                    try await session.followSavers(sessionBus, report)
                } catch is CancellationError {} catch {
                    problems.report(localized("the state of the screen savers is unknown: %1", "\(error)"))
                }
            }
            group.addTask { for await personEvent in personEvents { await consider(personEvent) } }
        }
    }

    /// Applies an observation from a trace, as ``run(consider:)`` applies those from the bus.
    ///
    /// - Returns: the triggers at which something may be suggested.
    package func take(_ observation: TriggerObservation) async -> [PersonEvent] {
        let (personEvents, sink) = AsyncStream.makeStream(of: PersonEvent.self)
        for feature in features { await feature.take(observation) { sink.yield($0) } }
        sink.finish()
        return await personEvents.reduce(into: []) { $0.append($1) }
    }

    /// Updates the context after the time of a trace has passed.
    package func passTime() async { await place.pass() }

    /// Returns the current context.
    ///
    /// - Parameters:
    ///   - device: the device of the action; `nil` for actions without one, whose context contains the device in use.
    ///   - trigger: the trigger; `nil` for the given device or the most recent trigger.
    package func now(device: AudioDevice? = nil, trigger: Trigger? = nil) async -> Context {
        let date = clock()
        var context = Context(at: date, device: device)
        context.device = context.device ?? inUse?.device.id
        var latest = inUse.flatMap { $0.ready.isRecent(at: date) ? $0.ready : nil }
        for feature in features {
            context.further[feature.name] = await feature.value(at: date)
            let recentTrigger = await feature.recentTrigger(at: date)
            if let recentTrigger, latest.map({ $0.date <= recentTrigger.date }) ?? true { latest = recentTrigger }
        }
        context.trigger = trigger ?? context.trigger ?? latest?.trigger
        return context
    }

    /// Sets the device in use.
    ///
    /// - Parameter isReconnect: whether it reconnected shortly after a disconnect.
    package func use(_ device: AudioDevice, isReconnect: Bool) {
        let date = isReconnect ? Date.distantPast : clock()
        inUse = (device, DatedTrigger(trigger: .device(device.id), date: date))
    }

    /// Clears the device in use. `nil` clears any device.
    package func lose(_ device: AudioDevice.ID?) {
        if device == nil || device == inUse?.device.id { inUse = nil }
    }

    /// The position of the user, if known.
    package func position() async -> Position? { await place.present }

    /// Returns what the features report for `hunch status`.
    ///
    /// - Parameter isWatching: whether the features are followed.
    package func parts(isWatching: Bool) async -> [PartReport] {
        var parts: [PartReport] = []
        for feature in features { parts += await feature.report.map { [$0] } ?? [] }
        return isWatching ? parts : parts.map { $0.changed(to: "off") }
    }

    /// Starts or stops following the location, as the user now allows.
    package func settingsChanged() async throws { try await place.settingsChanged() }

    /// Discards unsaved data, so that forgotten data is not stored again. The position of this moment stays.
    package func dropMemory() async { await place.dropMemory() }

    /// Reloads what is left after something was forgotten.
    package func reload() async { await place.reload() }

    /// Returns the donations, completing the contexts of those that happened just now.
    package func completed(_ donations: [Donation]) async -> [Donation] {
        let date = clock()
        let known = await now()
        return donations.map { donation in
            guard abs(donation.date.timeIntervalSince(date)) <= Self.justNow else { return donation }
            var completed = donation
            completed.context.device = donation.context.device ?? known.device
            completed.context.further = known.further
            completed.context.trigger = donation.context.trigger ?? known.trigger
            return completed
        }
    }
}
