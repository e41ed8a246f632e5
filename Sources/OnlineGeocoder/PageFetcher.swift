internal import Glibc
internal import HunchModel

/// Fetches a page that the person named, and blocks. It follows redirects as downloads do.
struct PageFetcher {
    /// The maximum size of a page in bytes.
    static let maximumSize = 10_000_000
    /// The maximum length of an address in bytes.
    static let maximumAddress = 2_048
    /// The maximum number of redirects.
    private static let maximumRedirects = 5

    /// The time limit for the whole page.
    var patience = Duration.seconds(20)

    /// Returns a page, and the address from which it came.
    ///
    /// - Throws: ``OnlineGeocoder/Failure`` `failed`.
    func page(at address: String) throws(OnlineGeocoder.Failure) -> (page: [UInt8], address: String) {
        let receiver = Receiver(deadline: .now + patience)
        var transfer = HTTPTransfer(userAgent: OnlineGeocoder.userAgent, acceptsCompression: true)
        transfer.patience = 10
        var current = address
        for _ in 0...Self.maximumRedirects {
            let head: HTTPHead
            do throws(HTTPTransfer.Failure) {
                head = try transfer.get(current, headers: ["Accept: text/html, */*;q=0.5"], to: receiver)
            } catch {
                switch error {
                case .unreachable(let reason): throw .failed("\(current) cannot be reached: \(reason)")
                case .incomplete: throw .failed("\(current): the connection ended before the end of the page")
                case .stopped:
                    throw .failed(
                        receiver.isTooLong
                            ? "the page is larger than \(Self.maximumSize) bytes"
                            : "\(current) did not send the page in time")
                }
            }
            guard let target = head.target else {
                guard head.status == 200 else { throw .failed("\(current) answers with the status \(head.status)") }
                return (receiver.bytes, current)
            }
            guard DownloadPlan.mayFollow(from: current, to: target) else {
                throw .failed("\(current) redirects to \(target.cut(to: 200)), which is not encrypted")
            }
            current = target
        }
        throw .failed("\(address) redirects more than \(Self.maximumRedirects) times")
    }

    private final class Receiver: HTTPReceiver {
        private(set) var bytes: [UInt8] = []
        private(set) var isTooLong = false
        private let deadline: ContinuousClock.Instant

        init(deadline: ContinuousClock.Instant) { self.deadline = deadline }

        var isCancelled: Bool { .now > deadline }

        func receive(_ bytes: UnsafeRawBufferPointer, of head: HTTPHead) -> Bool {
            isTooLong = self.bytes.count + bytes.count > PageFetcher.maximumSize
            if !isTooLong { self.bytes += bytes }
            return !isTooLong
        }
    }
}
