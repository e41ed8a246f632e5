import FoundationEssentials
import Glibc
import HunchModel

/// Writes a message to standard error, which web servers keep in their log.
func complain(_ reason: String) { send(Array("hunch-aggregator: \(reason)\n".utf8), to: STDERR_FILENO) }

/// Writes bytes to a descriptor, as many as its reader takes.
private func send(_ bytes: [UInt8], to descriptor: CInt) {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        // −1 on failure: the reader has gone.
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
    }
}

/// A request as a web server passes it to a CGI program (RFC 3875).
struct Request {
    /// The longest body, in bytes: about 3,000 reports.
    static let bodyLimit = 1 << 20

    /// The method, such as `GET`.
    let method: String
    private let length: Int?
    private let type: String

    init(environment: [String: String]) {
        method = environment["REQUEST_METHOD"] ?? "GET"
        type = environment["CONTENT_TYPE"] ?? ""
        length = environment["CONTENT_LENGTH"].flatMap { Int($0) }
    }

    /// Reads the body from standard input.
    ///
    /// - Throws: ``Refusal``.
    func body() throws(Refusal) -> [UInt8] {
        // Web pages cannot send this type to another site, so they cannot make their visitors report.
        guard type.prefix(while: { $0 != ";" }).lowercased() == "application/x-ndjson" else {
            throw Refusal(415, "the type of the body must be application/x-ndjson")
        }
        // Without a length, nothing says whether the body is complete.
        guard let length, length >= 0 else { throw Refusal(411, "the length of the body is missing") }
        guard length <= Self.bodyLimit else { throw Refusal(413, "the body has more than \(Self.bodyLimit) bytes") }
        var body = [UInt8](repeating: 0, count: length)
        var received = 0
        while received < length {
            let count = body.withUnsafeMutableBytes { buffer in
                read(STDIN_FILENO, buffer.baseAddress.map { $0 + received }, length - received)
            }
            // 0 at the end of the input, −1 on failure.
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Refusal(400, "the body is shorter than its length") }
            received += count
        }
        return body
    }
}

/// The reason why a request is not carried out.
struct Refusal: Error {
    /// The status, RFC 9110 section 15.
    let status: Int
    let reason: String

    init(_ status: Int, _ reason: String) { (self.status, self.reason) = (status, reason) }
}

/// A response, as a CGI program writes it.
struct Response {
    let status: Int
    let type: String
    let body: [UInt8]

    /// Creates the response with a sketch, which may be kept for an hour.
    init(sketch: [UInt8]) { (status, type, body) = (200, "application/json\r\nCache-Control: max-age=3600", sketch) }

    /// Creates the response to reports that were added.
    static let added = Response(status: 204, type: "text/plain", body: [])

    init(status: Int, type: String, body: [UInt8]) { (self.status, self.type, self.body) = (status, type, body) }

    /// Creates the response to a failure. The server's log has the details.
    init(_ error: any Error) {
        let refusal = error as? Refusal
        if refusal == nil { complain(words(error)) }
        status = refusal?.status ?? 500
        type = "text/plain; charset=utf-8" + (status == 405 ? "\r\nAllow: GET, HEAD, POST" : "")
        body = Array("\(refusal?.reason ?? "the aggregator failed; its log says why")\n".utf8)
    }

    /// The reason phrases, RFC 9110 section 15. A CGI program must give one.
    private static let phrases = [
        200: "OK", 204: "No Content", 400: "Bad Request", 405: "Method Not Allowed", 411: "Length Required",
        413: "Content Too Large", 415: "Unsupported Media Type", 500: "Internal Server Error",
    ]

    /// Writes the response to standard output.
    func write() {
        let head =
            "Status: \(status) \(Self.phrases[status] ?? "Error")\r\nContent-Type: \(type)\r\nX-Content-Type-Options: nosniff\r\n\r\n"
        send(Array(head.utf8) + body, to: STDOUT_FILENO)
    }
}
