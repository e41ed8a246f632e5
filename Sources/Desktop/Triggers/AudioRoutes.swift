import EventLoops
import FoundationEssentials
import Glibc
import HunchDBus
import HunchModel

/// Follows the sinks and streams of the audio server (PipeWire's PulseAudio server or PulseAudio itself) through its restarts.
///
/// It never starts a server. Without one, it waits for the server's socket to appear, then tries to connect for some
/// seconds. It tries again when the socket reappears or ``lookAgain()`` is called, and never polls indefinitely.
actor AudioRoutes: LoopActor {
    /// The pauses before the attempts to connect. A socket's file exists a moment before the server listens.
    static let pauses: [Duration] = [
        .zero, .milliseconds(50), .milliseconds(250), .seconds(1), .seconds(4), .seconds(15),
    ]

    let loop: EventLoop
    private let server: String?
    private let socket: String?
    private let sleeper: Sleeper
    private var isConnected = false
    /// Whether the server is PipeWire's, or was before the current restart.
    private(set) var isPipeWire = false

    /// Creates the follower without opening anything.
    ///
    /// - Parameters:
    ///   - server: libpulse's server string; `nil` to use libpulse's configuration and environment.
    ///   - environment: returns the value of an environment variable, to find the socket that libpulse will use.
    init(on loop: EventLoop, server: String?, environment: @Sendable (String) -> String?) {
        self.loop = loop
        self.server = server
        sleeper = Sleeper(on: loop)
        socket = AudioServerAddress.socket(of: server, environment: environment)
    }

    /// Delivers the current state and each change, until the task is cancelled.
    func run(_ deliver: @Sendable (AudioObservation) async -> Void) async throws {
        while true {
            let reason = await reach(deliver)
            try Task.checkCancellation()
            await deliver(AudioObservation(state: .unreachable(reason)))
        }
    }

    /// Tries to connect now, unless connected or already trying. Called when something suggests that a server runs.
    func lookAgain() {
        guard !isConnected else { return }
        sleeper.assumeIsolated { $0.lookAgain() }
    }

    /// Connects as soon as a server seems to run, and follows it until the connection ends.
    ///
    /// - Returns: the reason that the connection ended.
    private func reach(_ deliver: @Sendable (AudioObservation) async -> Void) async -> String {
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
                    await deliver(AudioObservation(state: .unreachable(reason)))
                }
                if await sleeper.isWorthTrying { break }
            }
            await sleeper.sleep(atMost: nil)
        }
        return "it is no longer watched"
    }

    /// The date at which the server started, from the file with its process that both servers write next to their
    /// socket; `nil` without one.
    private var serverStart: Date? {
        guard let socket, let slash = socket.lastIndex(of: "/") else { return nil }
        var state = stat()
        // Non-zero: there is no such file.
        guard stat(socket[..<slash] + "/pid", &state) == 0 else { return nil }
        return Date(checkedSeconds: Double(state.st_mtim.tv_sec))
    }

    /// Tries to connect once, and follows the server until the connection ends.
    private func session(_ deliver: @Sendable (AudioObservation) async -> Void) async -> (wasConnected: Bool, String) {
        let (events, continuation) = AsyncStream<AudioObservation>.makeStream(bufferingPolicy: .bufferingNewest(8))
        let session = PulseSession(on: loop) { continuation.yield($0) }
        defer {
            session.close()
            isConnected = false
        }
        session.connect(to: server)
        var last: AudioObservation?
        var start: Date?
        for await var observation in events {
            if case .unreachable(let reason) = observation.state { return (last != nil, reason) }
            isConnected = true
            start = start ?? serverStart
            observation.serverStart = start
            isPipeWire = observation.isPipeWire
            if observation != last { await deliver(observation) }
            last = observation
        }
        return (last != nil, "it is no longer watched")
    }
}
