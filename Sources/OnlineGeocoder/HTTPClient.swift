import CCurl
import Glibc
internal import HunchModel

/// Asks web servers, one question at a time and blocking, through libcurl.
///
/// Only `http` and `https`; certificates are checked; no redirect is followed, so that no other server learns what was
/// asked; nothing is sent but the question, the name of this program and the languages wanted.
struct HTTPClient {
    /// The answer of a server.
    struct Answer: Equatable {
        var status: Int
        var body: [UInt8]
        /// The time in seconds for which the server wants no requests; 0 if it does not say.
        var retryAfter: Int
    }

    /// Why there is no answer, in words.
    struct Failure: Error {
        var message: String
        var isTooLong = false
    }

    /// The most bytes of an answer.
    static let maximumLength = 1 << 20

    /// In milliseconds, from the question to the end of the answer.
    let timeout: Int
    let userAgent: String

    /// Asks for a page.
    ///
    /// - Parameter languages: as in `Accept-Language`, RFC 9110 section 12.5.4.
    func get(_ url: String, languages: String) throws(Failure) -> Answer {
        // NULL when there is no memory.
        guard let handle = curl_easy_init() else { throw Failure(message: "there is no memory for a request") }
        defer { curl_easy_cleanup(handle) }
        // NULL when there is no memory; then nothing is owned.
        let headers = curl_slist_append(
            curl_slist_append(nil, "Accept: application/json"), "Accept-Language: \(languages)")
        defer { curl_slist_free_all(headers) }
        let received = Received(limit: Self.maximumLength)
        let isSet = withExtendedLifetime(received) {
            let context = Unmanaged.passUnretained(received).toOpaque()
            return [
                hunch_curl_set_text(handle, CURLOPT_URL, url),
                hunch_curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https"),
                hunch_curl_set_text(handle, CURLOPT_USERAGENT, userAgent),
                // Whatever compression libcurl knows.
                hunch_curl_set_text(handle, CURLOPT_ACCEPT_ENCODING, ""),
                hunch_curl_set_list(handle, CURLOPT_HTTPHEADER, headers),
                hunch_curl_set_number(handle, CURLOPT_TIMEOUT_MS, timeout),
                hunch_curl_set_number(handle, CURLOPT_FOLLOWLOCATION, 0),
                // Signals are the process's own business.
                hunch_curl_set_number(handle, CURLOPT_NOSIGNAL, 1),
                hunch_curl_set_receiver(handle, { Received.receive($0, $1, $2, $3) }, context),
            ].allSatisfy { $0 == CURLE_OK }
        }
        guard isSet else { throw Failure(message: "the address of the service is not one that can be asked") }
        let result = withExtendedLifetime(received) { curl_easy_perform(handle) }
        guard result == CURLE_OK else {
            if received.isTooLong {
                throw Failure(message: "the answer is longer than \(Self.maximumLength) bytes", isTooLong: true)
            }
            throw Failure(message: String(cString: curl_easy_strerror(result)))
        }
        var status = 0
        var wait: curl_off_t = 0
        // Both leave the value alone when it is not known.
        _ = hunch_curl_get_number(handle, CURLINFO_RESPONSE_CODE, &status)
        _ = hunch_curl_get_offset(handle, CURLINFO_RETRY_AFTER, &wait)
        return Answer(status: status, body: received.bytes, retryAfter: Int(wait))
    }

    /// The servers and protocols that may be used.
    enum Reach {
        /// Those on the public internet, by `https` alone and without a proxy, whose place the address would take.
        case publicServers
        /// All, also on this machine.
        case any
    }

