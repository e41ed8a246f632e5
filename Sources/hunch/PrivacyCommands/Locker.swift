import CommandSupport
import ArgumentParser
import FoundationEssentials
import Glibc
import EventLoops
import HunchDBus
internal import HunchModel

/// Runs a screen locker that does not report the lock, and reports it to logind.
///
/// Source: org.freedesktop.login1(5), `SetLockedHint`.
struct Locker {
    private static let service: BusName = "org.freedesktop.login1"
    private static let session: InterfaceName = "org.freedesktop.login1.Session"
    private static let deadline = Duration.seconds(2)

    /// The program, searched in `$PATH`, and its arguments. Not empty.
    let command: [String]

    /// Runs the locker until the person has unlocked the screen.
    ///
    /// If logind cannot be notified, writes a warning and locks anyway.
    ///
    /// - Returns: the exit code of the program; 128 plus the signal's number if a signal ended it.
    /// - Throws: ``CommandError`` if the program cannot be started.
    func run() async throws -> Int32 {
        let loop = try EventLoop()
        try loop.start(name: "hunch")
        defer { loop.stop() }
        // As shells do: signals end the locker only, and the session counts as locked until it has ended.
        for ended in [SIGINT, SIGTERM, SIGHUP] { signal(ended, SIG_IGN) }
        let environment = ProcessInfo.processInfo.environment
        let session = await find(environment, on: loop)
        let mark = session.flatMap { session in
            environment["XDG_RUNTIME_DIR"].flatMap { LockerMark(of: session.path.text, in: $0) }
        }
        let isTold = if let session { await tell(session, isLeft: mark?.isLeft == true) } else { false }
        if isTold { mark?.write(isLocked: true) }
        let result = Result { try Self.wait(for: start()) }
        if let session {
            if isTold {
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

    /// Reports that the session is locked. Returns whether to report the unlock too: another running locker may have
    /// reported the lock.
    ///
    /// - Parameter isLeft: whether the current state was reported by a killed `hunch lockscreen`.
    private func tell(_ session: Proxy, isLeft: Bool) async -> Bool {
        do {
            let isLocked: Bool = try await session.property(Self.session, "LockedHint", timeout: Self.deadline)
            if isLocked { return isLeft }
            let () = try await session.call(Self.session, "SetLockedHint", true, timeout: Self.deadline)
            return true
        } catch {
            Self.complain(error)
            return false
        }
    }

    private static func complain(_ error: any Error) {
        Output.complain("logind could not be notified of the lock: \(Diagnosis.message(of: error))")
    }

    private func start() throws -> pid_t {
        var attributes = posix_spawnattr_t()
        // Not 0: out of memory. The locker then inherits this process's attributes.
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let arguments = command.map { strdup($0) }
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        // Not 0: the error number; there is no child process then.
        let error = posix_spawnp(&process, command[0], nil, &attributes, arguments + [nil], environ)
        guard error == 0 else {
            throw CommandError(
                "\(command[0]) cannot be started, and the screen is not locked: \(String(cString: strerror(error)))",
                ExitStatus.trouble)
        }
        return process
    }

    private static func wait(for process: pid_t) -> Int32 {
        var status: Int32 = 0
        // −1 with EINTR: a signal arrived. With any other error there is no such child process.
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { return ExitStatus.trouble.rawValue }
        }
        // wait(2): the low seven bits are the signal that ended it, the next byte its exit code.
        return status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
    }
}
