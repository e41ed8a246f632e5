public import HunchModel
package import Suggestions

/// A reason why media cannot be prepared or played now.
public typealias MediaError = CodedError<MediaErrorSubject>

/// The subject of ``MediaError``.
public enum MediaErrorSubject {}

extension CodedError: SuggestionFailure where Subject == MediaErrorSubject {
    package var isFinal: Bool { code == .deviceGone }
    package var playsAnew: Bool { code == .playsAnew }
    package var logged: String { code.sentence }
}

extension MediaError.Code {
    /// The app is not running, and the request needs a running app.
    public static var notRunning: Self { Self(rawValue: "notRunning") }
    /// The app did not answer in time.
    public static var noReply: Self { Self(rawValue: "noReply") }
    /// The app answered with an error.
    public static var refused: Self { Self(rawValue: "refused") }
    /// The app's answer has wrong types or breaks a documented limit.
    public static var invalidReply: Self { Self(rawValue: "invalidReply") }
    /// There is no known item to play.
    public static var nothingToPlay: Self { Self(rawValue: "nothingToPlay") }
    /// The app cannot open this item.
    public static var cannotOpen: Self { Self(rawValue: "cannotOpen") }
    /// The app was asked to play but did not start.
    public static var didNotStart: Self { Self(rawValue: "didNotStart") }
    /// The app plays the item from the beginning, and not from where it was.
    public static var playsAnew: Self { Self(rawValue: "playsAnew") }
    /// The app quit before it played.
    public static var quit: Self { Self(rawValue: "quit") }
    /// The device to play on disconnected.
    public static var deviceGone: Self { Self(rawValue: "deviceGone") }
    /// The app could not be launched.
    public static var launchFailed: Self { Self(rawValue: "launchFailed") }
    /// The app was launched with the item, but no player appeared in time. It may still play.
    public static var noPlayer: Self { Self(rawValue: "noPlayer") }
    /// The connection to the session bus was lost.
    public static var disconnected: Self { Self(rawValue: "disconnected") }
    /// A picture is not a local regular file of a supported format within the limits.
    public static var unusableArtwork: Self { Self(rawValue: "unusableArtwork") }
    /// The cache folder cannot be read or written.
    public static var inputOutput: Self { Self(rawValue: "inputOutput") }
}

extension MediaError.Code {
    /// The error as an English sentence for the log. It names neither the app nor the item.
    public var sentence: String {
        switch self {
        case .notRunning: "the app is not running"
        case .noReply: "the app did not answer in time"
        case .refused: "the app refused"
        case .invalidReply: "the app sent an invalid answer"
        case .nothingToPlay: "there was nothing to play"
        case .cannotOpen: "the item cannot be opened"
        case .didNotStart: "the app was asked to play, but did not start"
        case .playsAnew: "the app plays the item from the beginning"
        case .quit: "the app quit before it played"
        case .deviceGone: "the device disconnected"
        case .launchFailed: "the app could not be launched"
        case .noPlayer: "the app was launched, but no player appeared"
        case .disconnected: "the session bus closed the connection"
        case .unusableArtwork: "a picture cannot be used"
        case .inputOutput: "the cache folder cannot be read or written"
        default: "it failed (\(rawValue))"
        }
    }
}
