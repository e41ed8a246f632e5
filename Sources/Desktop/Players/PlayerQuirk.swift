/// A fault of players that is known by their names. What a player shows by itself, ``PlaybackClock`` and
/// ``MPRISContent`` detect; a row only spares the time for that.
///
/// MPRIS tells no version. So a row is a first guess, which the player's behaviour refutes.
struct PlayerQuirk {
    /// The players whose identity or desktop entry contains one of these words, in lower case.
    let words: Set<String>

    /// Players that told no position, or always 0, in some version.
    ///
    /// Sources: hrkfdn/ncspot#236; flathub/com.plexamp.Plexamp#189, mended in 4.13.1; tramhao/termusic#185;
    /// lullabyX/sone#83; pear-devs/pear-desktop#2225.
    static let tellsNoPosition = PlayerQuirk(words: ["ncspot", "plexamp", "termusic", "sone", "pear", "youtube-music"])

    /// Returns whether the quirk is known of a player.
    func fits(_ identity: String, _ desktopEntry: String?) -> Bool {
        let names = [identity.lowercased(), desktopEntry?.lowercased() ?? ""]
        return names.contains { name in
            words.contains(name) || !words.isDisjoint(with: name.split { ". ".contains($0) }.map(String.init))
        }
    }
}
