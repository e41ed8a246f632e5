public import HunchModel

/// Why an input is not a place that can be used here and now.
public typealias PlaceError = CodedError<PlaceErrorSubject>

/// The subject of ``PlaceError``.
public enum PlaceErrorSubject {}

extension PlaceError.Code {
    /// The input is empty or names nothing.
    public static var notAPlace: Self { Self(rawValue: "notAPlace") }
    /// The input is a link whose target only its publisher's server knows.
    public static var needsNetwork: Self { Self(rawValue: "needsNetwork") }
    /// The numbers given are not a position on Earth.
    public static var badCoordinate: Self { Self(rawValue: "badCoordinate") }
    /// The position is given in another reference system than WGS 84.
    public static var unsupportedDatum: Self { Self(rawValue: "unsupportedDatum") }
    /// The input is longer than the limit for its kind.
    public static var tooLong: Self { Self(rawValue: "tooLong") }
    /// A link breaks the grammar of its kind, or its percent-encoding is broken.
    public static var malformedLink: Self { Self(rawValue: "malformedLink") }
    /// The input is a link of a kind that no rule understands.
    public static var unsupportedLink: Self { Self(rawValue: "unsupportedLink") }
}