    /// Returns the target of a page's redirect.
    ///
    /// - Parameter onlyHead: whether to request the page without its content.
    /// - Returns: an absolute address; `nil` without a redirect.
    func redirect(of url: String, onlyHead: Bool, reach: Reach) throws(Failure) -> String? {
        // NULL when there is no memory.
        guard let handle = curl_easy_init() else { throw Failure(message: "there is no memory for a request") }
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
        guard isSet else { throw Failure(message: "the link is not one that can be asked for") }
        let result = withExtendedLifetime(received) { curl_easy_perform(handle) }
        var status = 0
        var target: UnsafeMutablePointer<CChar>?
        // Both leave the value alone when it is not known. The text is the handle's.
        _ = hunch_curl_get_number(handle, CURLINFO_RESPONSE_CODE, &status)
        _ = hunch_curl_get_text(handle, CURLINFO_REDIRECT_URL, &target)
        guard result != CURLE_OK else { return target.map { String(cString: $0) } }
        guard received.isTooLong else { throw Failure(message: String(cString: curl_easy_strerror(result))) }
        // A page that is too long to be read has said where it sends before; only what is read whole is resolved.
        var header: UnsafeMutablePointer<curl_header>?
        guard (300..<400).contains(status),
            curl_easy_header(handle, "Location", 0, UInt32(CURLH_HEADER), -1, &header) == CURLHE_OK, let header
        else { return nil }
        // The text is the handle's.
        let location = String(cString: header.pointee.value)
        return location.contains("://") ? location : nil
    }

    /// Fetches a picture. No redirect is followed, and nothing tells the server more than this program's name.
    ///
    /// - Parameter limit: the most bytes.
    func picture(at url: String, limit: Int, reach: Reach) throws(Failure) -> [UInt8] {
        // NULL when there is no memory.
        guard let handle = curl_easy_init() else { throw Failure(message: "there is no memory for a request") }
        defer { curl_easy_cleanup(handle) }
        // NULL when there is no memory; then nothing is owned.
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
        guard isSet else { throw Failure(message: "the address is not one that can be asked") }
        let result = withExtendedLifetime(received) { curl_easy_perform(handle) }
        guard !received.isTooLong else { throw Failure(message: "it has more than \(limit) bytes", isTooLong: true) }
        guard result == CURLE_OK else { throw Failure(message: String(cString: curl_easy_strerror(result))) }
        var status = 0
        var type: UnsafeMutablePointer<CChar>?
        // Both leave the value alone when it is not known. The text is the handle's.
        _ = hunch_curl_get_number(handle, CURLINFO_RESPONSE_CODE, &status)
        _ = hunch_curl_get_text(handle, CURLINFO_CONTENT_TYPE, &type)
        guard status == 200 else { throw Failure(message: "its server answers with status \(status)") }
        guard let type, String(cString: type).lowercased().hasPrefix("image/") else {
            throw Failure(message: "its server does not say that it is a picture")
        }
        return received.bytes
    }

    /// Sets which servers a request may reach.
    private static func confine(_ handle: UnsafeMutableRawPointer, to reach: Reach) -> [CURLcode] {
        guard case .publicServers = reach else { return [] }
        return [
            hunch_curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "https"),
            hunch_curl_set_text(handle, CURLOPT_NOPROXY, "*"),
            hunch_curl_set_opener(handle, { _, _, address in HTTPClient.openPublic(address) }, nil),
        ]
    }

    /// A socket for a public address; what libcurl takes for a failure for any other.
    private static func openPublic(_ address: UnsafeMutablePointer<curl_sockaddr>?) -> curl_socket_t {
        guard let address, let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else { return CURL_SOCKET_BAD }
        // Where the address is in `sockaddr_in` and in `sockaddr_in6`.
        let (start, count) = address.pointee.family == AF_INET ? (4, 4) : (8, 16)
        let bytes = UnsafeRawBufferPointer(
            start: UnsafeRawPointer(address) + offset, count: Int(address.pointee.addrlen))
        guard [AF_INET, AF_INET6].contains(address.pointee.family), bytes.count >= start + count,
            NetworkAddress.isPublic(Array(bytes[start..<(start + count)]))
        else { return CURL_SOCKET_BAD }
        return socket(
            address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue), address.pointee.`protocol`)
    }

    /// The data received so far.
    private final class Received {
        var bytes: [UInt8] = []
        var isTooLong = false
        private let limit: Int

        init(limit: Int) { self.limit = limit }

        /// Takes bytes from libcurl. Anything but their number ends the transfer.
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
