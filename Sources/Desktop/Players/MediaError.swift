public import HunchModel
internal import Localization
internal import Suggestions

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
    /// The error as a sentence for the log. It names neither the app nor the item.
    public var sentence: String {
        switch self {
        case .notRunning: localized("the app is not running")
        case .noReply: localized("the app did not answer in time")
        case .refused: localized("the app refused")
        case .invalidReply: localized("the app sent an invalid answer")
        case .nothingToPlay: localized("there was nothing to play")
        case .cannotOpen: localized("the item cannot be opened")
        case .didNotStart: localized("the app was asked to play, but did not start")
        case .playsAnew: localized("the app plays the item from the beginning")
        case .quit: localized("the app quit before it played")
        case .deviceGone: localized("the device disconnected")
        case .launchFailed: localized("the app could not be launched")
        case .noPlayer: localized("the app was launched, but no player appeared")
        case .disconnected: localized("the session bus closed the connection")
        case .unusableArtwork: localized("a picture cannot be used")
        case .inputOutput: localized("the cache folder cannot be read or written")
        default: localized("it failed (%1)", rawValue)
        }
    }
}
