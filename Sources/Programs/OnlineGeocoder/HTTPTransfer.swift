import CCurl
import Glibc
internal import HunchModel
internal import Localization

/// The receiver of a large response, on the thread of the transfer.
protocol HTTPReceiver: AnyObject {
    /// Whether the transfer must end. Asked several times a second while bytes arrive, and once a second otherwise.
    var isCancelled: Bool { get }

    /// Receives the next bytes of a response with the status 200 or 206.
    ///
    /// - Returns: `false` to end the transfer.
    func receive(_ bytes: UnsafeRawBufferPointer, of head: HTTPHead) -> Bool
}

/// The status and the headers of a response, as far as downloads need them.
struct HTTPHead: Equatable {
    var status: Int
    /// The length of this response's content in bytes; `nil` if it is unknown.
    var length: Int64?
    /// `ETag`; `nil` without one.
    var entityTag: String?
    /// `Last-Modified` as it was sent; `nil` without one.
    var lastModified: String?
    /// `Last-Modified` in seconds since 1970.
    var modified: Int?
    /// `Content-Range`; `nil` without one.
    var range: String?
    /// The absolute address to which the server redirects; `nil` if it does not.
    var target: String?
}

/// A blocking HTTP request for a large file over libcurl, which hands on the bytes as they arrive.
///
/// It uses only `http` and `https`, verifies certificates and follows no redirects. It has no time limit, but ends if
/// no byte arrives for ``patience``.
struct HTTPTransfer {
    enum Failure: Error, Equatable {
        /// The connection failed. The value is libcurl's reason.
        case unreachable(String)
        /// The connection ended before the end of the content.
        case incomplete
        /// The receiver ended the transfer.
        case stopped
    }

    /// The maximum number of bytes that are read of a response that is not the file.
    private static let maximumExcuse = 1 << 20

    static var noMemory: String { localized("there is not enough memory for a request") }

    let userAgent: String
    /// Whether the server may compress the content. Lengths and ranges then are those of the compressed content.
    var acceptsCompression = false
    /// The time limit for connecting, and for a time without any byte, in seconds.
    var patience = 60

    /// Requests a file.
    ///
    /// - Parameters:
    ///   - headers: lines such as `Range: bytes=100-`.
    ///   - onlyHead: whether to request only the headers.
    /// - Returns: the status and headers, also of a response that is not the file.
    func get(
        _ url: String, headers: [String] = [], onlyHead: Bool = false, to receiver: any HTTPReceiver
    ) throws(Failure) -> HTTPHead {
        // NULL: out of memory
        guard let handle = curl_easy_init() else { throw .unreachable(Self.noMemory) }
        defer { curl_easy_cleanup(handle) }
        var list: UnsafeMutablePointer<curl_slist>?
        // NULL: out of memory; the former list is lost, and the request is made without these headers.
        for header in headers { list = curl_slist_append(list, header) }
        defer { curl_slist_free_all(list) }
        let context = Context(handle: handle, receiver: receiver)
        return try withExtendedLifetime(context) { () throws(Failure) in
            let pointer = Unmanaged.passUnretained(context).toOpaque()
            let isSet = [
                hunch_curl_set_text(handle, CURLOPT_URL, url),
                hunch_curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https"),
                hunch_curl_set_text(handle, CURLOPT_USERAGENT, userAgent),
                hunch_curl_set_list(handle, CURLOPT_HTTPHEADER, list),
                // Any compression that libcurl supports.
                acceptsCompression ? hunch_curl_set_text(handle, CURLOPT_ACCEPT_ENCODING, "") : CURLE_OK,
                hunch_curl_set_number(handle, CURLOPT_NOBODY, onlyHead ? 1 : 0),
                hunch_curl_set_number(handle, CURLOPT_FILETIME, 1),
                hunch_curl_set_number(handle, CURLOPT_FOLLOWLOCATION, 0),
                hunch_curl_set_number(handle, CURLOPT_CONNECTTIMEOUT, patience),
                hunch_curl_set_number(handle, CURLOPT_LOW_SPEED_LIMIT, 1),
                hunch_curl_set_number(handle, CURLOPT_LOW_SPEED_TIME, patience),
                // libcurl must not install signal handlers in this process.
                hunch_curl_set_number(handle, CURLOPT_NOSIGNAL, 1),
                hunch_curl_set_receiver(handle, { Context.receive($0, $1, $2, $3) }, pointer),
                hunch_curl_set_progress(
                    handle, { context, _, _, _, _ in Context.isCancelled(context) ? 1 : 0 }, pointer),
            ].allSatisfy { $0 == CURLE_OK }
            guard isSet else { throw .unreachable(localized("the address is not a valid URL")) }
            let result = curl_easy_perform(handle)
            switch result {
            case CURLE_OK: return Context.head(of: handle)
            case CURLE_PARTIAL_FILE: throw .incomplete
            case CURLE_WRITE_ERROR, CURLE_ABORTED_BY_CALLBACK:
                if context.isExcuse { return Context.head(of: handle) }
                throw .stopped
            // The connection was reset within the content, or the end of a chunked response is missing.
            case CURLE_RECV_ERROR where context.hasContent: throw .incomplete
            default: throw .unreachable(String(cString: curl_easy_strerror(result)))
            }
        }
    }

