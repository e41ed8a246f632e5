internal import Files
internal import HunchModel
internal import Glibc

/// Reads untrusted paths safely: a pipe, device or symbolic link at the path does no harm.
package enum LocalFile {
    /// Returns the path of a `file:` URI of this machine (RFC 8089); `nil` for anything else.
    package static func path(ofURI uri: String) -> String? {
        bytes(ofURI: uri).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// Returns the path of a `file:` URI of this machine in its own encoding; `nil` for anything else.
    static func bytes(ofURI uri: String) -> [UInt8]? {
        guard uri.lowercased().hasPrefix("file:") else { return nil }
        var rest = uri.dropFirst(5)
        if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
            let host = rest.prefix { $0 != "/" }
            guard host.isEmpty || host.lowercased() == "localhost" else { return nil }
            rest = rest.dropFirst(host.count)
        }
        guard rest.hasPrefix("/"), let path = PercentCoding.bytes(of: rest), !path.contains(0) else { return nil }
        return path
    }

    /// Returns a `file:` URI with its encoding repaired, or the URI of an absolute path; any other address unchanged.
    /// `nil` for a file whose path has control characters.
    ///
    /// Some players send raw spaces, `#`, `?` or `%`. In a URI with raw spaces nothing is encoded, unless each `%`
    /// begins an escape.
    static func repairedURI(_ text: String) -> String? {
        let isPath = text.hasPrefix("/")
        guard isPath || text.lowercased().hasPrefix("file:") else { return text }
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
        if isPath { return uri(ofPath: text) }
        let isEncoded = PercentCoding.bytes(of: Substring(text)) != nil
        guard text.contains(" ") || !isEncoded else { return text }
        let rest = text.dropFirst(5)
        let hasEscapes = isEncoded && text.contains("%")
        return "file:" + PercentCoding.encode(String(rest), keeping: hasEscapes ? "/%?#" + others : "/" + others)
    }

    /// The characters other than `/` that a path of a URI may contain (RFC 3986, section 3.3).
    private static let others = "!$&'()*+,;=:@"

    /// Returns the `file:` URI of an absolute path.
    package static func uri(ofPath path: String) -> String {
        "file://" + PercentCoding.encode(path, keeping: "/")
    }

    /// Returns the bytes of a regular file.
    ///
    /// - Throws: ``MediaError`` with the code `unusableArtwork` if the file cannot be opened, is a symbolic link, is
    ///   not a regular file, is empty, or is larger than `limit` bytes.
    package static func contents(of path: String, limit: Int) throws(MediaError) -> [UInt8] {
        let descriptor: CInt
        do {
            descriptor = try ForeignFile.open(path)
        } catch {
            throw unusable(path, error.code == EINVAL ? "it is not a regular file" : "\(error)")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw unusable(path, "\(SystemError())") }
        guard status.st_size > 0, status.st_size <= limit else {
            throw unusable(path, "it has \(status.st_size) bytes; the limit is \(limit)")
        }
        // The extra byte detects a file that grows while it is read.
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size) + 1)
        var count = 0
        while count < bytes.count {
            let size = bytes.withUnsafeMutableBytes {
                read(descriptor, $0.baseAddress?.advanced(by: count), $0.count - count)
            }
            if size < 0, errno == EINTR { continue }
            guard size >= 0 else { throw unusable(path, String(cString: strerror(errno))) }
            if size == 0 { break }
            count += size
        }
        guard count == Int(status.st_size) else { throw unusable(path, "it changed while it was read") }
        bytes.removeLast()
        return bytes
    }

    private static func unusable(_ path: String, _ reason: String) -> MediaError {
        MediaError(.unusableArtwork, "the picture \(path) cannot be used: \(reason)")
    }
}
