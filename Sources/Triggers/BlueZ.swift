import HunchDBus

/// Follows BlueZ on the system bus through restarts of BlueZ and of the bus itself. BlueZ is never started by it.
struct BlueZ: Sendable {
    /// A bus that is missing is tried again after the first pause, then after twice as long each time, up to the last.
    static let pauses: ClosedRange<Duration> = .milliseconds(250) ... .seconds(600)

    private let loop: EventLoop
    private let openBus: @Sendable () async throws -> Connection

    /// Describes what is followed; nothing is opened.
    ///
    /// - Parameter openBus: opens a connection to the system bus, which is then closed by this.
    init(on loop: EventLoop, openBus: @escaping @Sendable () async throws -> Connection) {
        self.loop = loop
        self.openBus = openBus
    }

    /// Delivers the present state and then every other one, until the task is cancelled.
    func run(_ deliver: @Sendable (BlueZState) async -> Void) async throws {
        var pause = Self.pauses.lowerBound
        while true {
            var reason: String
            do {
                let bus = try await openBus()
                let began = MonotonicInstant.now
                reason = await follow(bus, deliver)
                // A bus that drops whoever connects is no better than none.
                if began.duration(to: .now) > .seconds(10) { pause = Self.pauses.lowerBound }
                await bus.close()
            } catch let error as DBusError {
                reason = error.message
            } catch {
                reason = "the system bus cannot be reached: \(error)"
            }
            try Task.checkCancellation()
            await deliver(.unreachable(reason))
            try await loop.sleep(for: pause)
            pause = min(pause * 2, Self.pauses.upperBound)
        }
    }

    /// Follows BlueZ as long as the bus lasts and returns why it ended.
    private func follow(_ bus: Connection, _ deliver: @Sendable (BlueZState) async -> Void) async -> String {
        do {
            var last: BlueZState?
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
            return error.message
        } catch {
            return "the system bus does not answer: \(error)"
        }
        return await bus.closed()?.message ?? "it is no longer followed"
    }
}
