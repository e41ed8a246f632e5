internal import HunchModel

extension MPRISPlayer {
    /// Whether the player is a browser, which has a player for any page that makes a sound.
    public var isBrowser: Bool { PlayerKind(names: desktopIDCandidates.map(\.rawValue)) == .browser }
}

extension PlayableApp {
    /// Whether the app is a browser.
    public var isBrowser: Bool { PlayerKind(names: [id.rawValue]) == .browser }
}
