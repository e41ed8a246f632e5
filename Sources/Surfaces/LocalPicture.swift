/// Pictures that a surface may point another program at.
enum LocalPicture {
    /// The longest URI of a picture, in bytes.
    static let limit = 4_096

    /// The URI when it names a file of this machine.
    static func uri(_ uri: String) -> String? {
        guard uri.utf8.count <= limit, uri.hasPrefix("file:///"), uri.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        return uri
    }
}
