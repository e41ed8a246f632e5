internal import AgentInterface
internal import Glibc
internal import EventLoops
internal import HunchDBus
internal import HunchModel
internal import Localization

/// The main program of `hunch-geocoder-online`.
public enum OnlineGeocoderProgram {
    /// The idle time before the program exits. The bus starts it again.
    private static let idleTime = Duration.seconds(60)

    private static let program = ServiceProgram(
        name: "hunch-geocoder-online",
        usage: """
            usage: hunch-geocoder-online

            Looks up places with an online service, after “hunch online enable” has allowed it, and downloads lists of places
            for “hunch gazetteer get”. The session bus starts it on demand as org.hunch.OnlineGeocoder1. It exits after a
            minute without requests.

              --help     show this
              --version  show the version
            """)

    /// Serves requests until none arrives for a minute.
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
        // A write beyond RLIMIT_FSIZE must only fail and not end the process.
        signal(SIGXFSZ, SIG_IGN)
        umask(0o077)
        EventLoop.hideMemory()
        do {
            let loop = try EventLoop()
            let worker = try WorkerThread(name: "network")
            defer { worker.stop() }
            let downloads = try WorkerThread(name: "downloads")
            defer { downloads.stop() }
            try loop.run { try await serve(environment, on: loop, worker, downloads) }
            return 0
        } catch {
            program.complain((error as? DBusError)?.message ?? "\(error)")
            return 3
        }
    }

    private static func serve(
        _ environment: [String: String], on loop: EventLoop, _ worker: WorkerThread, _ downloads: WorkerThread
    ) async throws {
        let bus = try await Connection.open(.session(), on: loop)
        let service = OnlineGeocoderService(
            environment: environment, loop: loop, worker: worker, downloads: downloads)
        let server = await ObjectServer(on: bus)
        try await server.export(HunchNames.onlineGeocoderPath, [service.interface()])
        guard try await bus.requestName(HunchNames.onlineGeocoder) == .owner else {
            throw DBusError(.failed, "hunch-geocoder-online is already running")
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { _ = await bus.closed() }
            group.addTask { for await job in service.jobs { await service.perform(job) } }
            group.addTask {
                repeat { try await loop.sleep(for: idleTime) } while await service.takeNote()
            }
            try await group.next()
            group.cancelAll()
        }
        await bus.close()
    }
}
