public import HunchModel

/// Why a gazetteer or another geocoder could not be asked, or not be changed.
public typealias GeocoderError = CodedError<GeocoderErrorSubject>

/// The subject of ``GeocoderError``.
public enum GeocoderErrorSubject {}

extension GeocoderError.Code {
    /// The query has no letter or digit.
    public static var emptyQuery: Self { Self(rawValue: "emptyQuery") }
    /// The query is a link, a room, a meeting on the network, or says that the place is not known yet.
    public static var notAPlace: Self { Self(rawValue: "notAPlace") }
    /// The query is longer than its limit.
    public static var tooLong: Self { Self(rawValue: "tooLong") }
    /// There is no gazetteer yet.
    public static var noGazetteer: Self { Self(rawValue: "noGazetteer") }
    /// The gazetteer file was made by another version, or is no gazetteer.
    public static var incompatible: Self { Self(rawValue: "incompatible") }
    /// The network could not be asked.
    public static var unreachable: Self { Self(rawValue: "unreachable") }
    /// Another import is running.
    public static var busy: Self { Self(rawValue: "busy") }
    /// The file could not be read or written.
    public static var storage: Self { Self(rawValue: "storage") }
}
