internal import CDBus
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

extension CallerIdentity {
    /// The desktop identifier of the app that a systemd unit belongs to, by the unit's name; `nil` when it tells none.
    public static func application(ofUnit unit: String) -> String? { ControlGroup.parse(unit: unit).application }
}

extension Connection {
    /// Finds out who is behind a name, from its process's control group.
    ///
    /// A process that took the number of the caller's over is not mistaken for it: where the bus gives a handle of the
    /// process, that tells whether it still lives after its files were read; elsewhere the bus is asked again whether
    /// the connection does. What the bus told of a unique name is remembered, so that it is not asked as long as that
    /// process lives; its control group is looked at each time.
    ///
    /// - Throws: ``DBusError`` with the name `…NameHasNoOwner` when the connection has gone and nothing is remembered of
    ///   it, or when the bus is.
    public func identity(of name: BusName) async throws -> CallerIdentity {
        if let known = knownProcesses[name], let groups = ProcessFiles.groups(of: known.number),
            ProcessFiles.start(of: known.number) == known.start
        {
            return Self.identity(of: name, user: known.user, process: known.number, in: groups)
        }
        let before = try await credentials(of: name)
        guard let process = before.process, let groups = ProcessFiles.groups(of: process) else {
            return CallerIdentity(name: name, userID: before.user, processID: before.process)
        }
        let start = ProcessFiles.start(of: process)
        let isSame: Bool
        if let handle = before.handle {
            isSame = Self.isRunning(handle)
        } else {
            let after = try await credentials(of: name)
            isSame = after.process == before.process && after.user == before.user
        }
        guard isSame else { return CallerIdentity(name: name, userID: before.user, processID: process) }
        if let start {
            knownProcesses.remember(
                KnownProcesses.Process(user: before.user, number: process, start: start), of: name)
        }
        return Self.identity(of: name, user: before.user, process: process, in: groups)
    }

    private static func identity(
        of name: BusName, user: UInt32?, process: UInt32, in groups: String
    ) -> CallerIdentity {
        var identity = CallerIdentity(name: name, userID: user, processID: process)
        guard let unit = ControlGroup.unit(in: groups) else { return identity }
        let parsed = ControlGroup.parse(unit: unit, isOfSession: ControlGroup.isOfSession(groups))
        identity.unit = unit
        identity.application = parsed.application
        identity.confinement = parsed.confinement
        return identity
    }

    private struct Credentials {
        var user: UInt32?
        var process: UInt32?
        /// A pidfd, from dbus-daemon 1.15.8 and dbus-broker 34 on.
        var handle: UnixDescriptor?
    }

    /// A pidfd becomes readable when its process ends.
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

    /// Whether the unit is a part of the desktop, as a shell: a service right in the user manager's `session.slice`, into
    /// which nothing is put that is launched.
    static func isOfSession(_ groups: String) -> Bool {
        let path = path(in: groups)
        guard let last = path.lastIndex(where: isUnit), path[last].hasSuffix(".service"), last >= 2 else {
            return false
        }
        return path[last - 1] == "session.slice" && path[last - 2].hasPrefix("user@")
    }

    private static func path(in groups: String) -> [Substring] {
        // The unified hierarchy's line begins with “0::”; on mixed systems, systemd's own has the name “systemd”.
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
        // Some launchers tell of a sandbox; they never launch outside it, so that their word counts in any case.
        let isSandboxed = rest.prefix { $0 != "-" }.lowercased() == "flatpak"
        let application = app(rest, isScope, launcherRequired: isSandboxed)
        return isSandboxed ? (application, .sandboxed) : known(application, .unsandboxed)
    }

    private static func known(
        _ application: String?, _ confinement: CallerIdentity.Confinement
    ) -> (application: String?, confinement: CallerIdentity.Confinement) {
        (application, application == nil ? .unknown : confinement)
    }

    /// `N.N-NAME@N`
    private static func busService(_ name: Substring) -> String? {
        guard let dash = name.firstIndex(of: "-") else { return nil }
        let name = name[name.index(after: dash)...]
        return unescape(name[..<(name.lastIndex(of: "@") ?? name.endIndex)])
    }

    /// `[LAUNCHER-]ID[@RANDOM]` of a service, `[LAUNCHER-]ID-RANDOM` of a scope.
    private static func app(_ name: Substring, _ isScope: Bool, launcherRequired: Bool) -> String? {
        var name = name
        if isScope {
            guard let dash = name.lastIndex(of: "-") else { return nil }
            name = name[..<dash]
        } else if let at = name.lastIndex(of: "@") {
            name = name[..<at]
        }
        // Dashes within the identifier itself are escaped.
        let parts = name.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= (launcherRequired ? 2 : 1), let last = parts.last else { return nil }
        return unescape(last)
    }

    /// `NAME.APP`, of a scope with a UUID behind it; the desktop identifier is `NAME_APP`.
    private static func snap(_ name: Substring, _ isScope: Bool) -> String? {
        let uuid = 36
        let parts = (isScope ? name.dropLast(uuid + 1) : name).split(separator: ".", omittingEmptySubsequences: false)
        // Hooks of a snap are no apps.
        guard parts.count == 2, !parts.contains("") else { return nil }
        return "\(parts[0])_\(parts[1])"
    }

    /// Undoes systemd's `\xNN`; `nil` for what is empty or no text then.
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
