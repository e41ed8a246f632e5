public import HunchDBus

/// Where the machine's power comes from.
public enum PowerSource: String, CaseIterable, Hashable, Sendable {
    /// Its battery, or one that it hangs on.
    case battery
    /// The mains.
    case mains
}

/// Follows the power supply through UPower, which is not started by it.
///
/// Source: UPower's reference, the property `OnBattery` of `org.freedesktop.UPower`.
public struct PowerSupply: Sendable {
    /// Describes what is followed.
    public init() {}

    /// Delivers the source now and after each change, as long as the connection lasts; `nil` while UPower does not run.
    ///
    /// - Throws: ``DBusError`` when the bus refuses the subscription; `CancellationError`.
    public func follow(_ bus: Connection, _ deliver: @Sendable (PowerSource?) async -> Void) async throws {
        let upower = Proxy(bus, "org.freedesktop.UPower", "/org/freedesktop/UPower")
        for await properties in try await PropertyCache(upower, "org.freedesktop.UPower").snapshots() {
            let isOnBattery = try? properties?.value("OnBattery", as: Bool.self)
            await deliver(isOnBattery.map { $0 ? .battery : .mains })
        }
    }
}
