/// Links that redirect to another link or identify a place by number. Only their servers know the target.
public enum ShortLinks {
    /// The hosts of short links, in lower case.
    public static let hosts: Set<String> = [
        "maps.app.goo.gl", "goo.gl", "g.co", "g.page", "share.google", "bit.ly", "t.co", "tinyurl.com", "is.gd",
        "ow.ly", "rb.gy", "cutt.ly", "lnkd.in", "fb.me", "maps.apple", "her.is", "binged.it", "1drv.ms", "osm.li",
        "s.here.com", "t.ly", "buff.ly", "dub.sh", "tiny.cc", "shorturl.at", "citymapper.app.link",
        "go.2gis.com", "link.2gis.ru", "kko.to", "kko.kakao.com", "naver.me", "surl.amap.com", "j.map.baidu.com",
        "kurv.gr", "mapq.st", "moovit.onelink.me", "tmap.life",
    ]
    /// The path prefixes of short links on hosts that also have other pages.
    private static let paths: [(host: String, path: String)] = [
        ("mapy.com", "/s/"), ("mapy.cz", "/s/"), ("frame.mapy.cz", "/s/"), ("maps.apple.com", "/p/"),
        ("yandex.com", "/maps/-/"), ("yandex.ru", "/maps/-/"), ("yandex.com.tr", "/harita/-/"),
        ("yandex.kz", "/maps/-/"),
        ("yandex.by", "/maps/-/"), ("yandex.uz", "/maps/-/"), ("share.here.com", "/p/"),
        ("openstreetmap.org", "/node/"), ("openstreetmap.org", "/way/"), ("openstreetmap.org", "/relation/"),
        ("osm.org", "/node/"), ("osm.org", "/way/"), ("osm.org", "/relation/"),
    ]
    /// The longest link in bytes.
    public static let maximumLength = 16_384

    /// Returns the first short link among the words of a text; `nil` if there is none or the text is longer than 64 KiB.
    public static func first(in text: String) -> String? {
        guard text.utf8.count <= 65_536 else { return nil }
        return text.split(whereSeparator: \.isWhitespace).lazy.map { word in
            String(word.drop { "<([\"'".contains($0) })
        }.map { link in
            var link = link
            while let last = link.last, ">)].,;!\"'".contains(last) { link.removeLast() }
            return link
        }.first { host(of: $0) != nil }
    }

    /// Returns the host of a short link, with or without `http://` or `https://`.
    ///
    /// - Returns: `nil` for any other text, and for a link with a port or a user name.
    public static func host(of link: String) -> String? {
        guard link.utf8.count <= maximumLength, link.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        var rest = link[...]
        for scheme in ["https://", "http://"] where rest.lowercased().hasPrefix(scheme) {
            rest = rest.dropFirst(scheme.count)
            break
        }
        let host = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }.lowercased()
        if hosts.contains(host) { return host }
        let name = host.hasPrefix("www.") ? String(host.dropFirst(4)) : host
        let path = rest.dropFirst(host.count)
        return paths.contains { $0.host == name && path.hasPrefix($0.path) } ? host : nil
    }
}
