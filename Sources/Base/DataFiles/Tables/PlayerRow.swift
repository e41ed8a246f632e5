/// Facts about media players that they do not tell themselves.
package struct PlayerRow: DataRow {
    package static let file = "players.conf"
    package static let shipped = PackageResources.players_conf
    /// Those of the user, of packages and of Hunch.
    package static let known = DataTable<PlayerRow>(.ofThisProcess).rows

    /// The kind of program behind a player.
    package enum Kind: Hashable, Sendable {
        case browser, radio, call
    }

    /// The beginnings of the bus name behind that of MPRIS, and of the desktop entry.
    package let names, entries: [String]
    /// The programs of the player's process.
    package let processes: [String]
    /// Words in the player's names, in lower case.
    package let words: Set<String>
    /// The kind of the players with these words.
    package let kind: Kind?
    /// Whether the player plays on another device.
    package let isRemote: Bool
    /// The programs that make the player's sound; empty for a player that makes it itself.
    package let programs: Set<String>
    /// Whether players with these words told no position in some version.
    package let tellsNoPosition: Bool
    /// The titles that browsers tell for media in a private window, or parts of titles if the track is this one.
    package let privateTitles, privatePhrases: [String]
    package let privateTrack: String?
    /// Words in the names of browsers whose titles for such media contain them, in lower case.
    package let privateNames: Set<String>
    /// Texts for a missing title, ends of addresses that are no title, and extensions of files, in lower case.
    package let placeholders, pageWords, fileFormats: Set<String>

    package init(_ group: inout DataGroup) throws(DataFault) {
        (names, entries, processes) = (group.texts("Names"), group.texts("Entries"), group.texts("Processes"))
        (words, programs) = (group.words("Words"), Set(group.texts("Programs")))
        kind = try group.choice("Kind", ["browser": .browser, "radio": .radio, "call": .call])
        (isRemote, tellsNoPosition) = (try group.flag("Remote") ?? false, try group.flag("NoPosition") ?? false)
        (privateTitles, privatePhrases) = (group.texts("PrivateTitles"), group.texts("PrivatePhrases"))
        (privateTrack, privateNames) = (group.text("PrivateTrack"), group.words("PrivateNames"))
        (placeholders, pageWords) = (group.words("Placeholders"), group.words("PageWords"))
        fileFormats = group.words("FileFormats")
        if kind != nil { try group.require(oneOf: ["Words"], for: "Kind") }
        if tellsNoPosition { try group.require(oneOf: ["Words"], for: "NoPosition") }
        if isRemote { try group.require(oneOf: ["Names", "Entries", "Processes"], for: "Remote") }
        if !programs.isEmpty { try group.require(oneOf: ["Names", "Entries"], for: "Programs") }
    }

    /// Returns the words of a list in all rows.
    package static func all(_ list: KeyPath<PlayerRow, Set<String>>) -> Set<String> {
        Set(known.flatMap { $0[keyPath: list] })
    }
}
