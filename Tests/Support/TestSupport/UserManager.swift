import FoundationEssentials
public import Glibc

/// A real systemd user manager without privileges, with a session bus and a home of its own; see ``withUserManager(_:)``.
///
/// It runs as `nobody` in its own namespaces. Process numbers inside and outside differ, so programs that look at
/// processes must be run with ``run(_:_:environment:)``.
public struct UserManager: Sendable {
    /// The user that the manager, the bus and all units run as.
    public static let user: uid_t = 65_534

    /// The folder that holds everything; it belongs to the user.
    public let directory: TemporaryDirectory
    /// The outer process of the manager, whose output has the output of the units.
    public let daemon: Daemon

    /// The address of the session bus. Root may use it too.
    public var busAddress: String { "unix:path=\(runtime)/bus" }
    /// `$HOME`.
    public var home: String { directory.file("home") }
    /// `$XDG_DATA_HOME`: `applications` and `dbus-1/services` are in here.
    public var data: String { home + "/.local/share" }
    /// `$XDG_CONFIG_HOME`.
    public var configuration: String { home + "/.config" }
    /// `$XDG_RUNTIME_DIR`.
    public var runtime: String { directory.file("run") }
    /// The one folder in `$XDG_DATA_DIRS`.
    public var systemData: String { directory.file("share") }
    /// The folder of the units.
    public var units: String { configuration + "/systemd/user" }

    /// The environment of units.
    public var environment: [String: String] { Self.environment(of: directory) }

    static func environment(of directory: TemporaryDirectory) -> [String: String] {
        let home = directory.file("home")
        let runtime = directory.file("run")
        return [
            "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC", "HOME": home,
            "XDG_RUNTIME_DIR": runtime, "XDG_DATA_HOME": home + "/.local/share", "XDG_CONFIG_HOME": home + "/.config",
            "XDG_STATE_HOME": home + "/.local/state", "XDG_CACHE_HOME": home + "/.cache",
            "XDG_DATA_DIRS": directory.file("share"), "XDG_CONFIG_DIRS": directory.file("etc"),
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(runtime)/bus",
            "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent/system-bus", "LD_LIBRARY_PATH": directory.file("lib"),
        ]
    }

    // MARK: Installing

    /// Writes a file that belongs to the user, making the folders between, and returns its path.
    ///
    /// - Parameter path: an absolute one, inside ``directory``.
    @discardableResult
    public func write(_ text: String, to path: String, mode: mode_t = 0o644) throws -> String {
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: path))
        chmod(path, mode)
        waitUntilWritten(path)
        var below = path
        while below.count > directory.path.count, below.hasPrefix(directory.path) {
            chown(below, Self.user, Self.user)
            below = String(below[..<(below.lastIndex(of: "/") ?? below.startIndex)])
        }
        return path
    }

    /// Copies a program to where the user may run it, and returns its path.
    public func install(program path: String) throws -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let copy = directory.file("bin/\(name)")
        try FileManager.default.createDirectory(atPath: directory.file("bin"), withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        chmod(copy, 0o755)
        waitUntilWritten(copy)
        return copy
    }

    /// Makes the manager and the bus read their files again.
    public func reload() async throws {
        try await systemctl("daemon-reload")
        _ = try await run(
            "busctl", ["--user", "call", "org.freedesktop.DBus", "/", "org.freedesktop.DBus", "ReloadConfig"]
        ).output()
    }

    // MARK: Running

    /// Runs a program as the user, alongside the manager, and returns what it wrote.
    public func run(
        _ executable: String, _ arguments: [String] = [], environment: [String: String] = [:]
    ) async throws -> CommandResult {
        let process = daemon.processIdentifier
        let inside = try await unshared(of: process)
        return try await TestSupport.run(
            "nsenter",
            [
                "--target", "\(inside)", "--mount", "--cgroup", "--pid=/proc/\(inside)/ns/pid_for_children", "--",
                "bash", "-c", enteringScript, "\(Self.user)", executable,
            ] + arguments, environment: self.environment.merging(environment) { $1 })
    }

    /// Runs `systemctl`.
    ///
    /// - Throws: `BenchError` with what it wrote if it fails.
    @discardableResult
    public func systemctl(_ arguments: String...) async throws -> String {
        try await run("systemctl", ["--user", "--no-pager"] + arguments).output()
    }

    /// Waits until `name` has an owner on the session bus.
    public func waitForOwner(of name: String) async throws {
        try await PrivateBus(role: .session, address: busAddress, daemon: daemon).waitForOwner(of: name)
    }

    private func unshared(of process: pid_t) async throws -> pid_t {
        let line = try await daemon.waitForLine(containing: "namespaces of ")
        guard let number = pid_t(line.dropFirst("namespaces of ".count)) else {
            throw BenchError("“\(line)” names no process")
        }
        return number
    }
}

