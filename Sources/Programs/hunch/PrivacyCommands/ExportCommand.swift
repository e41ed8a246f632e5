internal import HistoryExport
import CommandSupport
import ArgumentParser
import Files
import FoundationEssentials
import Glibc
import History
import EventLoops
import HunchDBus
import HunchKit
internal import HunchModel
import Localization
import PersonalStores
import Synchronization

/// `hunch export`: writes everything that Hunch keeps as JSON Lines.
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: localized("Write everything that Hunch keeps as JSON Lines."),
        discussion: localized(
            """
            Each line is one JSON object with the key “type”; the last has the type \
            “end”. The file is readable by you only, and no existing file is overwritten.

            Example:
              hunch export hunch.jsonl
              hunch export | jq 'select(.type == "donation")'
            """))

    @Argument(help: .localized("The file to write; standard output without one or for “-”."), completion: .file())
    var file: String?
    @Flag(help: .localized("With a file: write one JSON object with the number of lines."))
    var json = false

    private struct Fields: Encodable {
        let file: String
        let lines: Int
    }

    func run() async throws {
        let path = file == "-" ? nil : file
        let target = try ExportTarget(path)
        var isWhole = false
        defer { if !isWhole { target.discard() } }
        let loop = try EventLoop()
        try loop.start(name: "hunch")
        defer { loop.stop() }
        if let pipe = try await pipe(loop) {
            try target.copy(from: pipe)
        } else {
            try await copyStores(to: target)
        }
        guard target.isComplete else {
            throw CommandError(localized("the export was cut short; try again"), ExitStatus.systemFailure)
        }
        try target.finish()
        isWhole = true
        if json, let path { try Output.raw(Output.json(Fields(file: path, lines: target.lines))) }
    }

    /// Returns the agent's export; `nil` if there is no agent.
    private func pipe(_ loop: EventLoop) async throws -> UnixDescriptor? {
        guard let agent = try? await HunchAgent(on: loop) else { return nil }
        do {
            return try await agent.export()
        } catch let error as DBusError where [.serviceUnknown, .nameHasNoOwner].contains(error.name) {
            return nil
        } catch let error as DBusError {
            throw CommandError(agent: error)
        }
    }

    private func copyStores(to target: ExportTarget) async throws {
        let environment = ProcessInfo.processInfo.environment
        let path = try HistoryStore.defaultPath(environment: environment)
        guard let history = try HistoryStore.openReadOnly(at: path) else {
            throw CommandError(localized("nothing was ever recorded"), ExitStatus.nothingFound)
        }
        var cursor = ExportCursor()
        while let page = try history.exportPage(&cursor, now: Date()) {
            try target.write(page)
            // Its last line counts the lines of the other stores, too.
            if page.isEmpty {
                cursor.lines += try await copy(Forgetting(environment: environment).stores(path), to: target)
            }
        }
        try history.close()
    }

    /// Writes what stores keep besides the history. Returns the number of lines.
    private func copy(_ stores: [any PersonalStore], to target: ExportTarget) async throws -> Int {
        let before = target.lines
        for store in stores {
            let failure = Mutex<(any Error)?>(nil)
            try await store.export { lines in
                do { try target.write(lines.flatMap { Array($0.utf8) + [0x0A] }) } catch {
                    failure.withLock { $0 = error }
                    return false
                }
                return true
            }
            if let error = failure.withLock(\.self) { throw error }
        }
        return target.lines - before
    }
}

/// The destination of an export. A file gets its name only when it is complete.
private final class ExportTarget: Sendable {
    private let path: String?
    private let partial: String
    private let descriptor: Int32
    private let written = Mutex(Written())

    /// The state of the lines that were written.
    private struct Written {
        var lastLine: [UInt8] = []
        var isFinished = false
        var lines = 0
    }

    /// The number of written lines.
    var lines: Int { written.withLock(\.lines) }

    /// - Throws: ``CommandError`` if the file exists or cannot be created.
    init(_ path: String?) throws(CommandError) {
        self.path = path
        partial = (path ?? "") + ".partial"
        guard let path else {
            descriptor = STDOUT_FILENO
            return
        }
        guard access(path, F_OK) != 0 else {
            throw CommandError(localized("“%1” exists already; choose another name", path), ExitStatus.badInput)
        }
        // −1: nothing was created.
        descriptor = open(partial, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw CommandError(
                localized("“%1” cannot be written: %2", path, String(cString: strerror(errno))), ExitStatus.badInput)
        }
    }

    func copy(from pipe: UnixDescriptor) throws {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = pipe.withDescriptor { descriptor in
                var count = read(descriptor, &buffer, buffer.count)
                while count < 0, errno == EINTR { count = read(descriptor, &buffer, buffer.count) }
                return count
            }
            // −1: the export ends here, without its last line.
            guard count > 0 else { return }
            try write(Array(buffer[..<count]))
        }
    }

    func write(_ bytes: [UInt8]) throws {
        written.withLock { written in
            for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
                if line.offset > 0 {
                    written.lines += 1
                    written.isFinished =
                        written.lastLine.starts(with: Array(#"{"lines":"#.utf8)) && written.lastLine.count < 64
                    written.lastLine = []
                }
                written.lastLine += line.element.prefix(max(0, 64 - written.lastLine.count))
            }
        }
        do throws(SystemError) {
            try writeAll(bytes, to: descriptor)
        } catch {
            throw CommandError(path.map { localized("cannot write %1: %2", $0, error) }, ExitStatus.systemFailure)
        }
    }

    /// Whether the last line marks a complete export. Its keys are sorted, and no other line begins like it.
    var isComplete: Bool { written.withLock { $0.isFinished && $0.lastLine.isEmpty } }

    /// Gives the file its name.
    func finish() throws {
        guard let path else { return }
        guard fsync(descriptor) == 0, link(partial, path) == 0 else {
            throw CommandError(
                localized("“%1” cannot be written: %2", path, String(cString: strerror(errno))),
                ExitStatus.systemFailure)
        }
        unlink(partial)
    }

    /// Removes the partial file.
    func discard() { if path != nil { unlink(partial) } }

    deinit { if path != nil { close(descriptor) } }
}
