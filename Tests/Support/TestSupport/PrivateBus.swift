public import Glibc

/// A message bus of a test's own; see ``withPrivateBus(_:serviceDirectories:_:)``.
public struct PrivateBus: Sendable {
    /// Which of the two well-known buses it stands in for.
    public enum Role: Sendable {
        case session, system

        var variable: String { self == .session ? "DBUS_SESSION_BUS_ADDRESS" : "DBUS_SYSTEM_BUS_ADDRESS" }
    }

    /// Which bus it is to the children that get its ``environment``.
    public let role: Role
    /// Where it listens, as libdbus writes addresses.
    public let address: String
    /// The `dbus-daemon` itself.
    public let daemon: Daemon

    /// The environment for using this bus.
    public var environment: [String: String] { [role.variable: address] }

    /// The process number of the `dbus-daemon`.
    public var processIdentifier: pid_t { daemon.processIdentifier }

    /// Kills the bus, as a crash would, and returns when it is gone.
    public func kill() async throws {
        daemon.signal(SIGKILL)
        try await daemon.waitForExit()
    }

    /// Waits until `name` has an owner on this bus.
    ///
    /// - Throws: `BenchError` after `limit`.
    public func waitForOwner(of name: String, within limit: Duration = .seconds(60)) async throws {
        let (seconds, _) = limit.components
        let answer = try await run(
            "gdbus", ["wait", "--session", "--timeout", "\(max(1, seconds))", name],
            environment: ["DBUS_SESSION_BUS_ADDRESS": address], within: limit + .seconds(5))
        guard answer.status == .exited(0) else {
            throw BenchError("nobody took the name \(name) within \(limit): \(answer.standardError)")
        }
    }
}

/// Runs a `dbus-daemon` of its own while `body` runs.
///
/// Everyone may own, call and watch everything on it, with the limits of a session bus. It starts no services but those
/// described in `serviceDirectories`.
///
/// - Parameters:
///   - role: whether children find it as the session bus or as the system bus.
///   - serviceDirectories: folders with D-Bus activation files.
///   - environment: what services that it starts find in their environment, laid over `Surroundings.environment`.
///     They always find the bus itself.
/// - Throws: what `body` throws, or `BenchError` if the bus does not start.
public nonisolated(nonsending) func withPrivateBus<Value>(
    _ role: PrivateBus.Role = .session, serviceDirectories: [String] = [], environment: [String: String] = [:],
    _ body: nonisolated(nonsending) (PrivateBus) async throws -> Value
) async throws -> Value {
    try await withTemporaryDirectory { directory in
        let configuration = try directory.write(
            busConfiguration(socket: directory.file("bus"), serviceDirectories: serviceDirectories), to: "bus.conf")
        let command = Command(
            "dbus-daemon",
            ["--nofork", "--nopidfile", "--nosyslog", "--print-address=1", "--config-file", configuration],
            environment: environment, ready: .line(containing: "unix:path=\(directory.file("bus"))"))
        return try await withDaemon(command) { daemon in
            let address = try await daemon.waitForLine(containing: "unix:path=")
            return try await body(PrivateBus(role: role, address: address, daemon: daemon))
        }
    }
}

/// The limits are those of dbus-daemon's own `session.conf`: a storm in a test must not be what meets them.
private func busConfiguration(socket: String, serviceDirectories: [String]) -> String {
    """
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig>
      <type>session</type>
      <listen>unix:path=\(socket)</listen>
      <auth>EXTERNAL</auth>
    \(serviceDirectories.map { "  <servicedir>\($0)</servicedir>" }.joined(separator: "\n"))
      <policy context="default">
        <allow send_destination="*" eavesdrop="true"/>
        <allow eavesdrop="true"/>
        <allow own="*"/>
        <allow user="*"/>
      </policy>
      <limit name="max_incoming_bytes">1000000000</limit>
      <limit name="max_incoming_unix_fds">250000000</limit>
      <limit name="max_outgoing_bytes">1000000000</limit>
      <limit name="max_outgoing_unix_fds">250000000</limit>
      <limit name="max_message_size">1000000000</limit>
      <limit name="service_start_timeout">120000</limit>
      <limit name="auth_timeout">240000</limit>
      <limit name="pending_fd_timeout">150000</limit>
      <limit name="max_completed_connections">100000</limit>
      <limit name="max_incomplete_connections">10000</limit>
      <limit name="max_connections_per_user">100000</limit>
      <limit name="max_pending_service_starts">10000</limit>
      <limit name="max_names_per_connection">50000</limit>
      <limit name="max_match_rules_per_connection">50000</limit>
      <limit name="max_replies_per_connection">50000</limit>
    </busconfig>
    """
}
