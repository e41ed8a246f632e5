/// The addresses of web pages: `https:` or `http:` URLs (RFC 9110, 4.2), which any browser opens.
public enum WebAddress {
    /// Returns whether a browser would carry out or draw the address itself, instead of the page to which it leads.
    public static func isScript(_ address: String) -> Bool {
        // Browsers ignore these characters.
        let letters = address.unicodeScalars.lazy.filter { $0.value > 0x20 }.prefix(16)
        let start = String(String.UnicodeScalarView(letters)).lowercased()
        return ["javascript:", "vbscript:", "data:"].contains(where: start.hasPrefix)
    }

    /// Returns whether a text begins with a scheme, as every address does: `https://example.org/`, `file:///tmp/a`, `geo:1,2`.
    public static func hasScheme(_ text: String) -> Bool {
        text.first?.isLetter == true && text.contains(":")
    }

    /// Returns the host of a web page's address as written; `nil` for other texts and if the host is empty, as in
    /// `http://` and `https:///path`.
    public static func host(of address: String) -> Substring? {
        let lower = address.cut(toBytes: 8).lowercased()
        guard let scheme = ["https://", "http://"].first(where: lower.hasPrefix) else { return nil }
        let authority = address.dropFirst(scheme.count).prefix { !"/?#\\".contains($0) }
        let afterUser = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        // The colons of an IPv6 address are within brackets.
        let isBracketed = afterUser.hasPrefix("[")
        let end = isBracketed ? afterUser.lastIndex(of: "]") : afterUser.firstIndex(of: ":")
        let host = isBracketed ? end.map { afterUser[...$0] } ?? "" : afterUser[..<(end ?? afterUser.endIndex)]
        return host.isEmpty || host == "[]" ? nil : host
    }

    /// Returns whether nobody on the network path can read or change what is exchanged with an address: it is an
    /// `https` address, or the host is this machine (`localhost`, or an address of the loopback network).
    public static func isConfidential(_ address: String) -> Bool {
        guard let host = host(of: address)?.lowercased() else { return false }
        if address.lowercased().hasPrefix("https://") || host == "localhost" || host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// Returns whether an address may be that of a page from whose address parameters and the fragment were removed.
    public static func mayBeSamePage(_ address: String, _ page: String) -> Bool {
        func parts(_ address: String) -> (path: Substring, parameters: Set<Substring>) {
            let address = address.prefix { $0 != "#" }
            let path = address.prefix { $0 != "?" }
            return (path, Set(address.dropFirst(path.count).dropFirst().split(separator: "&")))
        }
        let (one, other) = (parts(address), parts(page))
        return one.path == other.path && one.parameters.isSuperset(of: other.parameters)
    }
}
