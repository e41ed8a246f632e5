public import HunchDBus

/// Tells a person's press from the keys that headphones and cars send by themselves when they connect, are put on or
/// are taken off.
///
/// A click on the screen counts at once. A key counts from some time after the route was ready. A Pause or Stop where
/// nothing plays comes from a sensor that an earpiece was taken out: the Play that follows it says that it is back.
public struct CardPress: Sendable {
    /// Where a press came from.
    public enum Origin: Hashable, Sendable {
        /// A button on the screen.
        case screen
        /// A key of the keyboard, of a headset, or a program.
        case key
    }

    /// A request to the player.
    public enum Request: String, CaseIterable, Hashable, Sendable {
        /// Play.
        case play = "Play"
        /// Play what is paused, pause what plays.
        case playPause = "PlayPause"
        /// Pause.
        case pause = "Pause"
        /// Stop.
        case stop = "Stop"
    }

    /// What a request means.
    public enum Meaning: Hashable, Sendable {
        /// The person wants what is offered.
        case play
        /// The person wants no more of what was pressed and has not begun yet.
        case cancel
        /// It is no wish of a person's, or none that the card can fulfil.
        case nothing
    }

    /// From when on keys count.
    public var keysCountFrom: MonotonicInstant
    private var awaitsReturn = false

    /// Begins with a card that nothing was pressed on.
    public init(keysCountFrom: MonotonicInstant) { self.keysCountFrom = keysCountFrom }

    /// What a request means.
    ///
    /// - Parameter isStarting: whether what was pressed is about to play.
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
    /// A desktop's shell whose widget shows the card.
    enum Shell: CaseIterable {
        /// GNOME Shell. Its button sends PlayPause; its keys go through the settings daemon.
        case gnome
        /// Plasma. Its button sends Play; its keys send PlayPause.
        case plasma

        /// Its name on the bus.
        var name: BusName {
            switch self {
            case .gnome: "org.gnome.Shell"
            case .plasma: "org.kde.plasmashell"
            }
        }

        /// The identifiers that its process has, by its desktop entry or its unit.
        var applications: Set<String> {
            switch self {
            case .gnome: ["org.gnome.Shell"]
            case .plasma: ["org.kde.plasmashell", "plasma-plasmashell"]
            }
        }
    }
}

extension CardPress.Origin {
    /// - Parameter shell: the shell that makes the request; `nil` for any other program.
    init(_ request: CardPress.Request, by shell: CardPress.Shell?) {
        switch shell {
        case .gnome: self = .screen
        case .plasma: self = request == .play ? .screen : .key
        case nil: self = .key
        }
    }
}
