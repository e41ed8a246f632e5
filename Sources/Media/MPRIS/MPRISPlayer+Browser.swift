extension MPRISPlayer {
    /// Words in the names of browsers' players and desktop entries, as `org.mpris.MediaPlayer2.chromium.instance42`,
    /// `org.mozilla.firefox`, `google-chrome`, `plasma-browser-integration`.
    private static let browserWords: Set<String> = [
        "browser", "chromium", "chrome", "brave", "vivaldi", "opera", "edge", "msedge", "firefox", "librewolf",
        "epiphany", "falkon", "konqueror", "qutebrowser",
    ]

    /// Whether it is a browser, which has a player for whatever page makes a sound.
    public var isBrowser: Bool {
        desktopIDCandidates.contains { candidate in
            candidate.lowercased().split { ".-_".contains($0) }.contains { Self.browserWords.contains(String($0)) }
        }
    }
}
