public import EventLoops
public import HunchDBus
internal import FoundationEssentials
internal import HunchModel

/// Watches audio devices, and reports when one becomes ready for playback, returns or disconnects.
///
///     let monitor = TriggerMonitor(loop: loop) { try await Connection.open(.system(), on: loop) }
///     async let watching: Void = monitor.run()
///     for await event in monitor.events { … }
///
/// It starts neither BlueZ nor an audio server, survives restarts of both, and wakes only when they report something.
///
/// A device must be the active default output, and a Bluetooth device must also be connected according to BlueZ while
/// BlueZ runs. Both must last for the settle time; see ``GateTiming`` and ``DeviceHold``. A device that was present
/// before the monitor looked is listed in ``status()``, but causes no event until it disconnects.
public actor TriggerMonitor: LoopActor {
    /// The events, for one reader. It buffers 64 events, then drops the oldest. It ends with ``run()``.
    public nonisolated let events: AsyncStream<TriggerEvent>

    /// The loop that executes the actor.
    public nonisolated let loop: EventLoop
    private let blueZ: BlueZ
    private let audio: AudioRoutes
    private let sink: AsyncStream<TriggerEvent>.Continuation
    private var gate: RouteReadyGate
    private var audioStreams = AudioStreams()
    private var timer: LoopTimer?
    private var isBlueZKnown = false
    private var isAudioKnown = false
    /// The tasks that wait for the first look, by number.
    private var lookers: [Int: (continuation: CheckedContinuation<Void, Never>, timer: LoopTimer)] = [:]
    private var lastLooker = 0
    private let start = ContinuousClock.now

    /// Creates the monitor without opening anything.
    ///
    /// - Parameters:
    ///   - loop: a running loop, on which everything happens.
    ///   - timing: the times that the gate waits.
    ///   - pulseServer: the audio server in libpulse's notation; `nil` to use libpulse's configuration.
    ///   - environment: returns the value of an environment variable, to find the sockets of both servers.
    ///   - openSystemBus: opens a connection to the system bus, which the monitor owns and closes.
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

    /// Watches until the task is cancelled. Call it once.
    ///
    /// - Throws: `CancellationError` only.
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

    /// Returns the current status.
    public func status() -> TriggerStatus {
        TriggerStatus(gate, isBlueZKnown: isBlueZKnown, isAudioKnown: isAudioKnown)
    }

    /// The streams of the audio server, and those that ended a moment ago; `nil` if it does not report streams.
    public var streams: [AudioStream]? { audioStreams.heard(at: now) }

    /// Whether the audio server is PipeWire, or was when it last answered.
    public var playsThroughPipeWire: Bool { get async { await audio.isPipeWire } }

    /// Waits until BlueZ and the audio server have both reported once, so that ``status()`` is complete.
    ///
    /// - Parameter limit: the maximum wait. A source that hangs stays ``TriggerStatus/Source/unknown``.
    public func firstLook(atMost limit: Duration) async {
        guard !(isBlueZKnown && isAudioKnown) else { return }
        lastLooker += 1
        let number = lastLooker
        await withCheckedContinuation { continuation in
            let timer = schedule(after: limit) { $0.endLook(number) }
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
        // An audio server that did not answer the last attempt may answer now that a device needs it.
        if case .present(let devices) = state, devices.contains(where: \.isConnected) { await audio.lookAgain() }
    }

    private func receive(_ observation: AudioObservation) {
        isAudioKnown = true
        audioStreams.receive(observation.streams, at: now)
        let age = observation.serverStart.map { Duration.clamping(seconds: Date().timeIntervalSince($0)) }
        perform(gate.receive(observation.state, age: age, at: now))
        if isBlueZKnown { endLooks() }
    }

    private func perform(_ decisions: [GateDecision]) {
        for decision in decisions {
            if let event = TriggerEvent(decision, at: .now) { sink.yield(event) }
        }
        if let timer { loop.cancel(timer) }
        timer = gate.nextDeadline.map { deadline in
            schedule(after: max(.zero, deadline - now)) { monitor in
                monitor.timer = nil
                monitor.perform(monitor.gate.advance(to: monitor.now))
            }
        }
    }

    /// The time since the monitor was created, including sleep of the machine. Otherwise, headphones that reconnect in
    /// the morning would appear to have been away for a few seconds.
    private var now: Duration { start.duration(to: .now) }
}
