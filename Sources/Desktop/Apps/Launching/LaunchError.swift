package import HunchModel
internal import Localization

/// The reason why an app could not be launched.
package typealias LaunchError = CodedError<LaunchErrorSubject>

/// The subject of ``LaunchError``.
package enum LaunchErrorSubject {}

extension LaunchError.Code {
    /// No such app is installed.
    package static var notInstalled: Self { Self(rawValue: "notInstalled") }
    /// The app's desktop entry cannot be used.
    package static var unusableEntry: Self { Self(rawValue: "unusableEntry") }
    /// The request breaks a limit or a rule.
    package static var invalidRequest: Self { Self(rawValue: "invalidRequest") }
    /// Launching failed.
    package static var failed: Self { Self(rawValue: "failed") }
}

extension LaunchError.Code {
    /// The error as a sentence for the log.
    package var sentence: String {
        switch self {
        case .notInstalled: localized("no such app is installed")
        case .unusableEntry: localized("the app's desktop entry cannot be used")
        case .invalidRequest: localized("the address cannot be opened")
        default: localized("the app could not be launched")
        }
    }
}
