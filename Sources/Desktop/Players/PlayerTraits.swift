internal import DataFiles
internal import HunchDBus
internal import Triggers

/// Facts about players that they do not report themselves, found by their names.
enum PlayerTraits {
    /// Returns whether a player controls playback on another device.
    static func isRemote(_ names: some Sequence<BusName>, desktopEntry: String?) -> Bool {
        PlayerRow.known.contains { row in row.isRemote && names.contains { fits(row, $0, desktopEntry) } }
    }

    /// Returns whether a process runs a program that only shows the players of phones.
    static func isBridge(_ process: UInt32) -> Bool {
        PlayerRow.known.contains { row in
            row.isRemote && row.processes.contains { !ProcessLineage.of(process, running: $0).isEmpty }
        }
    }

    /// Returns the programs that make the sound of a player; empty for a player that makes it itself.
    static func programs(of player: MPRISPlayer) -> Set<String> {
        PlayerRow.known.reduce(into: []) { programs, row in
            if !row.programs.isEmpty, player.names.contains(where: { fits(row, $0, player.desktopEntry) }) {
                programs.formUnion(row.programs)
            }
        }
    }

    /// The words in the names of players that told no position, or always 0, in some version.
    private static let silent = Set(PlayerRow.known.filter(\.tellsNoPosition).flatMap(\.words))

    /// Returns whether a player is known to tell no position. That is a first guess, which ``PlaybackClock`` refutes.
    static func tellsNoPosition(_ identity: String, _ desktopEntry: String?) -> Bool {
        let names = [identity.lowercased(), desktopEntry?.lowercased() ?? ""]
        return names.contains { name in
            silent.contains(name) || !silent.isDisjoint(with: name.split { ". ".contains($0) }.map(String.init))
        }
    }

    private static func fits(_ row: PlayerRow, _ name: BusName, _ desktopEntry: String?) -> Bool {
        let name = name.text.dropFirst(MPRIS.namespace.count + 1)
        return row.names.contains { begins(String(name), $0, ending: "._-") }
            || desktopEntry.map { entry in row.entries.contains { begins(entry, $0, ending: "_") } } ?? false
    }

    private static func begins(_ text: String, _ start: String, ending: String) -> Bool {
        let (text, start) = (text.lowercased(), start.lowercased())
        guard text.hasPrefix(start) else { return false }
        return text.dropFirst(start.count).first.map(ending.contains) ?? true
    }
}
