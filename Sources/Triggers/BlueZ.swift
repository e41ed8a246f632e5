import HunchDBus

/// Follows BlueZ on the system bus through restarts of BlueZ and of the bus itself. BlueZ is never started by it.
///
/// Where there is no bus it is tried a few times and then left alone until its socket appears anew. Nothing is polled for
/// ever.
struct BlueZ: Sendable {
    /// The pauses before a bus that is missing is tried again: a socket's file is there a moment before anyone listens.
    static let pauses: [Duration] = [.milliseconds(250), .seconds(1), .seconds(4), .seconds(15)]

    private let loop: EventLoop
    private let socket: String?
    private let retries: [Duration]
    private let openBus: @Sendable () async throws -> Connection

    /// Describes what is followed; nothing is opened.
    ///
    /// - Parameters:
    ///   - socket: path of the bus's socket; nil when it is not known.
    ///   - openBus: opens a connection to the system bus, which is then closed by this.
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

    /// Delivers the present state and then every other one, until the task is cancelled.
    func run(_ deliver: @Sendable (BlueZState) async -> Void) async throws {
        let sleeper = Sleeper(on: loop)
        let watch = await SocketWatch(socket, on: loop, sleeper)
        do {
            try await follow(sleeper, deliver)
        } catch {
            await watch.close()
            throw error
        }
    }

    private func follow(_ sleeper: Sleeper, _ deliver: @Sendable (BlueZState) async -> Void) async throws {
        var failures = 0
        while true {
            var reason: String
            await sleeper.begin()
            do {
                let bus = try await openBus()
                let hasAnswered: Bool
                (reason, hasAnswered) = await follow(bus, deliver)
                // A bus that drops whoever connects is no better than none.
                if hasAnswered { failures = 0 }
                await bus.close()
            } catch let error as DBusError {
                reason = error.message
            } catch {
                reason = "the system bus cannot be reached: \(error)"
            }
            try Task.checkCancellation()
            await deliver(.unreachable(reason))
            await sleeper.sleep(atMost: failures < retries.count ? retries[failures] : nil)
            failures = await sleeper.isWorthTrying ? 0 : failures + 1
            try Task.checkCancellation()
        }
    }

    /// Follows BlueZ as long as the bus lasts. Returns why it ended, and whether the bus was of any use.
    private func follow(_ bus: Connection, _ deliver: @Sendable (BlueZState) async -> Void) async -> (String, Bool) {
        var last: BlueZState?
        do {
            while await bus.isOpen, !Task.isCancelled {
                var tree = BluetoothTree()
                for await event in try await ObjectTree(of: "org.bluez", at: "/", on: bus).events() {
                    guard tree.apply(event) else { break }
                    if tree.state != last {
                        last = tree.state
                        await deliver(tree.state)
                    }
                }
            }
        } catch let error as DBusError {
            return (error.message, last != nil)
        } catch {
            return ("the system bus does not answer: \(error)", last != nil)
        }
        return (await bus.closed()?.message ?? "it is no longer followed", last != nil)
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
