internal import CDBus
internal import Glibc

/// The process behind a connection, according to the bus, the process's unit and its files in `/proc`.
public struct CallerIdentity: Hashable, Sendable {
    /// The confinement of a process, if known.
    public enum Confinement: Hashable, Sendable {
        /// The process is sandboxed: its unit belongs to Flatpak or Snap, its root directory or mounts differ from the
        /// session's, it is the bus proxy of a sandbox, or its files cannot be read.
        case sandboxed
        /// The process is not sandboxed, and the desktop or the user manager started it as an app.
        case unsandboxed
        /// The process is in no known sandbox, but its unit is not that of an app.
        case unknown
    }

    /// The unique name of the connection.
    public var name: BusName
    /// The Unix user of the process.
    public var userID: UInt32?
    /// The process ID when the connection was made.
    public var processID: UInt32?
    /// The systemd unit of the process.
    public var unit: String?
    /// The desktop identifier of the app, without `.desktop`; `nil` if the unit names none. Also `nil` in a sandbox
    /// that the unit does not reveal, because the unit may belong to a launcher outside.
    public var application: String?
    /// The confinement of the process.
    public var confinement: Confinement

    /// Creates an identity.
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

extension CallerIdentity {
    /// Returns the desktop identifier of the app that a systemd unit belongs to, or `nil` if the unit's name has none.
    public static func application(ofUnit unit: String) -> String? { ControlGroup.parse(unit: unit).application }
}

extension Connection {
    /// Returns the process behind a name, according to its files in `/proc`.
    ///
    /// A process that reuses the process ID is not mistaken for the caller. If the bus provides a pidfd, the pidfd
    /// shows whether the process still lives after its files were read. Otherwise the bus is asked again. The bus's
    /// answer about a unique name is cached while the process lives. Its files are read each time.
    ///
    /// - Throws: ``DBusError`` with the name `…NameHasNoOwner` if the connection has gone and is not cached; others if
    ///   the bus has.
    public func identity(of name: BusName) async throws -> CallerIdentity {
        let outside = await outside()
        if let known = knownProcesses[name] {
            let identity = Self.identity(of: name, user: known.user, process: known.number, outside)
            if ProcessFiles.start(of: known.number) == known.start { return identity }
        }
        let before = try await credentials(of: name)
        guard let process = before.process, process != 0 else {
            return CallerIdentity(name: name, userID: before.user, processID: before.process)
        }
        let identity = Self.identity(of: name, user: before.user, process: process, outside)
        let start = ProcessFiles.start(of: process)
        let isSame: Bool
        if let handle = before.handle {
            isSame = Self.isRunning(handle)
        } else {
            let after = try await credentials(of: name)
            isSame = after.process == before.process && after.user == before.user
        }
        guard isSame, let start else {
            return CallerIdentity(name: name, userID: before.user, processID: process, confinement: .sandboxed)
        }
        knownProcesses.remember(KnownProcesses.Process(user: before.user, number: process, start: start), of: name)
        return identity
    }

    private static func identity(
        of name: BusName, user: UInt32?, process: UInt32, _ outside: Outside
    ) -> CallerIdentity {
        var identity = CallerIdentity(name: name, userID: user, processID: process)
        let groups = ProcessFiles.groups(of: process)
        if let groups, let unit = ControlGroup.unit(in: groups) {
            let parsed = ControlGroup.parse(unit: unit, isOfSession: ControlGroup.isOfSession(groups))
            identity.unit = unit
            identity.application = parsed.application
            identity.confinement = parsed.confinement
        }
        if identity.confinement != .sandboxed, groups == nil || !outside.contains(process) {
            identity.application = nil
            identity.confinement = .sandboxed
        }
        return identity
    }

    /// Returns the root and mounts outside sandboxes: this program's own, and those of the bus, because this program's
    /// unit may have its own mounts.
    private func outside() async -> Outside {
        if let known = knownProcesses.outside { return known }
        let bus = try? await credentials(of: .bus).process
        let outside = Outside(bus: bus)
        knownProcesses.outside = outside
        return outside
    }

    private struct Credentials {
        var user: UInt32?
        var process: UInt32?
        /// A pidfd, from dbus-daemon 1.15.8 and dbus-broker 34 on.
        var handle: UnixDescriptor?
    }

    /// Returns whether the process of a pidfd lives. A pidfd becomes readable when its process ends.
    private static func isRunning(_ handle: UnixDescriptor) -> Bool {
        handle.withDescriptor { descriptor in
            var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            return poll(&state, 1, 0) == 0
        }
    }