/// Runs a systemd user manager while `body` runs. All its processes end with it.
///
/// It has the units that a bus needs and those that `body` writes to ``UserManager/units``, but none of this machine's.
///
/// - Throws: what `body` throws; `BenchError` without root, which alone may make the control group that a manager needs,
///   and when the manager does not start.
public nonisolated(nonsending) func withUserManager<Value>(
    _ body: nonisolated(nonsending) (UserManager) async throws -> Value
) async throws -> Value {
    guard geteuid() == 0 else {
        throw BenchError("tests with a systemd user manager need root, to make a control group: run “sudo make test”")
    }
    return try await withTemporaryDirectory { directory in
        try prepare(directory)
        let command = Command(
            "bash",
            [
                "-c", outerScript, "user-manager", directory.path, "\(UserManager.user)", innerScript,
                try await runtimeLibraries(),
            ],
            environment: UserManager.environment(of: directory), ready: .line(containing: "manager is running"))
        return try await withDaemon(command) { daemon in
            let manager = UserManager(directory: directory, daemon: daemon)
            // It takes its bus name some time after it reports that it is running.
            try await manager.waitForOwner(of: "org.freedesktop.systemd1")
            return try await body(manager)
        }
    }
}

/// The folder of the Swift libraries that the tests use. A toolchain may be in a folder that `nobody` cannot read.
private func runtimeLibraries() async throws -> String {
    let libraries = try await run("ldd", ["/proc/\(getpid())/exe"]).output()
    guard let core = libraries.split(separator: " ").first(where: { $0.hasSuffix("/libswiftCore.so") }) else {
        throw BenchError("the tests use no Swift library:\n\(libraries)")
    }
    return String(core.dropLast("/libswiftCore.so".count))
}

