public import HunchDBus

/// Keeps a connection to the system bus of its own, through restarts of the bus.
///
/// Where there is no bus it is tried a few times and then left alone until its socket appears anew. Nothing is polled for
/// ever.
public struct SystemBusFollower: Sendable {
    /// The pauses before a bus that is missing is tried again: a socket's file is there a moment before anyone listens.
    static let pauses: [Duration] = [.milliseconds(250), .seconds(1), .seconds(4), .seconds(15)]

    private let loop: EventLoop
    private let socket: String?
    private let retries: [Duration]
    private let openBus: @Sendable () async throws -> Connection

    /// Describes what is followed; nothing is opened.
    ///
    /// - Parameters:
    ///   - loop: a running loop, on which everything happens.
    ///   - environment: looks an environment variable up, to find the socket.
    ///   - openBus: opens a connection to the system bus, which is then closed by this.
    public init(
        on loop: EventLoop, environment: @Sendable (String) -> String? = BusAddress.processEnvironment,
        openBus: @escaping @Sendable () async throws -> Connection
    ) {
        let socket = SystemBusSocket.path(of: BusAddress.system(environment: environment))
        self.init(on: loop, socket: socket, openBus: openBus)
    }

    /// - Parameters:
    ///   - socket: path of the bus's socket; nil when it is not known.
    ///   - retries: the pauses before it is tried again.
    init(
        on loop: EventLoop, socket: String?, retries: [Duration] = Self.pauses,
        openBus: @escaping @Sendable () async throws -> Connection
    ) {
        self.loop = loop
        self.socket = socket
        self.retries = retries
        self.openBus = openBus
    }

    /// Uses one connection after the other, until the task is cancelled.
    ///
    /// - Parameters:
    ///   - use: follows something as long as the connection lasts. Returns why it ended, and whether the bus was of any
    ///     use.
    ///   - unreachable: told why there is no bus, each time that there is none.
    /// - Throws: `CancellationError`; nothing else ends it.
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
                // A bus that drops whoever connects is no better than none.
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

/// Tells a sleeper when a socket appears.
private actor SocketWatch {
    private let loop: EventLoop
    private var watch: PathWatch?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

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
