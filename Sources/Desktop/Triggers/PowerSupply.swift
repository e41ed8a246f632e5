public import HunchDBus

/// The source of the machine's power.
public enum PowerSource: String, CaseIterable, Hashable, Sendable {
    /// The machine's own battery, or an uninterruptible power supply on battery.
    case battery
    /// The mains.
    case mains
}

/// Follows the power source through UPower, which it does not start.
public struct PowerSupply: Sendable {
    /// Creates the follower without contacting UPower.
    public init() {}

    /// Delivers the current source and each change until the connection ends; `nil` while UPower does not run.
    ///
    /// - Throws: ``DBusError`` if the bus refuses the subscription; `CancellationError`.
    public func follow(_ bus: Connection, _ deliver: @Sendable (PowerSource?) async -> Void) async throws {
        let upower = Proxy(bus, "org.freedesktop.UPower", "/org/freedesktop/UPower")
        for await properties in try await PropertyCache(upower, "org.freedesktop.UPower").snapshots() {
            let isOnBattery = try? properties?.value("OnBattery", as: Bool.self)
            await deliver(isOnBattery.map { $0 ? .battery : .mains })
        }
    }
}
