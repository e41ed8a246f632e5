import HunchModel

/// Links of maps of China, whose positions are shifted from WGS 84 by up to half a kilometre: GCJ-02 by law, BD-09 on
/// top of it by Baidu. They are refused: passing their numbers on would lead to the wrong place.
public struct ForeignDatumRule: LinkRule {
    /// `foreignDatum`.
    public let name = "foreignDatum"

    private static let schemes: [String: String] = [
        "baidumap": "BD-09", "bdapp": "BD-09", "bdmap": "BD-09", "amap": "GCJ-02", "amapuri": "GCJ-02",
        "androidamap": "GCJ-02", "iosamap": "GCJ-02", "qqmap": "GCJ-02", "sosomap": "GCJ-02",
    ]

    /// Makes the rule.
    public init() {}

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        guard let system = Self.system(of: link) else { return nil }
        throw PlaceError(
            .unsupportedDatum,
            "the positions of this map are in \(system), not in WGS 84, and would be wrong by hundreds of metres; "
                + "give the address")
    }

    private static func system(of link: Link) -> String? {
        guard link.isWeb else { return schemes[link.scheme] }
        if link.isWithin("map.baidu.com") || link.isWithin("baidu.com") && link.pathBegins("map") { return "BD-09" }
        if link.isWithin("amap.com", "gaode.com", "autonavi.com") { return "GCJ-02" }
        if link.isWithin("map.qq.com") || link.isWithin("ditu.google.cn", "ditu.google.com") { return "GCJ-02" }
        return link.isWithin("google.cn") && (link.host == "maps.google.cn" || link.pathBegins("maps")) ? "GCJ-02" : nil
    }
}
