public import HunchDBus
internal import HunchModel

/// Watches for the moments at which a person may want something: a device to play on that is ready.
///
///     let monitor = TriggerMonitor(loop: loop) { try await Connection.open(.system(), on: loop) }
///     async let watching: Void = monitor.run()
///     for await event in monitor.events { … }
///
/// It starts neither BlueZ nor an audio server, survives restarts of both, and wakes up only when they say something.
/// When an event is given is told in ``GateTiming`` and by ``HoldReason``:
/// a Bluetooth device has to be connected according to BlueZ while BlueZ is there, any device has to be the active
/// default output, and both have to hold for the settle time. A device that was there before the monitor looked is
/// listed in ``status()`` and gives no event before it has gone.
public actor TriggerMonitor {
    /// What happened, for one reader. At most 64 events wait for it, then the oldest go. It ends with ``run()``.
    public nonisolated let events: AsyncStream<TriggerEvent>

    /// The loop's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let loop: EventLoop
    private let blueZ: BlueZ
    private let audio: AudioRoutes
    private let sink: AsyncStream<TriggerEvent>.Continuation
    private var gate: RouteReadyGate
    private var timer: LoopTimer?
    private var isBlueZKnown = false
    private var isAudioKnown = false
    /// Who waits for the first look, by number.
    private var lookers: [Int: (continuation: CheckedContinuation<Void, Never>, timer: LoopTimer)] = [:]
    private var lastLooker = 0
    private let start = ContinuousClock.now

    /// Describes what is watched; nothing is opened.
    ///
    /// - Parameters:
    ///   - loop: a running loop, on which everything happens.
    ///   - timing: how long things have to last before they count.
    ///   - pulseServer: the audio server in libpulse's notation; `nil` for what its configuration says.
    ///   - environment: looks an environment variable up, to find the sockets of the audio server and of the
    ///     system bus.
    ///   - openSystemBus: opens a connection to the system bus that is the monitor's own, which closes it.
    public init(
        loop: EventLoop, timing: GateTiming = GateTiming(), pulseServer: String? = nil,
        environment: @Sendable (String) -> String? = BusAddress.processEnvironment,
        openSystemBus: @escaping @Sendable () async throws -> Connection
    ) {
        self.loop = loop
        gate = RouteReadyGate(timing: timing)
        blueZ = BlueZ(SystemBusFollower(on: loop, environment: environment, openBus: openSystemBus))
        audio = AudioRoutes(on: loop, server: pulseServer, environment: environment)
        (events, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64))
    }

    /// Watches until the task is cancelled. To be called once.
    ///
    /// - Throws: `CancellationError`; nothing else ends it.
    public func run() async throws {
        defer {
            if let timer { loop.cancel(timer) }
            timer = nil
            sink.finish()
            endLooks()
        }
        try await withThrowingTaskGroup { group in
            group.addTask { try await self.blueZ.run { await self.receive($0) } }
            group.addTask { try await self.audio.run { await self.receive($0) } }
            try await group.waitForAll()
        }
    }

    /// How everything stands at this moment.
    public func status() -> TriggerStatus {
        TriggerStatus(gate, isBlueZKnown: isBlueZKnown, isAudioKnown: isAudioKnown, at: now)
    }

    /// Whether the audio server is, or was when it last answered, PipeWire.
    public var playsThroughPipeWire: Bool { get async { await audio.isPipeWire } }

    /// Waits until BlueZ and the audio server have been looked at once, so that ``status()`` tells what is there.
    ///
    /// - Parameter limit: how long to wait at most; a source that hangs stays ``TriggerStatus/Source/unknown``.
    public func firstLook(atMost limit: Duration) async {
        guard !(isBlueZKnown && isAudioKnown) else { return }
        lastLooker += 1
        let number = lastLooker
        await withCheckedContinuation { continuation in
            let timer = loop.schedule(after: limit) { [weak self] in self?.assumeIsolated { $0.endLook(number) } }
            lookers[number] = (continuation, timer)
        }
    }

    private func endLook(_ number: Int) {
        guard let looker = lookers.removeValue(forKey: number) else { return }
        loop.cancel(looker.timer)
        looker.continuation.resume()
    }

    private func endLooks() {
        for number in lookers.keys.sorted() { endLook(number) }
    }

    private func receive(_ state: BlueZState) async {
        isBlueZKnown = true
        perform(gate.receive(state, at: now))
        if isAudioKnown { endLooks() }
        // A server that did not answer when it was last tried may answer by the time somebody needs it.
        if case .present(let devices) = state, devices.contains(where: \.isConnected) { await audio.lookAgain() }
    }

    private func receive(_ state: AudioState) {
        isAudioKnown = true
        perform(gate.receive(state, at: now))
        if isBlueZKnown { endLooks() }
    }

    private func perform(_ decisions: [GateDecision]) {
        for decision in decisions {
            if let event = TriggerEvent(decision, at: .now) { sink.yield(event) }
        }
        if let timer { loop.cancel(timer) }
        timer = gate.nextDeadline.map { deadline in
            loop.schedule(after: max(.zero, deadline - now)) { [weak self] in
                self?.assumeIsolated { monitor in
                    monitor.timer = nil
                    monitor.perform(monitor.gate.advance(to: monitor.now))
                }
            }
        }
    }

    /// The time since the monitor was made. It goes on while the machine sleeps: headphones that come back in the
    /// morning have not been away for a few seconds.
    private var now: Duration { start.duration(to: .now) }
}
