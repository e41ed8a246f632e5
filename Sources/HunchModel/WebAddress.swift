/// The addresses of web pages: `https:` or `http:` URLs (RFC 9110, 4.2), which any browser opens.
public enum WebAddress {
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
