internal import AgentInterface
internal import EventLoops
internal import Glibc
internal import HunchDBus
internal import Localization

/// The main program of `hunch-calendar`.
public enum CalendarReaderProgram {
    private static let program = ServiceProgram(
        name: "hunch-calendar",
        usage: """
            usage: hunch-calendar

            Reads the calendars of Evolution Data Server and iCalendar files for the agent, after “hunch allow calendar”
            has allowed it. The session bus starts it on demand as org.hunch.CalendarReader1. It ends with the agent.

              --help     show this
              --version  show the version
            """)

    /// Serves requests while the agent follows the calendars, else until none arrives for a minute.
    ///
    /// - Parameters:
    ///   - arguments: the arguments without the program's name.
    ///   - environment: the environment variables.
    /// - Returns: the exit code: 0 for success, 2 for bad usage, 3 for failure (message on standard error).
    public static func main(arguments: [String], environment: [String: String]) -> Int32 {
        if let code = program.answer(arguments) { return code }
        // Before any thread exists, since other threads must not read the locale while it is set.
        Catalogue.open()
        signal(SIGPIPE, SIG_IGN)
        umask(0o077)
        do {
            let loop = try EventLoop()
            let worker = try WorkerThread(name: "calendars")
            defer { worker.stop() }
            try loop.run { try await serve(environment, on: loop, worker) }
            return 0
        } catch {
            program.complain((error as? DBusError)?.message ?? "\(error)")
            return 3
        }
    }

    private static func serve(
        _ environment: [String: String], on loop: EventLoop, _ worker: WorkerThread
    ) async throws {
        let bus = try await Connection.open(.session(), on: loop)
        let (ended, ending) = AsyncStream.makeStream(of: Void.self)
        let service = CalendarReaderService(environment, on: loop, bus: bus, worker: worker) { ending.finish() }
        let server = await ObjectServer(on: bus)
        try await server.export(HunchNames.calendarReaderPath, [service.interface()])
        guard try await bus.requestName(HunchNames.calendarReader) == .owner else {
            throw DBusError(.failed, "hunch-calendar is already running")
        }
        await service.armIdleTimer()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = await bus.closed() }
            group.addTask { for await _ in ended {} }
            await group.next()
            group.cancelAll()
        }
        await service.close()
        await bus.close()
    }
}
