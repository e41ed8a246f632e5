internal import FoundationEssentials
internal import HunchDBus
internal import HunchModel
internal import Triggers

/// The current context, for recording and suggesting.
actor PresentContext {
    /// The maximum distance of a donation's date from now to belong to the current context, in seconds.
    private static let justNow = 60.0
    /// The maximum number of waiting triggers. The oldest are dropped.
    private static let waitingOccasions = 16

    private let configuration: AgentConfiguration
    private let loop: EventLoop
    private let place: PlaceFeature
    private let session: SessionFeature
    private let features: [any ContextFeature]
    private let openBus: @Sendable () async throws -> Connection
    private let sessionBus: Connection?
    /// The device that sound goes to since it got ready, and when that was.
    private var inUse: (device: AudioDevice, ready: Happening)?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Parameter sessionBus: where launched apps and screen savers are told of; `nil` in a replay, which tells of apps
    ///   itself.
    init(
        configuration: AgentConfiguration, loop: EventLoop, history: HistoryKeeper, sessionBus: Connection?
    ) {
        self.configuration = configuration
        self.loop = loop
        self.sessionBus = sessionBus
        let address = configuration.systemBus()
        openBus = { try await Connection.open(address, on: loop) }
        place = PlaceFeature(configuration: configuration, loop: loop, history: history, openBus: openBus)
        session = SessionFeature(loop: loop, now: configuration.now)
        features = [PowerFeature(loop: loop), session, place, LaunchFeature(loop: loop, sessionBus: sessionBus)]
    }

    /// Follows everything that is told on the system bus, and what covers the screen, until cancelled.
    ///
    /// - Parameter consider: called for one occasion after the other.
    func run(
        note: @escaping @Sendable (String) async -> Void, consider: @escaping @Sendable (Occasion) async -> Void
    ) async {
        await place.setNote(note)
        let follower = SystemBusFollower(
            on: loop, environment: { [configuration] in configuration.environment[$0] }, openBus: openBus)
        let (occasions, sink) = AsyncStream.makeStream(
            of: Occasion.self, bufferingPolicy: .bufferingNewest(Self.waitingOccasions))
        await withTaskGroup(of: Void.self) { [features] group in
            group.addTask {
                // It ends by being cancelled; that there is no system bus is told by those who follow devices.
                try? await follower.run { bus in
                    let hasAnswered = (try? await bus.names()) != nil
                    await withTaskGroup(of: Void.self) { group in
                        for feature in features {
                            group.addTask {
                                do { try await feature.follow(bus) { sink.yield($0) } } catch is CancellationError {
                                } catch {
                                    await note("“\(feature.name)” is not known: \(error)")
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
                    try await session.followSavers(sessionBus) { sink.yield($0) }
                } catch is CancellationError {} catch { await note("what covers the screen is not known: \(error)") }
            }
            group.addTask { for await occasion in occasions { await consider(occasion) } }
        }
    }

    /// Applies an observation from a trace, as ``run(note:consider:)`` does those from the bus.
    ///
    /// - Returns: the triggers at which something may be suggested.
    func take(_ sign: TriggerSign) async -> [Occasion] {
        let (occasions, sink) = AsyncStream.makeStream(of: Occasion.self)
        for feature in features { await feature.take(sign) { sink.yield($0) } }
        sink.finish()
        return await occasions.reduce(into: []) { $0.append($1) }
    }

    /// Updates the context after the time of a trace has passed.
    func passTime() async { await place.pass() }

    /// The circumstances now.
    ///
    /// - Parameters:
    ///   - device: the device that something is done on; `nil` for what is done on none, in which the one in use is told.
    ///   - trigger: what just happened; `nil` for the device that is given, or whatever happened last.
    func now(device: AudioDevice? = nil, trigger: Trigger? = nil) async -> Context {
        let date = configuration.now()
        var context = Context(at: date, device: device)
        context.device = context.device ?? inUse?.device.id
        var latest = inUse.flatMap { $0.ready.isRecent(at: date) ? $0.ready : nil }
        for feature in features {
            context.further[feature.name] = await feature.value(at: date)
            let happening = await feature.happening(at: date)
            if let happening, latest.map({ $0.date <= happening.date }) ?? true { latest = happening }
        }
        context.trigger = trigger ?? context.trigger ?? latest?.trigger
        return context
    }

    /// Says who is told whether the person sees the screen: their session is unlocked and in front, and no screen saver
    /// covers it. While nobody tells, they do.
    func setScreen(_ tell: @escaping @Sendable (_ isSeen: Bool) async -> Void) async { await session.setScreen(tell) }

    /// Sets the device in use.
    ///
    /// - Parameter isBack: whether it reconnected after a short time.
    func use(_ device: AudioDevice, isBack: Bool) {
        let date = isBack ? Date.distantPast : configuration.now()
        inUse = (device, Happening(trigger: .device(device.id), date: date))
    }

    /// Clears the device in use. `nil` clears any device.
    func lose(_ device: AudioDevice.ID?) {
        if device == nil || device == inUse?.device.id { inUse = nil }
    }

    /// The position of the person, as far as it is known.
    func position() async -> Position? { await place.present }

    /// Returns the state of the location for `hunch status`.
    func location() async -> String { await place.standing }

    /// Begins or ends following what the person allowed or forbade.
    func settingsChanged() async throws { try await place.settingsChanged() }

    /// Drops what is in mind, so that nothing of it is written down later.
    ///
    /// - Parameter ofPlaces: also of where the person is now.
    func dropMemory(ofPlaces: Bool) async { await place.dropMemory(andPosition: ofPlaces) }

    /// Takes up what is left after something was forgotten.
    func reload() async { await place.reload() }

    /// The same donations, and for those of just now what is known of this moment.
    func completed(_ donations: [Donation]) async -> [Donation] {
        let date = configuration.now()
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
