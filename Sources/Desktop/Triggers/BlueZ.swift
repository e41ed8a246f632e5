import HunchDBus

/// Follows BlueZ on the system bus through restarts of BlueZ and of the bus. It never starts BlueZ.
struct BlueZ: Sendable {
    private let follower: SystemBusFollower
    private let observe: @Sendable (BlueZObservation) async -> Void

    /// Creates the follower without opening anything.
    ///
    /// - Parameter observe: called with each raw observation of BlueZ, before it is interpreted.
    init(_ follower: SystemBusFollower, observe: @escaping @Sendable (BlueZObservation) async -> Void = { _ in }) {
        self.follower = follower
        self.observe = observe
    }

    /// Delivers the current state and each change, until the task is cancelled.
    func run(_ deliver: @Sendable (BlueZState) async -> Void) async throws {
        try await follower.run { bus in
            await follow(bus, deliver)
        } unreachable: { reason in
            await observe(.unreachable(reason))
            await deliver(.unreachable(reason))
        }
    }

    /// Follows BlueZ until the bus connection ends. Returns the reason, and whether the bus ever answered.
    private func follow(_ bus: Connection, _ deliver: @Sendable (BlueZState) async -> Void) async -> (String, Bool) {
        var last: BlueZState?
        do {
            while await bus.isOpen, !Task.isCancelled {
                var tree = BluetoothTree()
                for await event in try await ObjectTree(of: "org.bluez", at: "/", on: bus).events() {
                    guard tree.apply(event) else { break }
                    await observe(.event(event))
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
        return (await bus.closed()?.message ?? "it is no longer watched", last != nil)
    }
}
