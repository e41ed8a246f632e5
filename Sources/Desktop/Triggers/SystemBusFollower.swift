public import EventLoops
public import HunchDBus

/// Maintains its own connection to the system bus, through restarts of the bus.
///
/// If the bus is missing, it retries a few times and then waits for the socket to reappear, without polling.
public struct SystemBusFollower: Sendable {
    /// The pauses before retrying a missing bus. A socket's file exists a moment before the bus listens.
    static let pauses: [Duration] = [.milliseconds(250), .seconds(1), .seconds(4), .seconds(15)]

    private let loop: EventLoop
    private let socket: String?
    private let retries: [Duration]
    private let openBus: @Sendable () async throws -> Connection

    /// Creates the follower without opening anything.
    ///
    /// - Parameters:
    ///   - loop: a running loop, on which everything happens.
    ///   - environment: returns the value of an environment variable, to find the socket.
    ///   - openBus: opens a connection to the system bus, which the follower closes.
    public init(
        on loop: EventLoop, environment: @Sendable (String) -> String? = BusAddress.processEnvironment,
        openBus: @escaping @Sendable () async throws -> Connection
    ) {
        let socket = SystemBusSocket.path(of: BusAddress.system(environment: environment))
        self.init(on: loop, socket: socket, openBus: openBus)
    }

    /// - Parameters:
    ///   - socket: the path of the bus's socket; `nil` if unknown.
    ///   - retries: the pauses before the retries.
    init(
        on loop: EventLoop, socket: String?, retries: [Duration] = Self.pauses,
        openBus: @escaping @Sendable () async throws -> Connection
    ) {
        self.loop = loop
        self.socket = socket
        self.retries = retries
        self.openBus = openBus
    }

    /// Calls `use` with one connection after another until the task is cancelled.
    ///
    /// - Parameters:
    ///   - use: uses a connection until it ends. Returns the reason for the end, and whether the bus ever answered.
    ///   - unreachable: called with the reason each time that the bus is unreachable.
    /// - Throws: `CancellationError` only.
    public func run(
        _ use: @Sendable (Connection) async -> (reason: String, hasAnswered: Bool),
        unreachable: @Sendable (String) async -> Void = { _ in }
    ) async throws {
        let sleeper = Sleeper(on: loop)
        let watch = await SocketWatch(socket, on: loop, sleeper)
        do {
            try await follow(sleeper, use, unreachable)
        } catch {
            await watch.close()
            throw error
        }
    }

    private func follow(
        _ sleeper: Sleeper, _ use: @Sendable (Connection) async -> (reason: String, hasAnswered: Bool),
        _ unreachable: @Sendable (String) async -> Void
    ) async throws {
        var failures = 0
        while true {
            var reason: String
            await sleeper.begin()
            do {
                let bus = try await openBus()
                let hasAnswered: Bool
                (reason, hasAnswered) = await use(bus)
                // A bus that drops its clients without answering counts as a failure.
                if hasAnswered { failures = 0 }
                await bus.close()
            } catch let error as DBusError {
                reason = error.message
            } catch {
                reason = "the system bus cannot be reached: \(error)"
            }
            try Task.checkCancellation()
            await unreachable(reason)
            await sleeper.sleep(atMost: failures < retries.count ? retries[failures] : nil)
            failures = await sleeper.isWorthTrying ? 0 : failures + 1
            try Task.checkCancellation()
        }
    }
}

/// Wakes a sleeper when a socket appears.
private actor SocketWatch: LoopActor {
    let loop: EventLoop
    private var watch: PathWatch?

    init(_ socket: String?, on loop: EventLoop, _ sleeper: Sleeper) async {
        self.loop = loop
        watch = socket.map { path in
            PathWatch(path, on: loop) { [weak sleeper] in sleeper?.assumeIsolated { $0.lookAgain() } }
        }
    }

    func close() {
        watch?.close()
        watch = nil
    }
}
