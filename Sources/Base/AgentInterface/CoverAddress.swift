/// The addresses of covers that may be fetched from the network. The agent and the online geocoder both check them.
public enum CoverAddress {
    /// The longest address in bytes.
    public static let maximumLength = 2_048
    /// The largest image in bytes.
    public static let maximumSize = 2 << 20

    /// Returns whether a text is an `https` address in printable ASCII, without a user name or a fragment.
    public static func isValid(_ text: String) -> Bool {
        guard text.hasPrefix("https://"), text.utf8.count <= maximumLength,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") })
        else { return false }
        let host = text.dropFirst("https://".count).prefix { $0 != "/" && $0 != "?" }
        return !host.isEmpty && !host.contains("@") && !host.contains("\\")
    }
}
