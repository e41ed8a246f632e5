public import HunchDBus

/// Names of the Media Player Remote Interfacing Specification 2.2 (freedesktop.org).
public enum MPRIS {
    /// Every player owns a bus name below this one.
    public static let namespace = "org.mpris.MediaPlayer2"
    /// The object that every player has.
    public static let path: ObjectPath = "/org/mpris/MediaPlayer2"
    /// The interface that tells what the player is.
    public static let root: InterfaceName = "org.mpris.MediaPlayer2"
    /// The interface that plays.
    public static let player: InterfaceName = "org.mpris.MediaPlayer2.Player"
    /// The optional interface for the player's queue.
    public static let trackList: InterfaceName = "org.mpris.MediaPlayer2.TrackList"
    /// The name of playerctl's proxy, which shows another player a second time.
    public static let playerctld: BusName = "org.mpris.MediaPlayer2.playerctld"
    /// The name of Hunch's own card.
    public static let hunch: BusName = "org.mpris.MediaPlayer2.hunch"
}

/// Whether a player plays.
public enum PlaybackStatus: String, CaseIterable, Hashable, Sendable, Codable {
    /// It plays.
    case playing
    /// It would go on where it stands.
    case paused
    /// It would begin anew.
    case stopped

    /// Reads the word of the `PlaybackStatus` property.
    public init?(mpris word: String) {
        switch word {
        case "Playing": self = .playing
        case "Paused": self = .paused
        case "Stopped": self = .stopped
        default: return nil
        }
    }
}
