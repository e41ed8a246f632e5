internal import FoundationEssentials
internal import HunchModel

/// The notes next to a file that was downloaded in part or completely: the version of the file at the server.
struct DownloadRecord: Codable, Equatable {
    var address: String
    /// `ETag`, if it is strong.
    var entityTag: String?
    var lastModified: String?
    /// The length of the whole file in bytes; `nil` if it is unknown.
    var length: Int64?
    /// The MD5 checksum that the publisher gave, in hexadecimal digits.
    var checksum: String?

    init(address: String, head: HTTPHead, length: Int64?, checksum: String?) {
        self.address = address
        // A weak tag does not promise that the bytes are the same (RFC 9110, 8.8.1).
        entityTag = head.entityTag.flatMap { $0.hasPrefix("\"") ? $0 : nil }
        lastModified = head.lastModified
        self.length = length
        self.checksum = checksum
    }

    /// The value of `If-Range`, by which the server continues only the same version (RFC 9110, 13.1.5); `nil` if it
    /// names none.
    var validator: String? { entityTag ?? lastModified }

    /// Returns whether a response describes the same version of the file.
    ///
    /// - Parameter length: the length of the whole file according to the response.
    func matches(_ head: HTTPHead, length: Int64?) -> Bool {
        if let own = self.length, let length, own != length { return false }
        if let entityTag, let other = head.entityTag { return entityTag == other }
        if let lastModified, let other = head.lastModified { return lastModified == other }
        return false
    }
}

/// The decision about a response to a request for the rest of a file.
enum DownloadStep: Equatable {
    /// The content continues the file, whose whole length is given if it is known.
    case append(length: Int64?)
    /// The content is the whole file, so the partial one is discarded.
    case startAnew(length: Int64?)
    /// The partial file is useless, so it is discarded and the whole file requested.
    case discard
    /// The server has no such file.
    case notFound
    /// The server refused with this status.
    case refused(Int)

    /// - Parameters:
    ///   - offset: the number of bytes that exist already, from which the request asked to continue; 0 for a request of
    ///     the whole file.
    ///   - record: the notes about the bytes that exist already.
    init(_ head: HTTPHead, at offset: Int64, record: DownloadRecord?) {
        switch head.status {
        case 200: self = .startAnew(length: head.length)
        case 206 where offset > 0:
            // RFC 9110, 14.4: “bytes FIRST-LAST/LENGTH”, with “*” for an unknown length.
            let words = (head.range ?? "").split { " -/".contains($0) }
            let length = words.count == 4 ? Int64(words[3]) : nil
            guard words.count == 4, words[0].lowercased() == "bytes", Int64(words[1]) == offset,
                length != nil || words[3] == "*", record?.length == nil || length == nil || record?.length == length
            else {
                self = .discard
                return
            }
            self = .append(length: length ?? record?.length)
        case 416 where offset > 0: self = .discard
        case 404, 410: self = .notFound
        default: self = .refused(head.status)
        }
    }
}
