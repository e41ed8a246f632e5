internal import HistoryExport
import CommandSupport
import Trace
import ArgumentParser
import FoundationEssentials
import Glibc
import History
import EventLoops
import HunchDBus
internal import HunchModel

/// `hunch-dev trace record`.
struct TraceRecordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Record what Hunch watches until interrupted. Needs no agent.",
        discussion: """
            Nothing is started, changed or decided; a line is written when something is \
            seen. A trace holds addresses and names of devices, what players play, which \
            apps are launched, and with --location places. It is written only \
            to the file that you name, readable by you only. “hunch forget” does not change it.

            Example:
              hunch-dev trace record headphones.jsonl
              hunch-dev trace record --for 60 - | tee trace.jsonl
            """)

    @Argument(help: .init("A new file; “-” writes to standard output.", valueName: "file"), completion: .file())
    var file: String

    @Option(name: .customLong("for"), help: .init("Stop after this number of seconds.", valueName: "seconds"))
    var seconds: Double?

    @Flag(help: "Also ask GeoClue where the computer is.")
    var location = false

    func validate() throws {
        guard !file.isEmpty else { throw ValidationError("a path is not empty") }
        guard seconds.map({ (0.001...31_536_000).contains($0) }) ?? true else {
            throw ValidationError("--for takes seconds, up to a year")
        }
    }

    func run() async throws {
        let descriptor = try Self.open(file)
        defer { if descriptor != STDOUT_FILENO { close(descriptor) } }
        let loop = try EventLoop()
        try loop.start(name: "hunch")
        defer { loop.stop() }
        let recorder = TraceRecorder(loop: loop, environment: ProcessInfo.processInfo.environment)
        let path = file
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [location] in
                try await recorder.run(locates: location) { line in
                    do {
                        // Write at once, so that an interrupted recording is complete.
                        try Output.write(ExportLine.harmless(line) + "\n", to: descriptor)
                    } catch {
                        // A closed pipe is not a fault.
                        if path == "-", errno == EPIPE { throw CommandError(nil, ExitStatus.systemFailure) }
                        throw CommandError(
                            "“\(path)” cannot be written: \(String(cString: strerror(errno)))",
                            ExitStatus.systemFailure
                        )
                    }
                }
                throw CommandError("the session bus has gone", ExitStatus.systemFailure)
            }
            if let seconds { group.addTask { try await loop.sleep(for: .clamping(seconds: seconds)) } }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private static func open(_ path: String) throws -> Int32 {
        guard path != "-" else { return STDOUT_FILENO }
        // −1 on failure, with errno. Existing files are not overwritten.
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let reason = errno == EEXIST ? "it exists already" : String(cString: strerror(errno))
            throw CommandError("“\(path)” cannot be written: \(reason)", ExitStatus.badInput)
        }
        return descriptor
    }
}
