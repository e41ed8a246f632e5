/// The kind of program behind a player, judged by its names.
enum PlayerKind: Hashable, Sendable {
    /// A browser, which has a player for any page that makes a sound.
    case browser
    /// An app for radio stations.
    case radio
    /// An app for video calls.
    case call
    /// Anything else.
    case other

    /// Words in the names of browsers' players and desktop entries: `org.mpris.MediaPlayer2.chromium.instance42`,
    /// `org.mozilla.firefox`, `google-chrome`, `plasma-browser-integration`.
    private static let browserWords: Set<String> = [
        "browser", "chromium", "chrome", "brave", "vivaldi", "opera", "edge", "msedge", "firefox", "librewolf",
        "epiphany", "falkon", "konqueror", "qutebrowser", "waterfox", "floorp", "zen", "icecat", "iceweasel", "mullvad",
        "torbrowser", "thorium", "helium", "yandex",
    ]
    /// Words in the names of radio apps: Shortwave, Tuner, Goodvibes, Radiotray-NG.
    private static let radioWords: Set<String> = ["shortwave", "tuner", "goodvibes", "radiotray", "radio"]
    /// Words in the names of video call apps: `us.zoom.Zoom`, `teams-for-linux`, `org.jitsi.jitsi-meet`.
    private static let callWords: Set<String> = ["zoom", "teams", "jitsi", "webex", "skype"]

    /// Determines the kind from names: identities, desktop identifiers, parts of bus names.
    init(names: [String]) {
        let words = Set(names.flatMap { $0.lowercased().split { ".-_ ".contains($0) }.map(String.init) })
        if !words.isDisjoint(with: Self.browserWords) {
            self = .browser
        } else if !words.isDisjoint(with: Self.callWords) {
            self = .call
        } else {
            self = words.isDisjoint(with: Self.radioWords) ? .other : .radio
        }
    }
}
