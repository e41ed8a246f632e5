/// The reason why a donation or a declared kind is rejected.
public typealias KindError = CodedError<KindErrorSubject>

/// The subject of ``KindError``.
public enum KindErrorSubject {}

extension KindError.Code {
    /// The kind is neither a standard one nor declared by the app.
    public static var unknownKind: Self { Self(rawValue: "unknownKind") }
    /// The kind has no parameter of that name.
    public static var unknownParameter: Self { Self(rawValue: "unknownParameter") }
    /// A value is too long, or does not fit the parameter's type.
    public static var invalidValue: Self { Self(rawValue: "invalidValue") }
    /// No supported combination has all its values.
    public static var incomplete: Self { Self(rawValue: "incomplete") }
    /// An identifying value is a time or a counter, so no two donations would be equivalent.
    public static var timestamp: Self { Self(rawValue: "timestamp") }
    /// The declaration of a kind is malformed.
    public static var invalidDeclaration: Self { Self(rawValue: "invalidDeclaration") }
}
