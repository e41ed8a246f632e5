import HunchModel

/// Why an app could not be opened.
typealias LaunchError = CodedError<LaunchErrorSubject>

/// The subject of ``LaunchError``.
enum LaunchErrorSubject {}

extension LaunchError.Code {
    /// No such app is installed.
    static var notInstalled: Self { Self(rawValue: "notInstalled") }
    /// The app's desktop entry cannot be carried out.
    static var unusableEntry: Self { Self(rawValue: "unusableEntry") }
    /// The request breaks a limit or a rule.
    static var invalidRequest: Self { Self(rawValue: "invalidRequest") }
    /// It was tried and failed.
    static var failed: Self { Self(rawValue: "failed") }
}
