public import HunchModel

/// Why a request for directions cannot be read or carried out.
public typealias DirectionsError = CodedError<DirectionsErrorSubject>

/// The subject of ``DirectionsError``.
public enum DirectionsErrorSubject {}

extension DirectionsError.Code {
    /// The link is no request for directions.
    public static var notARequest: Self { Self(rawValue: "notARequest") }
    /// The link breaks the rules of its kind.
    public static var malformedLink: Self { Self(rawValue: "malformedLink") }
    /// A limit is passed.
    public static var tooLong: Self { Self(rawValue: "tooLong") }
    /// The app to be opened is not there or cannot be started.
    public static var launchFailed: Self { Self(rawValue: "launchFailed") }
    /// The person's settings cannot be read or changed.
    public static var settingsFailed: Self { Self(rawValue: "settingsFailed") }
}
