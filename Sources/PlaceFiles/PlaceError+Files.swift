public import HunchModel
public import Places

extension PlaceError.Code {
    /// The file is not there, is a folder, or cannot be read.
    public static var unreadable: Self { Self(rawValue: "unreadable") }
    /// The file is of no format that is understood.
    public static var unknownFormat: Self { Self(rawValue: "unknownFormat") }
    /// The file breaks the rules of its format.
    public static var malformed: Self { Self(rawValue: "malformed") }
    /// The file is sound, and no position is stored in it.
    public static var noPosition: Self { Self(rawValue: "noPosition") }
}
