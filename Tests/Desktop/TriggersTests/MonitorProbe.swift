import EventLoops
import HunchDBus
import HunchModel
import TestSupport
import Triggers

/// A running monitor, and its events so far.
struct MonitorProbe: Sendable {
    let monitor: TriggerMonitor
    let events: Watched<[TriggerEvent]>

    /// Waits for a number of events, and returns them as `ready ID`, `returned ID`, `lost ID`.
    func events(_ count: Int) async throws -> [String] {
        try await withDeadline(.seconds(60), "event number \(count) after \(events.state.map(Self.name))") {
            try await events.wait { $0.count >= count ? $0.map(Self.name) : nil }
        }
    }

    /// Waits until a condition holds for the status.
    func status(_ what: String, _ isWanted: (TriggerStatus) -> Bool) async throws {
        do {
            _ = try await eventually(what, because: "a status is asked for, not announced") {
                let status = await monitor.status()
                return isWanted(status) ? status : nil
            }
        } catch {
            let status = await monitor.status()
            throw BenchError("\(error); devices: \(status.devices), default: \(status.defaultOutput ?? "none")")
        }
    }

    private static func name(_ event: TriggerEvent) -> String {
        switch event {
        case .deviceReady(let device, _): "ready \(device.id)"
        case .deviceReconnected(let device, _, _): "returned \(device.id)"
        case .deviceRegained(let device, _): "regained \(device.id)"
        case .deviceDisconnected(let device, _): "lost \(device.id)"
        }
    }
}

/// Runs a monitor while `body` does.
///
/// - Parameters:
///   - bus: returns the system bus each time that the monitor opens one; `nil` for none.
///   - runtimeDirectory: the folder of the audio server's socket.
func withMonitor<Value>(
    bus: @escaping @Sendable () -> BusAddress?, runtimeDirectory: String,
    timing: GateTiming = GateTiming(settle: .milliseconds(200), rejoin: .seconds(10), warmUp: .milliseconds(100)),
    _ body: (MonitorProbe) async throws -> Value
) async throws -> Value {
    let loop = try EventLoop()
    try loop.start()
    defer { loop.stop() }
    let monitor = TriggerMonitor(
        loop: loop, timing: timing, pulseServer: "unix:\(runtimeDirectory)/pulse/native", environment: { _ in nil }
    ) {
        guard let address = bus() else { throw DBusError(.noServer, "there is no system bus") }
        return try await Connection.open(address, on: loop)
    }
    let probe = MonitorProbe(monitor: monitor, events: Watched([]))
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await monitor.run() }
        group.addTask {
            for await event in monitor.events {
                // Most tests are about connections.
                if case .deviceRegained = event { continue }
                probe.events.update { $0.append(event) }
            }
        }
        defer { group.cancelAll() }
        return try await body(probe)
    }
}
