public import EventLoops
internal import HunchDBus
internal import HunchModel

/// Distinguishes presses of the user from keys that headphones and cars send when connected, put on or taken off.
///
/// A click on the screen counts at once. A key counts only some time after the route was ready. A Pause or Stop key
/// while nothing plays comes from a sensor that noticed the removal of an earpiece, and the next Play from its return.
public struct CardPress: Sendable {
    /// The origin of a press.
    public enum Origin: Hashable, Sendable {
        /// A button on the screen.
        case screen
        /// A key of the keyboard or of a headset, or another program.
        case key
    }

    /// A request to the player.
    public enum Request: String, CaseIterable, Hashable, Sendable {
        /// Play.
        case play = "Play"
        /// Play if paused, pause if playing.
        case playPause = "PlayPause"
        /// Pause.
        case pause = "Pause"
        /// Stop.
        case stop = "Stop"
    }

    /// The meaning of a request.
    public enum Meaning: Hashable, Sendable {
        /// The user accepts the suggestion.
        case play
        /// The user cancels the pressed suggestion before it starts.
        case cancel
        /// The request is not the user's, or the card cannot fulfil it.
        case nothing
    }

    /// The instant from which a media key counts. Before it, devices send keys by themselves.
    public var keysCountFrom: MonotonicInstant
    /// Whether the next Play key comes from putting an earpiece back.
    private var awaitsReturn = false

    /// Creates the state of a card on which nothing was pressed yet.
    public init(keysCountFrom: MonotonicInstant) { self.keysCountFrom = keysCountFrom }

    /// Returns the meaning of a request.
    ///
    /// - Parameter isStarting: whether the pressed suggestion is about to play.
    public mutating func meaning(
        of request: Request, from origin: Origin, isStarting: Bool, at now: MonotonicInstant
    ) -> Meaning {
        switch request {
        case .pause, .stop:
            if isStarting { return .cancel }
            if origin == .key { awaitsReturn = true }
            return .nothing
        case .play, .playPause:
            if isStarting { return .nothing }
            if origin == .screen { return .play }
            if awaitsReturn {
                awaitsReturn = false
                return .nothing
            }
            return now < keysCountFrom ? .nothing : .play
        }
    }
}

extension CardPress {
    /// A desktop shell whose media widget shows the card.
    enum Shell: CaseIterable {
        /// GNOME Shell. Its button sends PlayPause, while keys arrive through the settings daemon.
        case gnome
        /// Plasma. Its button sends Play, while keys send PlayPause.
        case plasma

        /// The shell's name on the bus.
        var name: BusName {
            switch self {
            case .gnome: "org.gnome.Shell"
            case .plasma: "org.kde.plasmashell"
            }
        }

        /// The app identifiers of the shell's process, from its desktop entry or its unit.
        var applications: Set<AppID> {
            switch self {
            case .gnome: ["org.gnome.Shell"]
            case .plasma: ["org.kde.plasmashell", "plasma-plasmashell"]
            }
        }
    }
}

extension CardPress.Origin {
    /// - Parameter shell: the shell that sends the request; `nil` for any other program.
    init(_ request: CardPress.Request, by shell: CardPress.Shell?) {
        switch shell {
        case .gnome: self = .screen
        case .plasma: self = request == .play ? .screen : .key
        case nil: self = .key
        }
    }
}
