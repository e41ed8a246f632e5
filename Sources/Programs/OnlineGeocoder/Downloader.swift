internal import AgentInterface
internal import Files
internal import Glibc
internal import HunchModel

/// A downloader of the files of a plan. It continues interrupted downloads.
///
/// All methods block and must be called from one thread.
struct Downloader {
    /// The limits of a download.
    struct Limits {
        /// The maximum length of a file, in bytes: 8 GiB.
        var length: Int64 = 8 << 30
        /// The space that must stay free on the disk, in bytes: 64 MiB.
        var reserve: Int64 = 64 << 20
        /// The time after which a silent server counts as unreachable, in seconds.
        var patience = 60
    }

    /// The maximum number of redirects of a request.
    private static let mostRedirects = 5

    let folder: DownloadFolder
    let userAgent: String
    let listener: any DownloadListener
    var limits = Limits()
    /// Returns the free space at a path in bytes; `nil` if it is unknown.
    var freeSpace: (String) -> Int64? = DownloadFolder.freeSpace

    /// A file with what its server says about it.
    private struct Measured {
        let file: DownloadPlan.File
        /// `nil` if the server does not answer requests for headers only.
        let head: HTTPHead?
        var received: Int64
        var isComplete = false
    }

    /// Downloads the files of a plan, or only measures them. Reports the events of the files, then their progress.
    ///
    /// - Returns: the path of the last file; `nil` if it only measured.
    func run(_ plan: DownloadPlan, onlyMeasures: Bool) throws(Ending) -> String? {
        var measured: [Measured] = []
        for file in plan.files {
            let one = try measure(file)
            listener.report(
                .file(
                    DownloadFile(
                        name: file.name, address: file.address, length: one.head?.length, received: one.received)))
            measured.append(one)
        }
        if onlyMeasures { return nil }
        let needed = measured.reduce(0) { $0 + max(0, ($1.head?.length ?? 0) - $1.received) }
        for one in measured { try folder.prepareOrEnd(one.file) }
        if let last = measured.last, let free = freeSpace(folder.path), needed > 0, free < needed + limits.reserve {
            throw .failed(
                DownloadFailure(
                    .noSpace, address: last.file.address, detail: folder.path, length: needed + limits.reserve,
                    available: free))
        }
        for one in measured where !one.isComplete { try fetch(one) }
        return plan.files.last.map(folder.file)
    }

    /// The reason why a download ended early.
    enum Ending: Error, Equatable {
        case failed(DownloadFailure)
        /// The reader has gone.
        case abandoned
    }

    // MARK: Measuring

    private func measure(_ file: DownloadPlan.File) throws(Ending) -> Measured {
        let head = try request(file.address, onlyHead: true, to: Silence(listener))
        switch head.status {
        case 200: break
        case 404, 410: throw .failed(DownloadFailure(.notFound, address: file.address))
        // The server has no HEAD. The request for the file itself will show it.
        case 405, 501: return Measured(file: file, head: nil, received: DownloadFolder.size(of: folder.part(file)) ?? 0)
        default: throw .failed(DownloadFailure(.refused, address: file.address, detail: "\(head.status)"))
        }
        if let length = head.length, length > limits.length { throw .failed(tooLarge(file)) }
        guard let record = folder.record(of: file), record.matches(head, length: head.length) else {
            return Measured(file: file, head: head, received: 0)
        }
        if let size = DownloadFolder.size(of: folder.file(file)), size == record.length ?? size {
            return Measured(file: file, head: head, received: size, isComplete: true)
        }
        return Measured(file: file, head: head, received: DownloadFolder.size(of: folder.part(file)) ?? 0)
    }

    private func tooLarge(_ file: DownloadPlan.File) -> DownloadFailure {
        DownloadFailure(.tooLarge, address: file.address, length: limits.length)
    }

    // MARK: Fetching

    private func fetch(_ measured: Measured) throws(Ending) {
        let file = measured.file
        var checksum: String?
        if let address = file.checksumAddress { checksum = try self.checksum(at: address) }
        var offset = measured.received
        var record = folder.record(of: file)
        if record?.validator == nil || record?.checksum != checksum { offset = 0 }
        unlink(folder.file(file))
        // The second attempt starts from the beginning.
        for _ in 0..<2 {
            if offset == 0 {
                folder.discard(file)
                record = nil
            } else if let length = record?.length, length == offset {
                // An earlier call ended between the last byte and the check.
                return try finish(file, checksum: checksum, modified: measured.head?.modified)
            }
            let part = PartialFile(
                file, in: folder, at: offset, record: record, checksum: checksum, expected: measured.head?.length,
                limit: limits.length, listener: listener)
            var headers: [String] = []
            if offset > 0, let validator = record?.validator {
                headers = ["Range: bytes=\(offset)-", "If-Range: \(validator)"]
            }
            let head: HTTPHead
            do throws(Ending) {
                head = try request(file.address, headers: headers, to: part)
            } catch {
                if let failure = part.failure { throw .failed(failure) }
                // The content was refused, because it continues another version.
                guard part.step == .discard, !listener.isGone else { throw error }
                offset = 0
                continue
            }
            switch DownloadStep(head, at: offset, record: record) {
            case .append, .startAnew:
                do throws(DownloadFailure) { try part.finish(head) } catch { throw .failed(error) }
                return try finish(file, checksum: checksum, modified: head.modified)
            case .discard: offset = 0
            case .notFound: throw .failed(DownloadFailure(.notFound, address: file.address))
            case .refused(let status):
                throw .failed(DownloadFailure(.refused, address: file.address, detail: "\(status)"))
            }
        }
        throw .failed(DownloadFailure(.changed, address: file.address))
    }

