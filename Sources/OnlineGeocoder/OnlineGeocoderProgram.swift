internal import AgentInterface
internal import Glibc
internal import HunchDBus
internal import HunchModel

/// The online geocoder as a process: what `hunch-geocoder-online` does from its first instruction to its last.
public enum OnlineGeocoderProgram {
    /// How long it waits for another question before it ends; the bus starts it again.
    private static let patience = Duration.seconds(60)

    private static let usage = """
        usage: hunch-geocoder-online

        Asks a service on the network for places, once “hunch online enable” was said. The session bus starts it when it is
        needed, as org.hunch.OnlineGeocoder1, and it ends when nothing is asked for a minute.

          --help     show this
          --version  show the version
        """

    /// Serves questions until none comes any more.
    ///
    /// - Parameters:
    ///   - arguments: without the program's name.
    ///   - environment: names and values.
    /// - Returns: the exit code: 0 ended in order, 2 bad usage, 3 it could not run (said on standard error).
    public static func main(arguments: [String], environment: [String: String]) -> Int32 {
        switch arguments {
        case []: break
        case ["--help"], ["-h"]:
            print(usage)
            return 0
        case ["--version"]:
            print(HunchVersion.text)
            return 0
        default:
            complain("unknown argument “\(arguments[0])”; see hunch-geocoder-online --help")
            return 2
        }
        signal(SIGPIPE, SIG_IGN)
        umask(0o077)
        do {
            let loop = try EventLoop()
            let worker = try WorkerThread(name: "network")
            let outcome = Outcome()
            Task.detached(executorPreference: loop) {
                do {
                    try await serve(environment, on: loop, worker)
                } catch {
                    outcome.failure = (error as? DBusError)?.message ?? "\(error)"
                }
                loop.stop()
            }
            loop.run()
            worker.stop()
            guard let failure = outcome.failure else { return 0 }
            complain(failure)
        } catch {
            complain(error.message)
        }
        return 3
    }

    private final class Outcome: @unchecked Sendable {  // written before the loop stops, read after it
        var failure: String?
    }

    private static func complain(_ message: String) {
        var line = "hunch-geocoder-online: \(message)\n"
        // What cannot be written to standard error cannot be told elsewhere either.
        line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    private static func serve(_ environment: [String: String], on loop: EventLoop, _ worker: WorkerThread) async throws
    {
        let bus = try await Connection.open(.session(), on: loop)
        let service = OnlineGeocoderService(environment: environment, loop: loop, worker: worker)
        let server = await ObjectServer(on: bus)
        try await server.export(HunchNames.onlineGeocoderPath, [service.interface()])
        guard try await bus.requestName(HunchNames.onlineGeocoder) == .owner else {
            throw DBusError(.failed, "another process serves this already")
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { _ = await bus.closed() }
            group.addTask {
                repeat { try await loop.sleep(for: patience) } while await service.takeNote()
            }
            try await group.next()
            group.cancelAll()
        }
        await bus.close()
    }
}
