public import HunchDBus

/// The names of the Media Player Remote Interfacing Specification 2.2 (freedesktop.org).
public enum MPRIS {
    /// The namespace of all players' bus names.
    public static let namespace = "org.mpris.MediaPlayer2"
    /// The object that every player exports.
    public static let path: ObjectPath = "/org/mpris/MediaPlayer2"
    /// The interface that describes the player.
    public static let root: InterfaceName = "org.mpris.MediaPlayer2"
    /// The interface that controls playback.
    public static let player: InterfaceName = "org.mpris.MediaPlayer2.Player"
    /// The optional interface for the player's queue.
    public static let trackList: InterfaceName = "org.mpris.MediaPlayer2.TrackList"
    /// The track identifier for “no track”.
    static let noTrack: ObjectPath = "/org/mpris/MediaPlayer2/TrackList/NoTrack"
    /// The name of playerctl's proxy, which duplicates another player.
    public static let playerctld: BusName = "org.mpris.MediaPlayer2.playerctld"
}

/// The playback status of a player.
public enum PlaybackStatus: String, CaseIterable, Hashable, Sendable, Codable {
    /// The player is playing.
    case playing
    /// Playback would resume at the current position.
    case paused
    /// Playback would start from the beginning.
    case stopped

    /// Parses the value of the `PlaybackStatus` property.
    public init?(mpris word: String) {
        switch word {
        case "Playing": self = .playing
        case "Paused": self = .paused
        case "Stopped": self = .stopped
        default: return nil
        }
    }
}