    /// Checks a complete part and gives it its name and the date of the server.
    private func finish(_ file: DownloadPlan.File, checksum: String?, modified: Int?) throws(Ending) {
        let part = folder.part(file)
        if let checksum {
            guard try digest(part, file) == checksum else {
                folder.discard(file)
                throw .failed(DownloadFailure(.wrongChecksum, address: file.address))
            }
        }
        if let modified {
            let time = timespec(tv_sec: modified, tv_nsec: 0)
            // −1 on failure: the file then has the date of the download.
            _ = utimensat(AT_FDCWD, part, [time, time], 0)
        }
        // −1 on failure, with errno.
        guard rename(part, folder.file(file)) == 0 else {
            throw .failed(DownloadFailure(.storage, address: file.address, detail: "\(SystemError())"))
        }
    }

    // MARK: Checksums

    /// Returns the checksum that the publisher gives; `nil` if there is no file with it.
    private func checksum(at address: String) throws(Ending) -> String? {
        let note = ShortText(listener)
        let head = try request(address, to: note)
        guard head.status != 404 else { return nil }
        guard head.status == 200 else {
            throw .failed(DownloadFailure(.refused, address: address, detail: "\(head.status)"))
        }
        // The format of md5sum(1): the digits, two spaces and the name.
        let digits = note.text.prefix { !$0.isWhitespace }.lowercased()
        guard digits.utf8.count == 32, digits.allSatisfy(\.isHexDigit) else {
            throw .failed(DownloadFailure(.wrongChecksum, address: address))
        }
        return digits
    }

    private func digest(_ path: String, _ file: DownloadPlan.File) throws(Ending) -> String {
        // −1 on failure, with errno.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw .failed(DownloadFailure(.storage, address: file.address, detail: "\(SystemError())"))
        }
        defer { close(descriptor) }
        var sum = MD5()
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            if listener.isGone { throw .abandoned }
            // −1 on failure, with errno; 0 at the end.
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw .failed(DownloadFailure(.storage, address: file.address, detail: "\(SystemError())"))
            }
            if count == 0 { return sum.finish() }
            buffer.withUnsafeBytes { sum.add(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
    }

    // MARK: Requests

    /// Requests a file and follows redirects.
    private func request(
        _ address: String, headers: [String] = [], onlyHead: Bool = false, to receiver: any HTTPReceiver
    ) throws(Ending) -> HTTPHead {
        var transfer = HTTPTransfer(userAgent: userAgent)
        transfer.patience = limits.patience
        var current = address
        for _ in 0...Self.mostRedirects {
            let head: HTTPHead
            do throws(HTTPTransfer.Failure) {
                head = try transfer.get(current, headers: headers, onlyHead: onlyHead, to: receiver)
            } catch {
                switch error {
                case .stopped: throw .abandoned
                case .incomplete: throw .failed(DownloadFailure(.incomplete, address: address))
                case .unreachable(let reason):
                    if listener.isGone { throw .abandoned }
                    throw .failed(DownloadFailure(.unreachable, address: current, detail: reason))
                }
            }
            guard [301, 302, 303, 307, 308].contains(head.status), let target = head.target else { return head }
            guard DownloadPlan.mayFollow(from: current, to: target), target.utf8.count <= 4_096 else {
                throw .failed(DownloadFailure(.badRedirect, address: current, detail: target.cut(toBytes: 1_024)))
            }
            current = target
        }
        throw .failed(DownloadFailure(.badRedirect, address: address, detail: current.cut(toBytes: 1_024)))
    }
}

extension DownloadFolder {
    fileprivate func prepareOrEnd(_ file: DownloadPlan.File) throws(Downloader.Ending) {
        do throws(DownloadFailure) { try prepare(file) } catch { throw .failed(error) }
    }
}

/// A receiver of a response without content.
private final class Silence: HTTPReceiver {
    private let listener: any DownloadListener
    init(_ listener: any DownloadListener) { self.listener = listener }
    var isCancelled: Bool { listener.isGone }
    func receive(_ bytes: UnsafeRawBufferPointer, of head: HTTPHead) -> Bool { true }
}

/// A receiver of a text, of which it keeps the beginning.
private final class ShortText: HTTPReceiver {
    private static let limit = 1_024
    private let listener: any DownloadListener
    private var bytes: [UInt8] = []
    init(_ listener: any DownloadListener) { self.listener = listener }
    var isCancelled: Bool { listener.isGone }
    var text: String { String(decoding: bytes, as: UTF8.self) }

    func receive(_ bytes: UnsafeRawBufferPointer, of head: HTTPHead) -> Bool {
        self.bytes += bytes.prefix(max(0, Self.limit - self.bytes.count))
        return true
    }
}
