import Glibc
import HunchDBus
import TestSupport
import Testing

/// Tests of lockers that do not report that the screen is locked, such as swaylock and i3lock.
@Suite("Lock screen command", .timeLimit(.minutes(15)))
struct LockerTests {
    /// Returns logind's `LockedHint`.
    private static func question(about session: ObjectPath) -> String {
        "dbus-send --system --print-reply=literal --dest=org.freedesktop.login1 \(session) "
            + "org.freedesktop.DBus.Properties.Get string:org.freedesktop.login1.Session string:LockedHint"
    }

    private func isLocked(_ session: ObjectPath, on bus: PrivateBus) async throws -> Bool {
        try await run("sh", ["-c", Self.question(about: session)], environment: bus.environment).output()
            .contains("boolean true")
    }

    @Test("logind sees the lock and unlock; the exit code is passed on", arguments: ["7", "auto"])
    func told(session identifier: String) async throws {
        try await withHunch { hunch async throws in
            try await withPrivateBus(.system) { bus in
                try await withMockLogind(on: bus) { logind in
                    let session = try await logind.addSession(identifier, of: getuid(), began: 42)
                    var environment = bus.environment
                    if identifier != "auto" { environment["XDG_SESSION_ID"] = identifier }
                    let locked = try await hunch(
                        "lockscreen", "--", "sh", "-c", Self.question(about: session) + "; exit 4", also: environment)
                    #expect(locked.status == .exited(4) && locked.standardError.isEmpty, "\(locked)")
                    #expect(locked.standardOutput.contains("boolean true"))
                    #expect(try await !isLocked(session, on: bus))

                    let killed = try await hunch(
                        "lockscreen", "--", "sh", "-c", "kill -TERM $PPID; kill -KILL $$", also: environment)
                    #expect(killed.status == .exited(128 + SIGKILL), "\(killed)")
                    #expect(try await !isLocked(session, on: bus))

                    // Another locker has reported the lock and is still running.
                    try await logind.setLocked(true, session)
                    let second = try await hunch("lockscreen", "--", "true", also: environment)
                    #expect(second.status == .exited(0) && second.standardError.isEmpty, "\(second)")
                    #expect(try await isLocked(session, on: bus))
                }
            }
        }
    }

    @Test("A killed command's lock clears only after its locker ends")
    func killed() async throws {
        try await withHunch { hunch async throws in
            try await withPrivateBus(.system) { bus in
                try await withMockLogind(on: bus) { logind in
                    let session = try await logind.addSession("7", of: getuid(), began: 42)
                    try await withTemporaryDirectory { runtime in
                        let environment = bus.environment.merging([
                            "XDG_SESSION_ID": "7", "XDG_RUNTIME_DIR": runtime.path,
                        ]) { $1 }
                        let pipe = runtime.file("unlock")
                        #expect(mkfifo(pipe, 0o600) == 0)
                        // The user has not unlocked yet: the locker outlives the command that reported the lock.
                        let locker = "exec >/dev/null 2>&1; kill -KILL $PPID; read line < \(pipe); : > \(pipe).read"
                        let first = try await hunch(
                            "lockscreen", "--", "setsid", "sh", "-c", locker, also: environment)
                        #expect(first.status == .signalled(SIGKILL), "\(first)")
                        _ = try await hunch("lockscreen", "--", "true", also: environment)
                        #expect(try await isLocked(session, on: bus))

                        _ = try await run("sh", ["-c", "echo > \(pipe)"])
                        try await waitForFile(at: "\(pipe).read")
                        try await eventually("the lock being over", because: "the locker has yet to end") {
                            _ = try await hunch("lockscreen", "--", "true", also: environment)
                            return try await isLocked(session, on: bus) ? nil : ()
                        }

                        // It removed its mark, so a later report is that of another locker.
                        try await logind.setLocked(true, session)
                        _ = try await hunch("lockscreen", "--", "true", also: environment)
                        #expect(try await isLocked(session, on: bus))
                    }
                }
            }
        }
    }

    @Test("Locking works without logind; a missing locker is an error")
    func withoutLogind() async throws {
        try await withHunch { hunch async throws in
            let nowhere = ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent/bus"]
            let locked = try await hunch("lockscreen", "--", "echo", "--titles", "locked", also: nowhere)
            #expect(locked.status == .exited(0) && locked.standardOutput == "--titles locked\n", "\(locked)")
            #expect(locked.standardError.hasPrefix("hunch: logind could not be notified of the lock: "))
            let missing = try await hunch("lockscreen", "--", "no-such-locker-anywhere", also: nowhere)
            #expect(missing.status == .exited(3))
            #expect(
                missing.standardError.contains(
                    "no-such-locker-anywhere cannot be started: No such file or directory; the screen is not locked"))
            let both = try await hunch("lockscreen", "--titles", "on", "--", "true")
            #expect(both.status == .exited(2), "\(both)")
        }
    }
}
