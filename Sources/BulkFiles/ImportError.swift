public import HunchModel

/// Why a file could not be imported.
public typealias ImportError = CodedError<ImportErrorSubject>

/// What ``ImportError`` is about.
public enum ImportErrorSubject {}

extension ImportError.Code {
    /// The file is not there or cannot be read.
    public static var unreadable: Self { Self(rawValue: "unreadable") }
    /// The file is of no format that is understood.
    public static var unknownFormat: Self { Self(rawValue: "unknownFormat") }
    /// The file breaks the rules of its format.
    public static var malformed: Self { Self(rawValue: "malformed") }
    /// The file or a line of it is beyond the limit.
    public static var tooLong: Self { Self(rawValue: "tooLong") }
    /// A program that reads the format is not installed.
    public static var missingProgram: Self { Self(rawValue: "missingProgram") }
    /// The file adds to another that was not imported.
    public static var incomplete: Self { Self(rawValue: "incomplete") }
}
