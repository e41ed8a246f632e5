internal import DataFiles
public import HunchModel

/// Identifies items of MPRIS players across runs.
public enum ItemIdentity {
    private static let titlePrefix = "title:"

    /// Returns the identifier of the current item: its address or its app's identifier, or the title and first artist if
    /// there is neither. An item without an address can be recognised but not opened.
    ///
    /// - Returns: At most 4,096 bytes; `nil` if there is neither an address nor a title.
    public static func identifier(of info: NowPlayingInfo) -> ContentItem.ID? {
        if let url = info.contentURL { return url }
        if let item = info.item { return item }
        guard !info.title.isEmpty else { return nil }
        return ([titlePrefix + info.title] + info.artists.prefix(1)).joined(separator: "\n")
    }

    /// Returns the address to open an item; `nil` if the item can only be recognised.
    ///
    /// An address has a scheme (RFC 3986, section 3.1) and contains neither spaces nor control characters.
    public static func uri(of item: ContentItem.ID) -> String? {
        guard !item.hasPrefix(titlePrefix), let colon = item.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = item.utf8[..<colon]
        guard let first = scheme.first, isLetter(first), scheme.allSatisfy(isSchemeByte),
            item.utf8.count <= MPRISMetadata.uriLimit, item.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else { return nil }
        return item
    }

    /// Returns whether two identifiers mean the same item. Compares addresses regardless of their encoding, and the web
    /// address of a service's item with its link for the service's app.
    public static func areSame(_ left: ContentItem.ID, _ right: ContentItem.ID) -> Bool {
        left == right || normalised(left) == normalised(right)
    }

    private static func normalised(_ item: ContentItem.ID) -> String {
        guard let uri = uri(of: StreamingService.appLinks(to: item).first ?? item) else { return item }
        let decoded = ItemTitle.decoded(uri)
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
