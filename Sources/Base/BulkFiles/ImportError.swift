public import HunchModel

/// The reason why a file could not be imported.
public typealias ImportError = CodedError<ImportErrorSubject>

/// The type that distinguishes ``ImportError`` from other coded errors.
public enum ImportErrorSubject {}

extension ImportError.Code {
    /// The file does not exist or cannot be read.
    public static var unreadable: Self { Self(rawValue: "unreadable") }
    /// The format of the file is not supported.
    public static var unknownFormat: Self { Self(rawValue: "unknownFormat") }
    /// The file violates its format.
    public static var malformed: Self { Self(rawValue: "malformed") }
    /// The file or a record of it exceeds a limit.
    public static var tooLong: Self { Self(rawValue: "tooLong") }
    /// The program that reads the format is not installed.
    public static var missingProgram: Self { Self(rawValue: "missingProgram") }
    /// The file depends on another file that was not imported.
    public static var incomplete: Self { Self(rawValue: "incomplete") }
}
