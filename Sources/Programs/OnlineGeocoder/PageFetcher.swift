internal import Glibc
internal import HunchModel
internal import Localization

/// Fetches a page that the user named, and blocks. It follows redirects as downloads do.
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
                case .unreachable(let reason): throw .failed(localized("%1 cannot be reached: %2", current, reason))
                case .incomplete:
                    throw .failed(localized("%1: the connection ended before the end of the page", current))
                case .stopped:
                    throw .failed(
                        receiver.isTooLong
                            ? localized("the page is larger than %1 bytes", Self.maximumSize)
                            : localized("%1 did not send the page in time", current))
                }
            }
            guard let target = head.target else {
                guard head.status == 200 else {
                    throw .failed(localized("%1 answers with the status %2", current, head.status))
                }
                return (receiver.bytes, current)
            }
            guard DownloadPlan.mayFollow(from: current, to: target) else {
                throw .failed(
                    localized("%1 redirects to %2, which is not encrypted", current, target.cut(to: 200)))
            }
            current = target
        }
        throw .failed(localized("%1 redirects more than %2 times", address, Self.maximumRedirects))
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
