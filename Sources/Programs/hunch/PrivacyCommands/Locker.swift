import CommandSupport
import Apps
import ArgumentParser
import FoundationEssentials
import Glibc
import EventLoops
import HunchDBus
internal import HunchModel
import Localization

/// Runs a screen locker that does not report the lock, and reports it to logind.
///
/// Source: org.freedesktop.login1(5), `SetLockedHint`.
struct Locker {
    private static let service: BusName = "org.freedesktop.login1"
    private static let session: InterfaceName = "org.freedesktop.login1.Session"
    private static let deadline = Duration.seconds(2)

    /// The program, searched in `$PATH`, and its arguments. Not empty.
    let command: [String]

    /// Runs the locker until the user has unlocked the screen.
    ///
    /// If logind cannot be notified, writes a warning and locks anyway.
    ///
    /// - Returns: the exit code of the program; 128 plus the signal's number if a signal ended it.
    /// - Throws: ``CommandError`` if the program cannot be started.
    func run() async throws -> Int32 {
        let loop = try EventLoop()
        try loop.start(name: "hunch")
        defer { loop.stop() }
        // Signals end only the locker, as in a shell. The session stays locked until the locker ends.
        for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_IGN) }
        let environment = ProcessInfo.processInfo.environment
        let session = await find(environment, on: loop)
        let mark = session.flatMap { session in
            environment["XDG_RUNTIME_DIR"].flatMap { LockerMark(of: session.path.text, in: $0) }
        }
        let mustReportUnlock = if let session { await reportLock(to: session, mark) } else { false }
        if mustReportUnlock { mark?.write(isLocked: true) }
        let result = Result { try lock(environment) }
        if let session {
            if mustReportUnlock {
                do {
                    let () = try await session.call(Self.session, "SetLockedHint", false, timeout: Self.deadline)
                    mark?.write(isLocked: false)
                } catch { Self.complain(error) }
            }
            await session.connection.close()
        }
        return try result.get()
    }

    /// Returns the session; `nil` if logind has none.
    private func find(_ environment: [String: String], on loop: EventLoop) async -> Proxy? {
        do {
            let bus = try await Connection.open(.system { environment[$0] }, on: loop, deadline: Self.deadline)
            // A program that the user manager started is in no session. “auto” is then the session in front.
            let identifier = environment["XDG_SESSION_ID"] ?? "auto"
            let path: ObjectPath = try await bus.call(
                Self.service, "/org/freedesktop/login1", "org.freedesktop.login1.Manager", "GetSession", identifier,
                timeout: Self.deadline)
            return Proxy(bus, Self.service, path)
        } catch {
            Self.complain(error)
            return nil
        }
    }

    /// Reports that the session is locked.
    ///
    /// - Parameter mark: tells whether a killed `hunch lockscreen` reported the current lock.
    /// - Returns: whether this locker must also report the unlock. It must not if another locker reported the lock.
    private func reportLock(to session: Proxy, _ mark: LockerMark?) async -> Bool {
        do {
            let isLocked: Bool = try await session.property(Self.session, "LockedHint", timeout: Self.deadline)
            if isLocked { return mark?.isLeft == true }
            let () = try await session.call(Self.session, "SetLockedHint", true, timeout: Self.deadline)
            return true
        } catch {
            Self.complain(error)
            return false
        }
    }

    private func lock(_ environment: [String: String]) throws -> Int32 {
        let process: Int32
        do {
            process = try ChildProcess.spawn(command[0], command, environment: environment, streams: .inherited)
        } catch {
            throw CommandError(localized("%1; the screen is not locked", error.message), ExitStatus.systemFailure)
        }
        return ChildProcess.wait(for: process) ?? ExitStatus.systemFailure.rawValue
    }

    private static func complain(_ error: any Error) {
        let message = (error as? DBusError)?.message ?? "\(error)"
        Output.complain(localized("logind could not be notified of the lock: %1", message))
    }
}
