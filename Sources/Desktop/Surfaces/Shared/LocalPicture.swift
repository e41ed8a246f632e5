/// Validation of pictures whose URI is passed to another program.
enum LocalPicture {
    /// The maximum length of a picture's URI, in bytes.
    static let limit = 4_096

    /// Returns the URI if it names a file on this machine.
    static func uri(_ uri: String) -> String? {
        guard uri.utf8.count <= limit, uri.hasPrefix("file:///"), uri.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        return uri
    }
}
