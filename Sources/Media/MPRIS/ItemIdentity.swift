public import HunchModel

/// How items of MPRIS players are told apart between runs.
public enum ItemIdentity {
    private static let titlePrefix = "title:"

    /// The identifier of what plays: its address; for players that tell none, title and artists, by which it can be
    /// recognised but not opened.
    ///
    /// - Returns: at most 4,096 bytes; `nil` when there is neither an address nor a title.
    public static func identifier(of info: NowPlayingInfo) -> ContentItem.ID? {
        if let url = info.contentURL { return url }
        guard !info.title.isEmpty else { return nil }
        return ([titlePrefix + info.title] + info.artists.prefix(1)).joined(separator: "\n")
    }

    /// The address to open an item by; `nil` when it can only be recognised.
    ///
    /// An address has a scheme (RFC 3986, section 3.1) and neither blanks nor control characters.
    public static func uri(of item: ContentItem.ID) -> String? {
        guard !item.hasPrefix(titlePrefix), let colon = item.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = item.utf8[..<colon]
        guard let first = scheme.first, isLetter(first), scheme.allSatisfy(isSchemeByte),
            item.utf8.count <= MPRISMetadata.uriLimit, item.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else { return nil }
        return item
    }

    /// Whether two identifiers mean one item: addresses are compared without regard to how they are encoded.
    public static func areSame(_ left: ContentItem.ID, _ right: ContentItem.ID) -> Bool {
        left == right || normalised(left) == normalised(right)
    }

    private static func normalised(_ item: ContentItem.ID) -> String {
        guard let uri = uri(of: item), let decoded = PercentDecoding.decode(uri) else { return item }
        for prefix in ["file://localhost/", "file:///", "file:/"] where decoded.hasPrefix(prefix) {
            return "file:///" + decoded.dropFirst(prefix.count)
        }
        return decoded
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || [UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains(byte)
    }
}