    /// The state of a running transfer.
    private final class Context {
        private let handle: UnsafeMutableRawPointer
        private let receiver: any HTTPReceiver
        private var head: HTTPHead?
        private var excuseLength = 0
        /// Whether a response that is not the file was ended because of its length.
        var isExcuse: Bool { excuseLength > HTTPTransfer.maximumExcuse }
        /// Whether bytes of the file have arrived.
        private(set) var hasContent = false

        init(handle: UnsafeMutableRawPointer, receiver: any HTTPReceiver) {
            self.handle = handle
            self.receiver = receiver
        }

        static func isCancelled(_ context: UnsafeMutableRawPointer?) -> Bool {
            guard let context else { return true }
            return Unmanaged<Context>.fromOpaque(context).takeUnretainedValue().receiver.isCancelled
        }

        /// Receives bytes from libcurl. Any result other than their number ends the transfer.
        static func receive(
            _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
        ) -> Int {
            guard let bytes, let context else { return 0 }
            let length = size * count
            let isAccepted = Unmanaged<Context>.fromOpaque(context).takeUnretainedValue().take(
                UnsafeRawBufferPointer(start: bytes, count: length))
            return isAccepted ? length : 0
        }

        private func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
            // All headers have arrived before the content.
            let head = head ?? Self.head(of: handle)
            self.head = head
            guard [200, 206].contains(head.status) else {
                // libcurl resolves the target of a redirect only at the end of the response.
                excuseLength += bytes.count
                return !isExcuse
            }
            hasContent = true
            return receiver.receive(bytes, of: head)
        }

        static func head(of handle: UnsafeMutableRawPointer) -> HTTPHead {
            var status = 0
            var length: curl_off_t = -1
            var time: curl_off_t = -1
            var target: UnsafeMutablePointer<CChar>?
            // All leave the value unchanged if it is unknown, or set −1. The handle owns the text.
            _ = hunch_curl_get_number(handle, CURLINFO_RESPONSE_CODE, &status)
            _ = hunch_curl_get_offset(handle, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length)
            _ = hunch_curl_get_offset(handle, CURLINFO_FILETIME_T, &time)
            _ = hunch_curl_get_text(handle, CURLINFO_REDIRECT_URL, &target)
            return HTTPHead(
                status: status, length: length >= 0 ? Int64(length) : nil, entityTag: header("ETag", of: handle),
                lastModified: header("Last-Modified", of: handle), modified: time >= 0 ? Int(time) : nil,
                range: header("Content-Range", of: handle), target: target.map { String(cString: $0) })
        }

        /// Returns the value of a header of the last response; `nil` without one, or if it is longer than 256 bytes.
        private static func header(_ name: String, of handle: UnsafeMutableRawPointer) -> String? {
            var header: UnsafeMutablePointer<curl_header>?
            guard curl_easy_header(handle, name, 0, UInt32(CURLH_HEADER), -1, &header) == CURLHE_OK, let header else {
                return nil
            }
            // The handle owns the text.
            let value = String(cString: header.pointee.value)
            return value.utf8.count <= 256 ? value : nil
        }
    }
}
