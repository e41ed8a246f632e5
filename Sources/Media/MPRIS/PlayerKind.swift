/// The kind of program behind a player, as far as its names tell.
enum PlayerKind: Hashable, Sendable {
    /// A browser, which has a player for whatever page makes a sound.
    case browser
    /// An app for radio stations.
    case radio
    /// An app for video calls.
    case call
    /// Anything else.
    case other

    /// Words in the names of browsers' players and desktop entries, as `org.mpris.MediaPlayer2.chromium.instance42`,
    /// `org.mozilla.firefox`, `google-chrome`, `plasma-browser-integration`.
    private static let browserWords: Set<String> = [
        "browser", "chromium", "chrome", "brave", "vivaldi", "opera", "edge", "msedge", "firefox", "librewolf",
        "epiphany", "falkon", "konqueror", "qutebrowser",
    ]
    /// The same of apps that play stations: Shortwave, Tuner, Goodvibes, Radiotray-NG.
    private static let radioWords: Set<String> = ["shortwave", "tuner", "goodvibes", "radiotray", "radio"]
    /// The same of apps for video calls: `us.zoom.Zoom`, `teams-for-linux`, `org.jitsi.jitsi-meet`.
    private static let callWords: Set<String> = ["zoom", "teams", "jitsi", "webex", "skype"]

    /// Tells the kind by names: identities, desktop identifiers, parts of bus names.
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
