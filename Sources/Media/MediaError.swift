public import HunchModel

/// Why media cannot be prepared or played here and now.
public typealias MediaError = CodedError<MediaErrorSubject>

/// What ``MediaError`` is about.
public enum MediaErrorSubject {}

extension MediaError.Code {
    /// The app does not run, and only a running one could do this.
    public static var notRunning: Self { Self(rawValue: "notRunning") }
    /// The app did not answer in time.
    public static var noReply: Self { Self(rawValue: "noReply") }
    /// The app answered with an error.
    public static var refused: Self { Self(rawValue: "refused") }
    /// The app's answer has wrong types or breaks a documented limit.
    public static var invalidReply: Self { Self(rawValue: "invalidReply") }
    /// Nothing is known that could be played.
    public static var nothingToPlay: Self { Self(rawValue: "nothingToPlay") }
    /// The app has no way to open this item.
    public static var cannotOpen: Self { Self(rawValue: "cannotOpen") }
    /// The app was asked to play, and did not.
    public static var didNotStart: Self { Self(rawValue: "didNotStart") }
    /// The app ended before it played.
    public static var quit: Self { Self(rawValue: "quit") }
    /// The device that it was to be played on is not there any more.
    public static var deviceGone: Self { Self(rawValue: "deviceGone") }
    /// The app could not be launched.
    public static var launchFailed: Self { Self(rawValue: "launchFailed") }
    /// The app was launched with the item, and offered no player in time: it may play all the same.
    public static var noPlayer: Self { Self(rawValue: "noPlayer") }
    /// The session bus is gone.
    public static var disconnected: Self { Self(rawValue: "disconnected") }
    /// A picture is not a local regular file of a known kind within the limits.
    public static var unusableArtwork: Self { Self(rawValue: "unusableArtwork") }
    /// The cache folder cannot be read or written.
    public static var inputOutput: Self { Self(rawValue: "inputOutput") }
}

extension MediaError.Code {
    /// The failure as a sentence that names neither the app nor the item.
    public var sentence: String {
        switch self {
        case .notRunning: "the app is not running"
        case .noReply: "the app did not answer in time"
        case .refused: "the app refused"
        case .invalidReply: "the app answered with values that cannot be used"
        case .nothingToPlay: "there was nothing to play"
        case .cannotOpen: "the item cannot be opened"
        case .didNotStart: "the app was asked to play and did not begin"
        case .quit: "the app quit before it played"
        case .deviceGone: "the device went away"
        case .launchFailed: "the app could not be launched"
        case .noPlayer: "the app was launched and showed no player"
        case .disconnected: "the session bus closed the connection"
        case .unusableArtwork: "a picture cannot be used"
        case .inputOutput: "the cache folder cannot be read or written"
        default: "it failed (\(rawValue))"
        }
    }
}
