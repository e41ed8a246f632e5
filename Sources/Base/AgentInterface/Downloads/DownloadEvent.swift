internal import FoundationEssentials

/// A line in the pipe of `org.hunch.OnlineGeocoder1.Download`: one JSON object. The interface's XML documents the keys.
public enum DownloadEvent: Hashable, Sendable {
    /// A file of the source, before anything of it is downloaded.
    case file(DownloadFile)
    /// The progress of a file, in bytes. The length is `nil` if the server does not announce it.
    case progress(name: String, received: Int64, length: Int64?)
    /// Everything is downloaded and checked: the absolute path of the file to import. The others are next to it.
    case done(path: String)
    /// The download failed. It is the last event.
    case failed(DownloadFailure)

    /// The maximum length of a line, in bytes.
    public static let maximumLength = 16_384

    private enum Kind: String, Codable { case file, progress, done, failed }

    private struct Fields: Codable {
        var event: Kind
        var name: String?
        var address: String?
        var length: Int64?
        var received: Int64?
        var path: String?
        var code: DownloadFailure.Code?
        var detail: String?
        var available: Int64?
    }

    /// Reads a line; `nil` if it is malformed.
    public init?(line: some Sequence<UInt8>) {
        guard let fields = try? JSONDecoder().decode(Fields.self, from: Data(line)) else { return nil }
        switch fields.event {
        case .file:
            guard let name = fields.name, let address = fields.address else { return nil }
            self = .file(
                DownloadFile(name: name, address: address, length: fields.length, received: fields.received ?? 0))
        case .progress:
            guard let name = fields.name, let received = fields.received else { return nil }
            self = .progress(name: name, received: received, length: fields.length)
        case .done:
            guard let path = fields.path else { return nil }
            self = .done(path: path)
        case .failed:
            guard let code = fields.code else { return nil }
            self = .failed(
                DownloadFailure(
                    code, address: fields.address ?? "", detail: fields.detail ?? "", length: fields.length,
                    available: fields.available))
        }
    }

    /// The line with its end.
    public var line: [UInt8] {
        let fields =
            switch self {
            case .file(let file):
                Fields(
                    event: .file, name: file.name, address: file.address, length: file.length, received: file.received)
            case .progress(let name, let received, let length):
                Fields(event: .progress, name: name, length: length, received: received)
            case .done(let path): Fields(event: .done, path: path)
            case .failed(let failure):
                Fields(
                    event: .failed, address: failure.address, length: failure.length, code: failure.code,
                    detail: failure.detail, available: failure.available)
            }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // The fields are texts and integers, which can always be encoded.
        return Array((try? encoder.encode(fields)) ?? Data()) + [0x0A]
    }
}

/// A file of a source.
public struct DownloadFile: Hashable, Sendable {
    /// The name, such as `cities500.zip`.
    public var name: String
    /// The address from which it is downloaded.
    public var address: String
    /// The length in bytes; `nil` if the server does not announce it.
    public var length: Int64?
    /// The bytes that an earlier, interrupted download left on this machine.
    public var received: Int64

    /// Creates a file.
    public init(name: String, address: String, length: Int64?, received: Int64) {
        (self.name, self.address, self.length, self.received) = (name, address, length, received)
    }
}

/// The reason why a download failed.
public struct DownloadFailure: Error, Hashable, Sendable {
    /// The kinds of failures.
    public enum Code: String, Codable, Sendable {
        /// The server has no such file.
        case notFound
        /// The server cannot be reached or stopped answering. The detail is libcurl's reason.
        case unreachable
        /// The server answered with an unexpected status, which is the detail.
        case refused
        /// The server redirects too often or to an address that is not allowed, which is the detail.
        case badRedirect
        /// The address is not allowed: it is not encrypted, and its server is not on this machine.
        case insecure
        /// The file is larger than the limit, which is the length.
        case tooLarge
        /// The disk has too little space: `length` is the required and `available` the free space.
        case noSpace
        /// The connection ended before the end of the file.
        case incomplete
        /// The file is not the announced one: its length changed between two requests.
        case changed
        /// The checksum of the file is wrong.
        case wrongChecksum
        /// The file cannot be written. The detail is the system's reason.
        case storage
    }

    /// The kind of failure.
    public var code: Code
    /// The address that was requested.
    public var address: String
    /// More about the reason; see ``Code``.
    public var detail: String
    /// A number of bytes; see ``Code``.
    public var length: Int64?
    /// The free space in bytes, for ``Code/noSpace``.
    public var available: Int64?

    /// Creates a failure.
    public init(
        _ code: Code, address: String, detail: String = "", length: Int64? = nil, available: Int64? = nil
    ) {
        self.code = code
        self.address = address
        self.detail = detail
        self.length = length
        self.available = available
    }
}
