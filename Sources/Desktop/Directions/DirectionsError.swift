public import HunchModel

/// The error of a request for directions.
public typealias DirectionsError = CodedError<DirectionsErrorSubject>

/// The subject of ``DirectionsError``.
public enum DirectionsErrorSubject {}

extension DirectionsError.Code {
    /// The link is not a request for directions.
    public static var notARequest: Self { Self(rawValue: "notARequest") }
    /// The link violates the rules of its kind.
    public static var malformedLink: Self { Self(rawValue: "malformedLink") }
    /// A limit is exceeded.
    public static var tooLong: Self { Self(rawValue: "tooLong") }
    /// The user's settings cannot be read or changed.
    public static var settingsFailed: Self { Self(rawValue: "settingsFailed") }
}
