internal import Glibc

/// Who is behind a connection, as far as the bus and the system's unit names tell.
///
/// Unknown means least privilege: an identity whose ``unit`` is `nil` says nothing about a sandbox.
public struct CallerIdentity: Hashable, Sendable {
    /// How the process was started.
    public enum Confinement: Hashable, Sendable {
        /// Within a Flatpak, Snap or similar sandbox.
        case sandboxed
        /// By the desktop or the user manager, without a sandbox that is known.
        case unsandboxed
        /// Nothing is known.
        case unknown
    }

    /// Its unique name.
    public var name: BusName
    /// Its user.
    public var userID: UInt32?
    /// Its process, as the bus saw it when it connected.
    public var processID: UInt32?
    /// The systemd unit that it runs in.
    public var unit: String?
    /// Desktop identifier of the app, without `.desktop`.
    public var application: String?
    /// Whether it is sandboxed.
    public var confinement: Confinement

    /// Makes an identity.
    public init(
        name: BusName, userID: UInt32? = nil, processID: UInt32? = nil, unit: String? = nil,
        application: String? = nil, confinement: Confinement = .unknown
    ) {
        self.name = name
        self.userID = userID
        self.processID = processID
        self.unit = unit
        self.application = application
        self.confinement = confinement
    }
}

extension Connection {
    /// Finds out who is behind a name, from its process's control group.
    ///
    /// The process is asked for again after its files were read, so that a process that took the number over in the
    /// meantime is not mistaken for the caller.
    ///
    /// - Throws: ``DBusError`` with the name `…NameHasNoOwner` when the connection has gone.
    public func identity(of name: BusName) async throws -> CallerIdentity {
        let before = try await credentials(of: name)
        var identity = CallerIdentity(name: name, userID: before.user, processID: before.process)
        guard let process = before.process, let groups = Self.readFile("/proc/\(process)/cgroup", limit: 16_384) else {
            return identity
        }
        guard try await credentials(of: name) == before else { return identity }
        guard let unit = ControlGroup.unit(in: groups) else { return identity }
        let parsed = ControlGroup.parse(unit: unit)
        identity.unit = unit
        identity.application = parsed.application
        identity.confinement = parsed.confinement
        return identity
    }

    private struct Credentials: Equatable {
        var user: UInt32?
        var process: UInt32?
    }

    private func credentials(of name: BusName) async throws -> Credentials {
        let all: VariantMap = try await call(.bus, .bus, .bus, "GetConnectionCredentials", name.text)
        return Credentials(user: try all.value("UnixUserID"), process: try all.value("ProcessID"))
    }

    private static func readFile(_ path: String, limit: Int) -> String? {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { Glibc.close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: limit)
        let count = read(descriptor, &buffer, limit)
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }
}

/// Reads unit and app names from `/proc/PID/cgroup`.
///
/// Source: systemd's “Desktop Environment Integration” (`app[-LAUNCHER]-ID[@RANDOM].service`,
/// `app[-LAUNCHER]-ID-RANDOM.scope`) and dbus-broker's and dbus-daemon's `dbus-:N.N-NAME@N.service`.
enum ControlGroup {
    static func unit(in groups: String) -> String? {
        // The unified hierarchy's line begins with “0::”; on mixed systems, systemd's own has the name “systemd”.
        let lines = groups.split(separator: "\n")
        let line = lines.first { $0.hasPrefix("0::") && $0 != "0::/" } ?? lines.first { $0.contains(":name=systemd:") }
        let path = line.flatMap { $0.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).last }
        return path?.split(separator: "/").last { $0.hasSuffix(".service") || $0.hasSuffix(".scope") }.map(String.init)
    }

    static func parse(unit: String) -> (application: String?, confinement: CallerIdentity.Confinement) {
        var name = unit[..<(unit.lastIndex(of: ".") ?? unit.endIndex)]
        if unit.hasPrefix("dbus-:") {
            guard let dash = name.dropFirst(6).firstIndex(of: "-") else { return (nil, .unknown) }
            name = name[name.index(after: dash)...]
            name = name[..<(name.lastIndex(of: "@") ?? name.endIndex)]
            return (unescape(name), .unsandboxed)
        }
        guard unit.hasPrefix("app-") else { return (nil, .unknown) }
        name = name.dropFirst(4)
        if unit.hasSuffix(".scope") {
            guard let dash = name.lastIndex(of: "-") else { return (nil, .unknown) }
            name = name[..<dash]
        } else if let at = name.lastIndex(of: "@") {
            name = name[..<at]
        }
        // A launcher may stand in front; dashes within the identifier itself are escaped.
        let parts = name.split(separator: "-")
        guard let last = parts.last else { return (nil, .unknown) }
        let sandboxed = parts.count > 1 && ["flatpak", "snap"].contains(parts[0].lowercased())
        return (unescape(last), sandboxed ? .sandboxed : .unsandboxed)
    }

    /// Undoes systemd's `\xNN`.
    private static func unescape(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\"), rest.first == UInt8(ascii: "x"), rest.count >= 3 {
                let digits = String(decoding: rest.dropFirst().prefix(2), as: UTF8.self)
                guard let value = UInt8(digits, radix: 16) else { return nil }
                bytes.append(value)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
