import CCurl
import Glibc
internal import HunchModel
internal import Localization

/// A blocking HTTP client over libcurl, for one request at a time.
///
/// It uses only `http` and `https` and verifies certificates. It follows no redirects, so that no other server learns
/// the request. It sends only the request, the name of this program and the preferred languages.
struct HTTPClient {
    /// The response of a server.
    struct Response: Equatable {
        var status: Int
        var body: [UInt8]
        /// The time from `Retry-After` in seconds, or 0 if the server gives none.
        var retryAfter: Int
    }

    /// The reason why there is no response, in words.
    struct Failure: Error {
        var message: String
        var isTooLong = false
    }

    /// The maximum size of a response, in bytes.
    static let maximumLength = 1 << 20

    /// The time limit for a whole request, in milliseconds.
    let timeout: Int
    let userAgent: String

    /// Requests a page, or sends text.
    ///
    /// - Parameters:
    ///   - languages: the value of `Accept-Language`, RFC 9110 section 12.5.4; `nil` sends none.
    ///   - lines: JSON objects, one a line, to send with `POST`; `nil` for `GET`.
    ///   - compression: the value of `Accept-Encoding`; empty for all that libcurl supports.
    func request(
        _ url: String, languages: String? = nil, lines: String? = nil, compression: String = ""
    ) throws(Failure) -> Response {
        // NULL: out of memory
        guard let handle = curl_easy_init() else { throw Failure(message: HTTPTransfer.noMemory) }
        defer { curl_easy_cleanup(handle) }
        // NULL: out of memory, and nothing is owned
        var headers = curl_slist_append(nil, "Accept: application/json")
        if let languages { headers = curl_slist_append(headers, "Accept-Language: \(languages)") }
        if lines != nil { headers = curl_slist_append(headers, "Content-Type: application/x-ndjson") }
        defer { curl_slist_free_all(headers) }
        let received = Received(limit: Self.maximumLength)
        let isSet = withExtendedLifetime(received) {
            let context = Unmanaged.passUnretained(received).toOpaque()
            return [
                hunch_curl_set_text(handle, CURLOPT_URL, url),
                hunch_curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https"),
                hunch_curl_set_text(handle, CURLOPT_USERAGENT, userAgent),
                hunch_curl_set_text(handle, CURLOPT_ACCEPT_ENCODING, compression),
                hunch_curl_set_list(handle, CURLOPT_HTTPHEADER, headers),
                hunch_curl_set_number(handle, CURLOPT_TIMEOUT_MS, timeout),
                hunch_curl_set_number(handle, CURLOPT_FOLLOWLOCATION, 0),
                // libcurl must not install signal handlers in this process.
                hunch_curl_set_number(handle, CURLOPT_NOSIGNAL, 1),
                hunch_curl_set_receiver(handle, { Received.receive($0, $1, $2, $3) }, context),
                lines.map { hunch_curl_set_text(handle, CURLOPT_COPYPOSTFIELDS, $0) } ?? CURLE_OK,
            ].allSatisfy { $0 == CURLE_OK }
        }
        guard isSet else { throw Failure(message: localized("the URL of the service is invalid")) }
        let result = withExtendedLifetime(received) { curl_easy_perform(handle) }
        guard result == CURLE_OK else {
            if received.isTooLong {
                throw Failure(
                    message: localized("the response is larger than %1 bytes", Self.maximumLength), isTooLong: true)
            }
            throw Failure(message: String(cString: curl_easy_strerror(result)))
        }
        var status = 0
        var wait: curl_off_t = 0
        // Both leave the value unchanged if it is unknown.
        _ = hunch_curl_get_number(handle, CURLINFO_RESPONSE_CODE, &status)
        _ = hunch_curl_get_offset(handle, CURLINFO_RETRY_AFTER, &wait)
        return Response(status: status, body: received.bytes, retryAfter: Int(wait))
    }

    /// The servers to which connections are allowed.
    enum Reach {
        /// Servers on the public internet, by `https` only. Proxies are not used, because a request through a proxy
        /// would pass the check by the proxy's address.
        case publicServers
        /// All servers, even on this machine.
        case any
    }

    /// Returns the target of a redirect.
    ///
    /// - Parameter onlyHead: whether to request the page without its content.
    /// - Returns: an absolute URL, or `nil` if the server does not redirect.
    func redirect(of url: String, onlyHead: Bool, reach: Reach) throws(Failure) -> String? {
        // NULL: out of memory
        guard let handle = curl_easy_init() else { throw Failure(message: HTTPTransfer.noMemory) }
        defer { curl_easy_cleanup(handle) }
        let received = Received(limit: Self.maximumLength)
        let isSet = withExtendedLifetime(received) {
            let context = Unmanaged.passUnretained(received).toOpaque()
            var results = [
                hunch_curl_set_text(handle, CURLOPT_URL, url),
                hunch_curl_set_text(handle, CURLOPT_USERAGENT, userAgent),
                hunch_curl_set_number(handle, CURLOPT_NOBODY, onlyHead ? 1 : 0),
                hunch_curl_set_number(handle, CURLOPT_TIMEOUT_MS, timeout),
                hunch_curl_set_number(handle, CURLOPT_FOLLOWLOCATION, 0),
                hunch_curl_set_number(handle, CURLOPT_NOSIGNAL, 1),
                hunch_curl_set_receiver(handle, { Received.receive($0, $1, $2, $3) }, context),
            ]
            results += Self.confine(handle, to: reach)
            return results.allSatisfy { $0 == CURLE_OK }
        }
        guard isSet else { throw Failure(message: localized("the link is not a valid URL")) }
        let result = withExtendedLifetime(received) { curl_easy_perform(handle) }
        var status = 0
        var target: UnsafeMutablePointer<CChar>?
        // Both leave the value unchanged if it is unknown. The handle owns the text.
        _ = hunch_curl_get_number(handle, CURLINFO_RESPONSE_CODE, &status)
        _ = hunch_curl_get_text(handle, CURLINFO_REDIRECT_URL, &target)
        guard result != CURLE_OK else { return target.map { String(cString: $0) } }
        guard received.isTooLong else { throw Failure(message: String(cString: curl_easy_strerror(result))) }
        // The header of a page that is too long has arrived, so its target is known. But libcurl resolves relative URLs
        // only for complete responses.
        var header: UnsafeMutablePointer<curl_header>?
        guard (300..<400).contains(status),
            curl_easy_header(handle, "Location", 0, UInt32(CURLH_HEADER), -1, &header) == CURLHE_OK, let header
        else { return nil }
        // The handle owns the text.
        let location = String(cString: header.pointee.value)
        return location.contains("://") ? location : nil
    }

