internal import HunchModel

/// A service for video calls: the addresses of its calls, and the names that people, apps and pages give them.
package struct CallService: DataRow {
    package static let file = "video-calls.conf"
    package static let shipped = PackageResources.video_calls_conf

    /// The form of the part of a path that names a room.
    enum Tokens {
        case bigBlueButton, nextcloudTalk
    }

    let hosts, otherHosts, phoneHosts: Set<String>
    let paths, addresses, ownPaths, anyPaths, titles: [String]
    let hostWords, schemes, apps, names, pages, innerPages, rooms: Set<String>
    let tokens: Tokens?

    package init(_ group: inout DataGroup) throws(DataFault) {
        hosts = try group.hosts("Hosts")
        otherHosts = try group.hosts("OtherHosts")
        phoneHosts = try group.hosts("PhoneHosts")
        func lowered(_ key: String) -> [String] { group.texts(key).map { $0.lowercased() } }
        (paths, addresses, ownPaths) = (lowered("Paths"), lowered("Addresses"), lowered("OwnPaths"))
        (anyPaths, titles) = (lowered("AnyPaths"), lowered("Titles"))
        (hostWords, schemes, apps) = (group.words("HostWords"), group.words("Schemes"), group.words("Apps"))
        (names, pages) = (group.words("Names"), group.words("Pages"))
        (innerPages, rooms) = (group.words("InnerPages"), group.words("Rooms"))
        tokens = try group.choice("Tokens", ["bigbluebutton": .bigBlueButton, "nextcloud-talk": .nextcloudTalk])
        if !paths.isEmpty { try group.require(oneOf: ["Hosts"], for: "Paths") }
        if tokens != nil { try group.require(oneOf: ["OwnPaths"], for: "Tokens") }
    }

    /// Returns whether one of the names between dots is one of this service's own servers.
    func isNamed(_ labels: [Substring]) -> Bool {
        labels.contains { label in
            hostWords.contains { $0.hasSuffix("*") ? label.hasPrefix($0.dropLast()) : label == $0 }
        }
    }

    /// Returns whether a path on a server that the service does not list is that of a call.
    ///
    /// - Parameters:
    ///   - path: the path as written, with query and fragment, without the slash before it.
    ///   - lower: the path in lower case.
    func hasCall(at labels: [Substring], _ path: Substring, _ lower: String) -> Bool {
        let rooted = "/\(lower)"
        if anyPaths.contains(where: { rooted.firstRange(of: $0).map { $0.upperBound < rooted.endIndex } ?? false }) {
            return true
        }
        let isNamed = isNamed(labels)
        guard !ownPaths.isEmpty else { return isNamed }
        guard let own = ownPaths.first(where: { Self.matches(lower, $0) }) else { return false }
        // Such a path alone says little, so the token of a room must follow.
        let parts = path.prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
        let token = parts.dropFirst(own.split(separator: "/").count).first
        return switch tokens {
        case .bigBlueButton: isNamed || token.map(Self.isGreenlightToken) ?? false
        case .nextcloudTalk: token.map { Self.isTalkToken($0, isCloud: isNamed) } ?? false
        case nil: hostWords.isEmpty || isNamed
        }
    }

    /// Returns whether a path begins with a pattern, in which `*` is one part.
    static func matches(_ path: String, _ pattern: String) -> Bool {
        guard pattern.hasPrefix("*/") else { return path.hasPrefix(pattern) }
        return path.drop { $0 != "/" }.dropFirst().hasPrefix(pattern.dropFirst(2))
    }

    /// Returns whether a part of a path is the token of a room in BigBlueButton: `ann-x4k-2jz`.
    private static func isGreenlightToken(_ part: Substring) -> Bool {
        let parts = part.split(separator: "-")
        return parts.count >= 3 && parts.allSatisfy { $0.count == 3 }
    }

    /// Returns whether a part of a path is the token of a room in Nextcloud Talk: `a8bc3xyz`.
    ///
    /// Talk draws eight or more small letters and digits, except “l”, “0” and “1” (`Manager::getNewToken`). Elsewhere, letters alone
    /// are a word.
    ///
    /// - Parameter isCloud: whether the host is called as those of Nextcloud are.
    private static func isTalkToken(_ part: Substring, isCloud: Bool) -> Bool {
        guard (8...32).contains(part.utf8.count),
            part.allSatisfy({ $0.isASCII && ($0.isNumber || $0.isLowercase) }), part.contains(where: \.isLetter)
        else { return false }
        let isDrawn = !part.contains { "l01".contains($0) }
        return part.contains(where: \.isNumber) ? isDrawn || part.utf8.count == 8 : isDrawn && isCloud
    }
}
