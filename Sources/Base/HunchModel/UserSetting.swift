internal import Localization

/// A setting that the user switches on or off.
///
/// Off is the default, and the more private of the two: an import may switch a setting off, but not on. A case is all that
/// the history, its export, the agent, HunchKit and the window need to keep, show and change it.
public enum UserSetting: String, CaseIterable, Hashable, Sendable {
    /// Suggestions are shown in full while the user's session is locked or not in front.
    case lockScreenTitles
    /// Programs may register as apps in development. Switching it off forgets what these apps stored.
    case developerMode

    /// The name for people, such as “Titles on the lock screen”.
    public var title: String {
        switch self {
        case .lockScreenTitles: localized("Titles on the lock screen")
        case .developerMode: localized("Developer mode")
        }
    }

    /// A sentence that says what it does, or what happens while it is off.
    public var explanation: String {
        switch self {
        case .lockScreenTitles: localized("Otherwise a locked screen shows only that there is something to play.")
        case .developerMode:
            localized("Lets programs that are not installed take part, as apps named “dev:…”. Off forgets their data.")
        }
    }
}
