internal import HunchDBus
public import HunchModel

extension MPRISPlayer {
    /// Whether the player is a browser, which has a player for any page that makes a sound.
    public var isBrowser: Bool { PlayerKind(names: desktopIDCandidates.map(\.rawValue)) == .browser }

    /// Whether all its names are those of a browser engine (`chromium.instance42`), which apps on that engine have, too.
    public var isNamedByEngine: Bool { names.allSatisfy(Self.isOfEngine) }

    static func isOfEngine(_ name: BusName) -> Bool {
        let parts = name.text.dropFirst(MPRIS.namespace.count + 1).split(separator: ".")
        return parts.count == 2 && parts[1].hasPrefix("instance")
            && PlayerKind(names: [String(parts[0])]) == .browser
    }
}

extension AppID {
    /// Whether the app is a browser, judged by its desktop identifier.
    public var isBrowser: Bool { PlayerKind(names: [rawValue]) == .browser }
}
