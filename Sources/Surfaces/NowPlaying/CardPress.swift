internal import HunchDBus

/// Tells a person's press from the keys that headphones and cars send by themselves when they connect, are put on or
/// are taken off.
///
/// A click on the screen counts at once. A key counts from some time after the route was ready. A Pause or Stop where
/// nothing plays comes from a sensor that an earpiece was taken out: the Play that follows it says that it is back.
struct CardPress {
    /// Where a press came from.
    enum Origin: Hashable {
        /// A button on the screen.
        case screen
        /// A key of the keyboard, of a headset, or a program.
        case key
    }

    /// A request to the player.
    enum Request: Hashable {
        case play, playPause, pause, stop
    }

    /// What a request means.
    enum Meaning: Hashable {
        case play
        case cancel
        case nothing
    }

    /// From when on keys count.
    var keysCountFrom: MonotonicInstant
    private var awaitsReturn = false

    init(keysCountFrom: MonotonicInstant) { self.keysCountFrom = keysCountFrom }

    /// - Parameter isStarting: whether what was pressed is about to play.
    mutating func meaning(
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

extension CardPress.Origin {
    /// - Parameters:
    ///   - sender: unique name of the caller.
    ///   - shell: owner of `org.gnome.Shell`, whose button sends PlayPause; its keys go through the settings daemon.
    ///   - plasma: owner of `org.kde.plasmashell`, whose button sends Play; its keys send PlayPause.
    init(_ request: CardPress.Request, by sender: BusName, shell: BusName?, plasma: BusName?) {
        self = sender == shell || (sender == plasma && request == .play) ? .screen : .key
    }
}