private func prepare(_ directory: TemporaryDirectory) throws {
    let folders = [
        "home/.config/systemd/user", "home/.local/share/applications", "home/.local/share/dbus-1/services",
        "home/.local/state", "home/.cache", "run", "share", "etc", "units/sockets.target.wants", "bin", "lib",
    ]
    for folder in folders {
        try FileManager.default.createDirectory(
            atPath: directory.file(folder), withIntermediateDirectories: true)
    }
    chmod(directory.path, 0o755)
    chmod(directory.file("run"), 0o700)
    let units = [
        "app.slice", "background.slice", "session.slice", "basic.target", "default.target", "exit.target",
        "paths.target", "shutdown.target", "sockets.target", "timers.target", "systemd-exit.service", "dbus.socket",
    ]
    for unit in units {
        try FileManager.default.copyItem(
            atPath: "/usr/lib/systemd/user/\(unit)", toPath: directory.file("units/\(unit)"))
    }
    try FileManager.default.createSymbolicLink(
        atPath: directory.file("units/sockets.target.wants/dbus.socket"), withDestinationPath: "../dbus.socket")
    try directory.write(
        """
        [Unit]
        Description=Session bus of a test
        Requires=dbus.socket

        [Service]
        Type=notify
        NotifyAccess=main
        ExecStart=/usr/bin/dbus-daemon --config-file=\(directory.file("bus.conf")) --address=systemd: --nofork \
        --nopidfile --systemd-activation
        Slice=session.slice
        """, to: "units/dbus.service")
    // Unlike a real session bus, it accepts root, since the tests run as root.
    try directory.write(
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>session</type>
          <listen>unix:tmpdir=/tmp</listen>
          <auth>EXTERNAL</auth>
          <servicedir>\(directory.file("home/.local/share/dbus-1/services"))</servicedir>
          <policy context="default">
            <allow send_destination="*" eavesdrop="true"/>
            <allow eavesdrop="true"/>
            <allow own="*"/>
            <allow user="*"/>
          </policy>
        </busconfig>
        """, to: "bus.conf")
}

/// Joins a group that the manager may take processes from, which a process that only enters the namespaces is not in: it
/// stays in the group that it was started in.
private let enteringScript = """
    echo "$$" >/sys/fs/cgroup/entered/cgroup.procs || exit 1
    exec setpriv --reuid="$0" --regid="$0" --clear-groups -- "$@"
    """

/// Creates a control group with its own process namespace: when the first process of the namespace is
/// killed, nothing is left of them.
private let outerScript = """
    base=$1 user=$2 inner=$3 libraries=$4
    groups=/sys/fs/cgroup
    [ -d "$groups/unified" ] && groups=$groups/unified
    group=$groups/hunch-test-$$
    mkdir "$group" || exit 1
    (
        echo "$BASHPID" >"$group/cgroup.procs" || exit 1
        exec unshare --mount --cgroup --pid --fork --kill-child --mount-proc --propagation private \\
            bash -c "$inner" manager "$base" "$user" "$libraries"
    ) &
    child=$!
    trap 'kill -KILL "$child" 2>/dev/null' TERM
    echo "namespaces of $child"
    wait "$child"
    wait "$child" 2>/dev/null
    # The last processes of the namespaces go on ending for a moment.
    for _ in $(seq 100); do
        find "$group" -depth -type d -exec rmdir {} \\; 2>/dev/null
        [ -d "$group" ] || break
        sleep 0.02
    done
    """

/// Runs as the first process of the namespaces, as root; systemd is the second, since the first would have to be a
/// system manager.
private let innerScript = """
    base=$1 user=$2 libraries=$3
    as_user() { setpriv --reuid="$user" --regid="$user" --clear-groups "$@"; }
    umount -R /sys/fs/cgroup && mount -t cgroup2 cgroup2 /sys/fs/cgroup || exit 1
    mkdir -p /run/systemd && mount -t tmpfs tmpfs /run/systemd && mkdir /run/systemd/system /run/systemd/users || exit 1
    mkdir /sys/fs/cgroup/entered || exit 1
    chown -R "$user:$user" /sys/fs/cgroup "$base" 2>/dev/null
    mount --bind "$libraries" "$base/lib" || exit 1
    config=$XDG_CONFIG_HOME/systemd/user run=$XDG_RUNTIME_DIR/systemd
    export SYSTEMD_UNIT_PATH=$config:$run/user.control:$run/transient:$run/user:$base/units
    as_user /lib/systemd/systemd --user --default-standard-output=inherit --default-standard-error=inherit &
    manager=$!
    unset SYSTEMD_UNIT_PATH
    until [ -S "$run/private" ]; do kill -0 "$manager" || exit 1; sleep 0.02; done
    # One that does not come up says what it still has to do.
    end=$((SECONDS + 40))
    until state=$(as_user systemctl --user is-system-running) || [ "$state" = degraded ] || [ "$SECONDS" -ge "$end" ]; do
        sleep 0.1
    done
    [ "$state" = running ] || as_user systemctl --user --no-pager list-jobs
    echo "manager is $state"
    wait "$manager"
    """
