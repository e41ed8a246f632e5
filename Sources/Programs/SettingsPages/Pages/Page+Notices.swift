internal import AgentInterface
internal import HunchModel
internal import Localization

extension Page {
    /// Returns the notice that replaces pages that need an agent; `nil` if it answers.
    static func notice(_ agent: SettingsState.Agent) -> Notice? {
        switch agent {
        case .running: nil
        case .unknown:
            Notice(
                icon: "content-loading-symbolic", title: localized("Asking Hunch…"),
                text: localized("This takes a few seconds at most."))
        case .noBus:
            Notice(
                icon: "network-offline-symbolic", title: localized("There is no session bus"),
                text: localized("Hunch runs in a desktop session. Log out and in again."))
        case .notInstalled:
            Notice(
                icon: "package-x-generic-symbolic", title: localized("Hunch is not installed completely"),
                text: localized(
                    "The session bus does not know Hunch's agent. Install the package “hunch” again, then log out and in."
                ))
        case .stopped:
            Notice(
                icon: "org.hunch.Hunch", title: localized("Hunch is not running"),
                text: localized("It suggests and records nothing until it is started again."),
                button: Button(localized("Start"), .start, .suggested))
        case .unresponsive:
            Notice(
                icon: "dialog-warning-symbolic", title: localized("Hunch does not answer"),
                text: localized("It has not answered for several seconds. Restarting it loses nothing."),
                button: Button(localized("Restart"), .restart, .suggested))
        case .refused(let reason):
            Notice(
                icon: "dialog-error-symbolic", title: localized("Hunch refuses this window"),
                text: localized("It answers only programs that were installed together with it: %1", reason))
        }
    }
}

extension Action {
    /// Asks before forgetting an app, a device or a place.
    ///
    /// - Parameter name: its name.
    static func forgetting(_ scope: ForgetScope, what name: String) -> Action {
        forgetting(scope, question: localized("Forget %1?", name))
    }

    /// Asks before forgetting.
    ///
    /// - Parameter text: a further sentence.
    static func forgetting(_ scope: ForgetScope, question: String, _ text: String? = nil) -> Action {
        let consequences = localized(
            "Hunch deletes what it recorded of this, and what it learned from it. This cannot be undone.")
        return .ask(
            Question(
                title: question, text: [consequences, text].compactMap(\.self).joined(separator: " "),
                agree: localized("Forget")), then: .forget(scope))
    }
}
