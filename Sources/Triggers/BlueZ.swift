import HunchDBus

/// Follows BlueZ on the system bus through restarts of BlueZ and of the bus itself. BlueZ is never started by it.
struct BlueZ: Sendable {
    private let follower: SystemBusFollower
    private let sign: @Sendable (BlueZSign) async -> Void

    /// Describes what is followed; nothing is opened.
    ///
    /// - Parameter sign: told of what BlueZ shows before anything is made of it.
    init(_ follower: SystemBusFollower, sign: @escaping @Sendable (BlueZSign) async -> Void = { _ in }) {
        self.follower = follower
        self.sign = sign
    }

    /// Delivers the present state and then every other one, until the task is cancelled.
    func run(_ deliver: @Sendable (BlueZState) async -> Void) async throws {
        try await follower.run { bus in
            await follow(bus, deliver)
        } unreachable: { reason in
            await sign(.unreachable(reason))
            await deliver(.unreachable(reason))
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
                    await sign(.event(event))
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
