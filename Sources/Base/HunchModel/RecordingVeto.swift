internal import Localization

/// The reason why nothing is recorded although Hunch is on. The raw value is its code on the bus.
public enum RecordingVeto: String, Sendable, CustomStringConvertible {
    /// The settings are not known yet.
    case settingsUnknown
    /// GNOME's `remember-app-usage` is off.
    case gnomeAppUsage
    /// GNOME's `remember-recent-files` is off.
    case gnomeRecentFiles
    /// KDE is set not to remember recent files.
    case kdeRecentFiles
    /// The history was deleted or moved while it was in use, and no new one can be created.
    case historyLost

    /// Whether it is a privacy setting of the desktop.
    public var isSetting: Bool {
        switch self {
        case .gnomeAppUsage, .gnomeRecentFiles, .kdeRecentFiles: true
        case .settingsUnknown, .historyLost: false
        }
    }

    /// The reason as one clause for a user, in their language.
    public var words: String {
        switch self {
        case .settingsUnknown: localized("the desktop's privacy settings are not known yet")
        case .gnomeAppUsage: localized("GNOME is set not to remember which apps are used")
        case .gnomeRecentFiles: localized("GNOME is set not to remember recent files")
        case .kdeRecentFiles: localized("KDE is set not to remember what is opened")
        case .historyLost:
            localized("the history was deleted or moved, and no new one can be created in its folder")
        }
    }

    /// The reason as one sentence for a user, in their language.
    public var sentence: String { localizedIn("sentence", "%1.", words.withCapital) }

    /// The reason as one English clause, for the errors that programs get.
    public var description: String {
        switch self {
        case .settingsUnknown: "the desktop's privacy settings are not known yet"
        case .gnomeAppUsage: "GNOME's privacy setting “remember-app-usage” is off"
        case .gnomeRecentFiles: "GNOME's privacy setting “remember-recent-files” is off"
        case .kdeRecentFiles: "KDE is set not to remember what is opened"
        case .historyLost: "the history was deleted or moved, and no new one can be created in its folder"
        }
    }
}
