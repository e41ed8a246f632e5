/// The addresses of pictures on the network that may be fetched at all: what the agent asks for and what the program with
/// the network goes by.
public enum CoverAddress {
    /// The most bytes of an address.
    public static let maximumLength = 2_048
    /// The most bytes of a picture.
    public static let maximumSize = 2 << 20

    /// Whether a text is an `https` address in printable ASCII, without a user name or a fragment.
    public static func isValid(_ text: String) -> Bool {
        guard text.hasPrefix("https://"), text.utf8.count <= maximumLength,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") })
        else { return false }
        let host = text.dropFirst("https://".count).prefix { $0 != "/" && $0 != "?" }
        return !host.isEmpty && !host.contains("@") && !host.contains("\\")
    }
}
