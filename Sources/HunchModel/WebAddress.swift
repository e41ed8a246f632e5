/// The address of a web page: `https:` or `http:` (RFC 9110, 4.2).
public enum WebAddress {
    /// The host of a web page's address, as it is written; `nil` for what is no web page or has no host, as `http://` and
    /// `https:///path`.
    public static func host(of address: String) -> Substring? {
        let lower = address.cut(toBytes: 8).lowercased()
        guard let scheme = ["https://", "http://"].first(where: lower.hasPrefix) else { return nil }
        let authority = address.dropFirst(scheme.count).prefix { !"/?#\\".contains($0) }
        let afterUser = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        // The colons of an IPv6 address stand within brackets.
        let isBracketed = afterUser.hasPrefix("[")
        let end = isBracketed ? afterUser.lastIndex(of: "]") : afterUser.firstIndex(of: ":")
        let host = isBracketed ? end.map { afterUser[...$0] } ?? "" : afterUser[..<(end ?? afterUser.endIndex)]
        return host.isEmpty || host == "[]" ? nil : host
    }
}
