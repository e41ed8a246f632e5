internal import HunchDBus
internal import Triggers

/// Facts about players that they do not tell themselves, found by their names.
enum PlayerTraits {
    /// A sign by which a player is recognised.
    private enum Sign {
        /// The part of the bus name after `org.mpris.MediaPlayer2.`, up to a dot, an underscore, a hyphen or the end.
        case name(String)
        /// The `DesktopEntry`, up to an underscore or the end.
        case entry(String)
    }

    /// The players of other devices. What they play is not heard on this computer.
    private static let remote: [Sign] = [
        // KDE Connect, plugins/mprisremote: “kdeconnect.mpris_…”, one for each player of a phone.
        .name("kdeconnect"), .entry("org.kde.kdeconnect"), .entry("org.kde.kdeconnect.app"),
        // GSConnect, src/service/components/mpris.js: “GSConnect.DeviceApp”; Zorin Connect is the same program.
        .name("GSConnect"), .name("ZorinConnect"), .entry("org.gnome.Shell.Extensions.GSConnect"),
        // Valent, src/plugins/mpris: “Valent”, “Valent_…” in older versions.
        .name("Valent"), .entry("ca.andyholmes.Valent"),
        // Bridges to Chromecasts: chromecast_mpris, its successor cast_control (named after the device), scripts that use
        // pychromecast (“chromecast-Kitchen”), castcli.
        .name("chromecast"), .name("cast_control"), .entry("cast_control"), .entry("chromecast_mpris"),
        .name("castcli"),
        // Bridges to Sonos speakers.
        .name("sonos"),
    ]

    /// The programs whose players have the names of a phone or of its apps: BlueZ's tool for AVRCP.
    private static let bridges = ["mpris-proxy"]

    /// Players that control another program, by the names of the programs that make the sound.
    private static let controllers: [(sign: Sign, programs: Set<String>)] = [
        // mpDris2, mpd-mpris and these clients show what the Music Player Daemon plays. Plattenalbum was called mpdevil.
        (.name("mpd"), ["mpd"]), (.name("mpDris2"), ["mpd"]), (.name("cantata"), ["mpd"]),
        (.name("de.wagnermartin.Plattenalbum"), ["mpd"]), (.name("mpdevil"), ["mpd"]),
        (.name("org.mpdevil.mpdevil"), ["mpd"]), (.name("io.github.htkhiem.Euphonica"), ["mpd"]),
        (.name("gmpc"), ["mpd"]), (.name("ymuse"), ["mpd"]),
        // Snapcast, meta_mpris.py.
        (.name("snapcast"), ["snapclient"]),
        // Clients of Spotify that control another program.
        (.name("spotify-qt"), ["spotifyd", "librespot"]), (.name("spotify-tui"), ["spotifyd", "librespot"]),
        // Servers of media libraries that start mpv, and terminal players with a server.
        (.name("jellyfin-mpv-shim"), ["mpv"]), (.name("plex-mpv-shim"), ["mpv"]),
        (.name("musikcube"), ["musikcubed"]), (.name("termusic"), ["termusic-server"]), (.name("xmms2"), ["xmms2d"]),
    ]

    /// Returns whether a player controls playback on another device.
    static func isRemote(_ names: some Sequence<BusName>, desktopEntry: String?) -> Bool {
        remote.contains { sign in names.contains { fits(sign, $0, desktopEntry) } }
    }

    /// Returns whether a process runs a program that only shows the players of phones.
    static func isBridge(_ process: UInt32) -> Bool {
        bridges.contains { !ProcessLineage.of(process, running: $0).isEmpty }
    }

    /// Returns the programs that make the sound of a player; empty for a player that makes it itself.
    static func programs(of player: MPRISPlayer) -> Set<String> {
        controllers.reduce(into: []) { programs, entry in
            if player.names.contains(where: { fits(entry.sign, $0, player.desktopEntry) }) {
                programs.formUnion(entry.programs)
            }
        }
    }

    private static func fits(_ sign: Sign, _ name: BusName, _ desktopEntry: String?) -> Bool {
        switch sign {
        case .name(let start): begins(String(name.text.dropFirst(MPRIS.namespace.count + 1)), start, ending: "._-")
        case .entry(let start): desktopEntry.map { begins($0, start, ending: "_") } ?? false
        }
    }

    private static func begins(_ text: String, _ start: String, ending: String) -> Bool {
        let (text, start) = (text.lowercased(), start.lowercased())
        guard text.hasPrefix(start) else { return false }
        return text.dropFirst(start.count).first.map(ending.contains) ?? true
    }
}
