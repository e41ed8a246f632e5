import CommandSupport
import AgentInterface
import ArgumentParser
import EventLoops
import FoundationEssentials
import Glibc
import HunchDBus
import HunchModel
import Synchronization
import Localization

/// A download of places by the program that uses the network, as the command follows it.
struct PlaceDownload {
    /// The time limit for the program to start and to answer with a pipe.
    private static let patience = Duration.seconds(20)
    /// The time between two looks for Ctrl-C, in milliseconds.
    private static let pollTime: Int32 = 200

    /// The number of times that a download waits ``waitTime`` for an earlier one, which ends soon after its caller.
    private static let mostWaits = 10
    private static let waitTime = Duration.milliseconds(300)

    private let client: OnlineGeocoderClient
    private let loop: EventLoop

    /// Connects, runs the body and disconnects.
    ///
    /// - Throws: ``CommandError`` that says what is missing.
    static func run<Result: Sendable>(
        _ body: @Sendable (PlaceDownload) async throws -> Result
    ) async throws -> Result {
        let loop = try EventLoop()
        try loop.start(name: "hunch")
        defer { loop.stop() }
        do {
            let bus = try await Connection.open(.session(), on: loop)
            let result = try await body(
                PlaceDownload(client: OnlineGeocoderClient(bus: bus, patience: patience), loop: loop))
            await bus.close()
            return result
        } catch let error as DBusError {
            let isMissing = [.serviceUnknown, .nameHasNoOwner].contains(error.name)
            throw CommandError(
                isMissing
                    ? localized(
                        "the program hunch-geocoder-online is not installed on this session bus; run “make install”")
                    : localized("nothing was downloaded: %1", error.message), ExitStatus.systemFailure)
        }
    }

    /// Returns the files of a source with their sizes.
    ///
    /// - Throws: ``CommandError`` in the words of ``DownloadWords``.
    func measure(_ source: DownloadSource, from server: String?) async throws -> [DownloadFile] {
        let pipe = try await start(source, from: server, onlyMeasures: true)
        var files: [DownloadFile] = []
        try Self.follow(pipe) { event in
            switch event {
            case .file(let file): files.append(file)
            case .failed(let failure): throw DownloadWords.error(failure, source)
            case .progress, .done: break
            }
        }
        guard !files.isEmpty else { throw Self.brokenOff }
        return files
    }

    /// Downloads a source with a progress bar on standard error.
    ///
    /// - Parameter files: the files as measured.
    /// - Returns: the path of the file to import.
    /// - Throws: ``CommandError`` in the words of ``DownloadWords``, or if Ctrl-C was pressed.
    func download(_ source: DownloadSource, _ files: [DownloadFile], from server: String?) async throws -> String {
        let pipe = try await start(source, from: server, onlyMeasures: false)
        var progress = DownloadProgress(files)
        var bar = ProgressBar(localized("Downloading"))
        defer { bar.end() }
        var path: String?
        try Interruption.noticed {
            try Self.follow(pipe) { event in
                switch event {
                case .file: break
                case .progress(let name, let received, let length):
                    progress.take(name, received: received, length: length, at: ContinuousClock.now)
                    bar.show(progress.fraction, progress.remark)
                case .done(let done): path = done
                case .failed(let failure):
                    bar.end()
                    throw DownloadWords.error(failure, source)
                }
            }
        } orElse: {
            bar.end()
            return CommandError(
                localized("stopped after %1; the same command continues the download", progress.remark),
                Interruption.status,
                code: "stopped")
        }
        guard let path else { throw Self.brokenOff }
        return path
    }

    private func start(
        _ source: DownloadSource, from server: String?, onlyMeasures: Bool
    ) async throws -> UnixDescriptor {
        for _ in 0..<Self.mostWaits {
            do {
                return try await client.download(source, from: server, onlyMeasures: onlyMeasures)
            } catch let error as DBusError where error.name == .busy {
                try await loop.sleep(for: Self.waitTime)
            }
        }
        return try await client.download(source, from: server, onlyMeasures: onlyMeasures)
    }

