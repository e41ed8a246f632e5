extension MPRISPlayer {
    /// Whether it is a browser, which has a player for whatever page makes a sound.
    public var isBrowser: Bool { PlayerKind(names: desktopIDCandidates) == .browser }
}
