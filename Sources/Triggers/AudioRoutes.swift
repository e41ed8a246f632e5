import HunchDBus

/// Follows the sinks of the audio server (PipeWire's PulseAudio server or PulseAudio itself) through its restarts.
///
/// It starts no server. While there is none it waits for the server's socket to appear; it tries the socket for some
/// seconds then, and again when it appears anew or ``lookAgain()`` is called. Nothing is polled for ever.
actor AudioRoutes {
    /// The pauses before the attempts to connect: a socket's file is there a moment before anyone listens.
    static let pauses: [Duration] = [
        .zero, .milliseconds(50), .milliseconds(250), .seconds(1), .seconds(4), .seconds(15),
    ]

    private let loop: EventLoop
    private let server: String?
    private let socket: String?
    private let sleeper: Sleeper
    private var isConnected = false
    /// Whether the server is PipeWire's; also once it was and is being started again.
    private(set) var isPipeWire = false

    /// The loop's executor.
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Describes what is followed; nothing is opened.
    ///
    /// - Parameters:
    ///   - server: libpulse's server string; nil for what its configuration and environment say.
    ///   - environment: looks a variable up, to find the socket that libpulse will use.
    init(on loop: EventLoop, server: String?, environment: @Sendable (String) -> String?) {
        self.loop = loop
        self.server = server
        sleeper = Sleeper(on: loop)
        socket = AudioServerAddress.socket(of: server, environment: environment)
    }

    /// Delivers the present state and then every other one, until the task is cancelled.
    func run(_ deliver: @Sendable (AudioState) async -> Void) async throws {
        while true {
            let reason = await reach(deliver)
            try Task.checkCancellation()
            await deliver(.unreachable(reason))
        }
    }

    /// Tries to connect now, if there is no connection and none is being tried: something happened that suggests a
    /// server.
    func lookAgain() {
        guard !isConnected else { return }
        sleeper.assumeIsolated { $0.lookAgain() }
    }

    /// Connects, at the latest when something suggests that it is possible, and follows the server as long as it lasts.
    ///
    /// - Returns: why the connection ended, or why there is none for now.
    private func reach(_ deliver: @Sendable (AudioState) async -> Void) async -> String {
        let watch = socket.map { path in
            PathWatch(path, on: loop) { [weak self] in self?.assumeIsolated { $0.lookAgain() } }
        }
        defer { watch?.close() }
        var told: String?
        while !Task.isCancelled {
            await sleeper.begin()
            for pause in Self.pauses {
                if pause > .zero { await sleeper.sleep(atMost: pause) }
                if Task.isCancelled { break }
                let (wasConnected, reason) = await session(deliver)
                if wasConnected { return reason }
                if told != reason, !Task.isCancelled {
                    told = reason
                    await deliver(.unreachable(reason))
                }
                if await sleeper.isWorthTrying { break }
            }
            await sleeper.sleep(atMost: nil)
        }
        return "it is no longer followed"
    }

    /// Connects and follows the server as long as it lasts.
    private func session(_ deliver: @Sendable (AudioState) async -> Void) async -> (wasConnected: Bool, String) {
        let (events, continuation) = AsyncStream<PulseSession.Event>.makeStream(bufferingPolicy: .bufferingNewest(8))
        let session = PulseSession(on: loop) { continuation.yield($0) }
        defer {
            session.close()
            isConnected = false
        }
        session.connect(to: server)
        var last: [AudioOutput]?
        for await event in events {
            switch event {
            case .ended(let reason): return (last != nil, reason)
            case .outputs(let outputs, let isPipeWire):
                isConnected = true
                self.isPipeWire = isPipeWire
                if outputs != last { await deliver(.present(outputs)) }
                last = outputs
            }
        }
        return (last != nil, "it is no longer followed")
    }
}