    private func credentials(of name: BusName) async throws -> Credentials {
        let all: VariantMap = try await call(.bus, .bus, .bus, "GetConnectionCredentials", name.text)
        return Credentials(
            user: try all.value("UnixUserID"), process: try all.value("ProcessID"), handle: try all.value("ProcessFD"))
    }
}

/// Reads unit and app names from `/proc/PID/cgroup`.
///
/// Source: systemd's “Desktop Environment Integration” (`app[-LAUNCHER]-ID[@RANDOM].service`,
/// `app[-LAUNCHER]-ID-RANDOM.scope`, and `session.slice` for the parts of the desktop itself), dbus-broker's
/// `dbus-:N.N-NAME@N.service`, and snapd's `snap.NAME.APP-UUID.scope` and `snap.NAME.APP.service`.
enum ControlGroup {
    static func unit(in groups: String) -> String? { path(in: groups).last(where: isUnit).map(String.init) }

    /// Returns whether the unit is a part of the desktop, such as a shell: a service directly in the user manager's
    /// `session.slice`. Launched apps are never put there.
    static func isOfSession(_ groups: String) -> Bool {
        let path = path(in: groups)
        guard let last = path.lastIndex(where: isUnit), path[last].hasSuffix(".service"), last >= 2 else {
            return false
        }
        return path[last - 1] == "session.slice" && path[last - 2].hasPrefix("user@")
    }

    private static func path(in groups: String) -> [Substring] {
        // The line of the unified hierarchy begins with “0::”. On mixed systems, systemd's own has the name “systemd”.
        let lines = groups.split(separator: "\n")
        let line = lines.first { $0.hasPrefix("0::") && $0 != "0::/" } ?? lines.first { $0.contains(":name=systemd:") }
        let path = line.flatMap { $0.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).last }
        return path?.split(separator: "/") ?? []
    }

    private static func isUnit(_ element: Substring) -> Bool {
        element.hasSuffix(".service") || element.hasSuffix(".scope")
    }

    static func parse(
        unit: String, isOfSession: Bool = false
    ) -> (application: String?, confinement: CallerIdentity.Confinement) {
        let name = unit[..<(unit.lastIndex(of: ".") ?? unit.endIndex)]
        let isScope = unit.hasSuffix(".scope")
        if name.hasPrefix("dbus-:") { return known(busService(name.dropFirst(6)), .unsandboxed) }
        if name.hasPrefix("snap.") { return (snap(name.dropFirst(5), isScope), .sandboxed) }
        if isOfSession { return known(unescape(name[..<(name.lastIndex(of: "@") ?? name.endIndex)]), .unsandboxed) }
        guard name.hasPrefix("app-") else { return (nil, .unknown) }
        let rest = name.dropFirst(4)
        // Flatpak's launcher names itself. It never launches outside the sandbox, so this can be trusted.
        let isSandboxed = rest.prefix { $0 != "-" }.lowercased() == "flatpak"
        let application = app(rest, isScope, launcherRequired: isSandboxed)
        return isSandboxed ? (application, .sandboxed) : known(application, .unsandboxed)
    }

    private static func known(
        _ application: String?, _ confinement: CallerIdentity.Confinement
    ) -> (application: String?, confinement: CallerIdentity.Confinement) {
        (application, application == nil ? .unknown : confinement)
    }

    /// Returns the app of `N.N-NAME@N`.
    private static func busService(_ name: Substring) -> String? {
        guard let dash = name.firstIndex(of: "-") else { return nil }
        let name = name[name.index(after: dash)...]
        return unescape(name[..<(name.lastIndex(of: "@") ?? name.endIndex)])
    }

    /// Returns the app of a service (`[LAUNCHER-]ID[@RANDOM]`) or of a scope (`[LAUNCHER-]ID-RANDOM`).
    private static func app(_ name: Substring, _ isScope: Bool, launcherRequired: Bool) -> String? {
        var name = name
        if isScope {
            guard let dash = name.lastIndex(of: "-") else { return nil }
            name = name[..<dash]
        } else if let at = name.lastIndex(of: "@") {
            name = name[..<at]
        }
        // Dashes within the identifier are escaped.
        let parts = name.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= (launcherRequired ? 2 : 1), let last = parts.last else { return nil }
        return unescape(last)
    }

    /// Returns the desktop identifier `NAME_APP` of `NAME.APP`, which a UUID follows in a scope.
    private static func snap(_ name: Substring, _ isScope: Bool) -> String? {
        let uuid = 36
        let parts = (isScope ? name.dropLast(uuid + 1) : name).split(separator: ".", omittingEmptySubsequences: false)
        // Hooks of a snap are not apps.
        guard parts.count == 2, !parts.contains("") else { return nil }
        return "\(parts[0])_\(parts[1])"
    }

    /// Undoes systemd's `\xNN` escapes. Returns `nil` if the text is empty or the result is not UTF-8.
    private static func unescape(_ text: Substring) -> String? {
        if text.isEmpty { return nil }
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\"), rest.first == UInt8(ascii: "x"), rest.count >= 3 {
                let digits = String(decoding: rest.dropFirst().prefix(2), as: UTF8.self)
                guard let value = UInt8(digits, radix: 16), value != 0 else { return nil }
                bytes.append(value)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