    /// Downloads a picture. Follows no redirects, and sends only the request and the name of this program.
    ///
    /// - Parameter limit: the maximum size in bytes.
    func picture(at url: String, limit: Int, reach: Reach) throws(Failure) -> [UInt8] {
        // NULL: out of memory
        guard let handle = curl_easy_init() else { throw Failure(message: HTTPTransfer.noMemory) }
        defer { curl_easy_cleanup(handle) }
        // NULL: out of memory, and nothing is owned
        let headers = curl_slist_append(nil, "Accept: image/png, image/jpeg, image/webp")
        defer { curl_slist_free_all(headers) }
        let received = Received(limit: limit)
        let isSet = withExtendedLifetime(received) {
            let context = Unmanaged.passUnretained(received).toOpaque()
            let results = [
                hunch_curl_set_text(handle, CURLOPT_URL, url),
                hunch_curl_set_text(handle, CURLOPT_USERAGENT, userAgent),
                hunch_curl_set_list(handle, CURLOPT_HTTPHEADER, headers),
                hunch_curl_set_number(handle, CURLOPT_TIMEOUT_MS, timeout),
                hunch_curl_set_number(handle, CURLOPT_FOLLOWLOCATION, 0),
                hunch_curl_set_number(handle, CURLOPT_NOSIGNAL, 1),
                hunch_curl_set_receiver(handle, { Received.receive($0, $1, $2, $3) }, context),
            ]
            return (results + Self.confine(handle, to: reach)).allSatisfy { $0 == CURLE_OK }
        }
        guard isSet else { throw Failure(message: "its address is not a valid URL") }
        let result = withExtendedLifetime(received) { curl_easy_perform(handle) }
        guard !received.isTooLong else { throw Failure(message: "it is larger than \(limit) bytes", isTooLong: true) }
        guard result == CURLE_OK else { throw Failure(message: String(cString: curl_easy_strerror(result))) }
        var status = 0
        var type: UnsafeMutablePointer<CChar>?
        // Both leave the value unchanged if it is unknown. The handle owns the text.
        _ = hunch_curl_get_number(handle, CURLINFO_RESPONSE_CODE, &status)
        _ = hunch_curl_get_text(handle, CURLINFO_CONTENT_TYPE, &type)
        guard status == 200 else { throw Failure(message: "its server returned the status \(status)") }
        guard let type, String(cString: type).lowercased().hasPrefix("image/") else {
            throw Failure(message: "its server does not declare it as a picture")
        }
        return received.bytes
    }

    /// Sets the options that restrict a request to `reach`, and returns their results.
    private static func confine(_ handle: UnsafeMutableRawPointer, to reach: Reach) -> [CURLcode] {
        guard case .publicServers = reach else { return [] }
        return [
            hunch_curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "https"),
            hunch_curl_set_text(handle, CURLOPT_NOPROXY, "*"),
            hunch_curl_set_opener(handle, { _, _, address in HTTPClient.openPublic(address) }, nil),
        ]
    }

    /// Opens a socket for a public address. For any other returns `CURL_SOCKET_BAD`, which libcurl treats as a failure.
    private static func openPublic(_ address: UnsafeMutablePointer<curl_sockaddr>?) -> curl_socket_t {
        guard let address, let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else { return CURL_SOCKET_BAD }
        // The offset and length of the address in `sockaddr_in` or `sockaddr_in6`.
        let (start, count) = address.pointee.family == AF_INET ? (4, 4) : (8, 16)
        let bytes = UnsafeRawBufferPointer(
            start: UnsafeRawPointer(address) + offset, count: Int(address.pointee.addrlen))
        guard [AF_INET, AF_INET6].contains(address.pointee.family), bytes.count >= start + count,
            NetworkAddress.isPublic(Array(bytes[start..<(start + count)]))
        else { return CURL_SOCKET_BAD }
        return socket(
            address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue), address.pointee.`protocol`)
    }

    /// The bytes received so far.
    private final class Received {
        var bytes: [UInt8] = []
        var isTooLong = false
        private let limit: Int

        init(limit: Int) { self.limit = limit }

        /// Receives bytes from libcurl. Any result other than their number ends the transfer.
        static func receive(
            _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
        ) -> Int {
            guard let bytes, let context else { return 0 }
            let received = Unmanaged<Received>.fromOpaque(context).takeUnretainedValue()
            let length = size * count
            guard received.bytes.count + length <= received.limit else {
                received.isTooLong = true
                return 0
            }
            received.bytes.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: length))
            return length
        }
    }
}
