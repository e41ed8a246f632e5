public import HunchModel

/// The error of an input that is not a usable place.
public typealias PlaceError = CodedError<PlaceErrorSubject>

/// The subject of ``PlaceError``.
public enum PlaceErrorSubject {}

extension PlaceError.Code {
    /// The input is empty or names nothing.
    public static var notAPlace: Self { Self(rawValue: "notAPlace") }
    /// The input is a link whose target only the publisher's server knows.
    public static var needsNetwork: Self { Self(rawValue: "needsNetwork") }
    /// The numbers are not a valid coordinate.
    public static var badCoordinate: Self { Self(rawValue: "badCoordinate") }
    /// The coordinate uses a reference system other than WGS 84.
    public static var unsupportedDatum: Self { Self(rawValue: "unsupportedDatum") }
    /// The input is longer than the limit for its kind.
    public static var tooLong: Self { Self(rawValue: "tooLong") }
    /// A link violates the grammar of its kind, or its percent-encoding is broken.
    public static var malformedLink: Self { Self(rawValue: "malformedLink") }
    /// The input is a link that no rule supports.
    public static var unsupportedLink: Self { Self(rawValue: "unsupportedLink") }
}
