import HunchModel

/// The reason why an app could not be launched.
typealias LaunchError = CodedError<LaunchErrorSubject>

/// The subject of ``LaunchError``.
enum LaunchErrorSubject {}

extension LaunchError.Code {
    /// No such app is installed.
    static var notInstalled: Self { Self(rawValue: "notInstalled") }
    /// The app's desktop entry cannot be used.
    static var unusableEntry: Self { Self(rawValue: "unusableEntry") }
    /// The request breaks a limit or a rule.
    static var invalidRequest: Self { Self(rawValue: "invalidRequest") }
    /// Launching failed.
    static var failed: Self { Self(rawValue: "failed") }
}
