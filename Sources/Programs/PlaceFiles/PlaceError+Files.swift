public import Coordinates
public import HunchModel

extension PlaceError.Code {
    /// The file is missing, is a folder, or cannot be read.
    public static var unreadable: Self { Self(rawValue: "unreadable") }
    /// The format of the file is not supported.
    public static var unknownFormat: Self { Self(rawValue: "unknownFormat") }
    /// The file violates its format.
    public static var malformed: Self { Self(rawValue: "malformed") }
    /// The file is valid but contains no position.
    public static var noPosition: Self { Self(rawValue: "noPosition") }
}
