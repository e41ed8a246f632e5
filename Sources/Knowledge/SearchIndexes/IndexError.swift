public import HunchModel

/// The subject of ``IndexError``.
public enum Indexing {}
/// An error of the search index.
public typealias IndexError = CodedError<Indexing>

extension IndexError.Code {
    /// The file cannot be opened, read or written.
    public static var storage: Self { Self(rawValue: "storage") }
    /// The file is damaged, or was written by a newer version.
    public static var unreadable: Self { Self(rawValue: "unreadable") }
    /// The disk is full.
    public static var diskFull: Self { Self(rawValue: "diskFull") }
    /// A search exceeded its time limit.
    public static var tooSlow: Self { Self(rawValue: "tooSlow") }
    /// The file has its largest size.
    public static var tooLarge: Self { Self(rawValue: "tooLarge") }
    /// Another process writes.
    public static var busy: Self { Self(rawValue: "busy") }
    /// An item or a request exceeds a limit.
    public static var invalidInput: Self { Self(rawValue: "invalidInput") }
}
