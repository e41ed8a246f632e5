public import HunchModel

/// The error of a gazetteer or another geocoder.
public typealias GeocoderError = CodedError<GeocoderErrorSubject>

/// The subject of ``GeocoderError``.
public enum GeocoderErrorSubject {}

extension GeocoderError.Code {
    /// The query has no letter or digit.
    public static var emptyQuery: Self { Self(rawValue: "emptyQuery") }
    /// The query is a link, a room, an online meeting or a telephone number, or means that the place is not known yet.
    public static var notAPlace: Self { Self(rawValue: "notAPlace") }
    /// The query is longer than its limit.
    public static var tooLong: Self { Self(rawValue: "tooLong") }
    /// There is no gazetteer yet.
    public static var noGazetteer: Self { Self(rawValue: "noGazetteer") }
    /// The file is a gazetteer of another version, or not a gazetteer.
    public static var incompatible: Self { Self(rawValue: "incompatible") }
    /// The online service could not be reached.
    public static var unreachable: Self { Self(rawValue: "unreachable") }
    /// Another import is running.
    public static var busy: Self { Self(rawValue: "busy") }
    /// The file could not be read or written.
    public static var storage: Self { Self(rawValue: "storage") }
}
