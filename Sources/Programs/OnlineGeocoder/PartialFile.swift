internal import AgentInterface
internal import Files
internal import Glibc
internal import HunchModel

/// The receiver of a file's content, which writes it to its place on the disk.
final class PartialFile: HTTPReceiver {
    /// The shortest time between two events about progress.
    private static let interval = Duration.milliseconds(200)

    private let file: DownloadPlan.File
    private let folder: DownloadFolder
    private let offset: Int64
    private let record: DownloadRecord?
    private let checksum: String?
    private let expected: Int64?
    private let limit: Int64
    private let listener: any DownloadListener
    private var descriptor: Int32 = -1
    private var size: Int64 = 0
    private var length: Int64?
    private var reported: ContinuousClock.Instant?

    /// The decision about the response; `nil` before its first byte.
    private(set) var step: DownloadStep?
    /// The reason for ending the transfer, if it was not the listener.
    private(set) var failure: DownloadFailure?

    /// - Parameters:
    ///   - offset: the number of bytes that exist already.
    ///   - expected: the length that the server announced before; `nil` if it announced none.
    ///   - limit: the maximum length.
    init(
        _ file: DownloadPlan.File, in folder: DownloadFolder, at offset: Int64, record: DownloadRecord?,
        checksum: String?, expected: Int64?, limit: Int64, listener: any DownloadListener
    ) {
        self.file = file
        self.folder = folder
        self.offset = offset
        self.record = record
        self.checksum = checksum
        self.expected = expected
        self.limit = limit
        self.listener = listener
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    var isCancelled: Bool { listener.isGone }

    func receive(_ bytes: UnsafeRawBufferPointer, of head: HTTPHead) -> Bool {
        do throws(DownloadFailure) {
            if step == nil { try begin(head) }
            guard descriptor >= 0 else { return false }
            guard size + Int64(bytes.count) <= limit else { throw failed(.tooLarge, length: limit) }
            do throws(SystemError) {
                try writeAll(bytes, to: descriptor)
            } catch {
                throw failed([ENOSPC, EDQUOT].contains(error.code) ? .noSpace : .storage, detail: "\(error)")
            }
            size += Int64(bytes.count)
        } catch {
            failure = error
            return false
        }
        let now = ContinuousClock.now
        if reported.map({ now - $0 >= Self.interval }) ?? true {
            reported = now
            listener.report(.progress(name: file.name, received: size, length: length))
        }
        return !listener.isGone
    }

    /// Ends the file after a complete response.
    ///
    /// - Throws: ``DownloadFailure`` if its length differs from the announced one.
    func finish(_ head: HTTPHead) throws(DownloadFailure) {
        // A response without content calls no receiver.
        if step == nil { try begin(head) }
        // −1 on failure: some file systems report a lack of space only now.
        let isClosed = close(descriptor) == 0
        descriptor = -1
        guard isClosed else { throw failed(.storage, detail: "\(SystemError())") }
        guard size == length ?? size else { throw failed(.incomplete) }
        listener.report(.progress(name: file.name, received: size, length: size))
    }

    /// Decides by the headers whether the content continues the file, and opens it.
    private func begin(_ head: HTTPHead) throws(DownloadFailure) {
        let step = DownloadStep(head, at: offset, record: record)
        self.step = step
        switch step {
        case .append(let length):
            self.length = length ?? expected
            size = offset
            descriptor = open(folder.part(file), O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC)
        case .startAnew(let length):
            self.length = length ?? expected
            // −1 on failure, with errno.
            descriptor = open(
                folder.part(file), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
            folder.write(
                DownloadRecord(address: file.address, head: head, length: self.length, checksum: checksum), of: file)
        case .discard, .notFound, .refused: return
        }
        guard descriptor >= 0 else { throw failed(.storage, detail: "\(SystemError())") }
        if let length, length > limit { throw failed(.tooLarge, length: limit) }
        if let length, let expected, length != expected { throw failed(.changed) }
    }

    private func failed(
        _ code: DownloadFailure.Code, detail: String = "", length: Int64? = nil
    ) -> DownloadFailure {
        DownloadFailure(code, address: file.address, detail: detail, length: length)
    }
}