    private static var brokenOff: CommandError {
        CommandError(
            localized("hunch-geocoder-online ended before the download was complete; the same command continues it"),
            ExitStatus.systemFailure)
    }

    /// Reads events until the pipe ends or Ctrl-C is pressed.
    private static func follow(_ pipe: UnixDescriptor, _ take: (DownloadEvent) throws -> Void) throws {
        let descriptor = pipe.take()
        defer { close(descriptor) }
        var line: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while !Interruption.isRequested {
            var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&state, 1, pollTime) > 0 else { continue }
            // −1 on failure, 0 at the end.
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            for byte in buffer[..<count] {
                if byte != 0x0A {
                    if line.count < DownloadEvent.maximumLength { line.append(byte) }
                    continue
                }
                if let event = DownloadEvent(line: line) { try take(event) }
                line = []
            }
        }
    }

    /// Removes a downloaded file and what belongs to it. The other files of a source are small, and may be of use for
    /// the next one.
    static func remove(_ path: String) {
        for file in [path, path + ".json"] { unlink(file) }
    }
}

/// The progress of the files of a source together.
struct DownloadProgress {
    private var received: [String: Int64]
    private var lengths: [String: Int64?]
    private let before: Int64
    private var start: ContinuousClock.Instant?
    private var speed: Double?

    init(_ files: [DownloadFile]) {
        received = Dictionary(files.map { ($0.name, $0.received) }) { $1 }
        lengths = Dictionary(files.map { ($0.name, $0.length) }) { $1 }
        before = files.reduce(0) { $0 + $1.received }
    }

    /// Notes the progress of a file.
    mutating func take(_ name: String, received: Int64, length: Int64?, at now: ContinuousClock.Instant) {
        self.received[name] = received
        if let length { lengths[name] = length }
        guard let start else {
            self.start = now
            return
        }
        let seconds = (now - start) / .seconds(1)
        if seconds > 0.5 { speed = max(0, Double(sum - before)) / seconds }
    }

    private var sum: Int64 { received.values.reduce(0, +) }
    private var length: Int64? {
        lengths.values.reduce(0) { sum, length in sum.flatMap { sum in length.map { sum + $0 } } }
    }

    /// The downloaded part, 0…1; 0 if a length is unknown.
    var fraction: Double { length.map { $0 > 0 ? Double(sum) / Double($0) : 0 } ?? 0 }

    /// The amounts and the speed, as “4.2 of 12.4 MB, 1.3 MB/s”.
    var remark: String {
        let amount = length.map { localized("%1 of %2 MB", DownloadWords.megabytes(sum), DownloadWords.megabytes($0)) }
        return (amount ?? "\(DownloadWords.megabytes(sum)) MB")
            + (speed.map { ", \(DownloadWords.megabytes(Int64(clamping: $0))) MB/s" } ?? "")
    }
}

/// Ctrl-C while a command works.
enum Interruption {
    /// The exit code that shells give a program that SIGINT ended.
    static let status = ExitCode(130)

    private static let flag = Atomic<Bool>(false)

    static var isRequested: Bool { flag.load(ordering: .relaxed) }

    /// Runs a body that ends soon after ``isRequested`` becomes true. Afterwards, Ctrl-C ends the program as usual.
    ///
    /// - Throws: the result of `orElse` if Ctrl-C was pressed; errors of the body.
    static func noticed(_ body: () throws -> Void, orElse failure: () -> CommandError) throws {
        // The flag exists before the handler uses it.
        flag.store(false, ordering: .relaxed)
        let former = signal(SIGINT) { _ in Interruption.flag.store(true, ordering: .relaxed) }
        defer { signal(SIGINT, former) }
        try body()
        if isRequested { throw failure() }
    }
}
