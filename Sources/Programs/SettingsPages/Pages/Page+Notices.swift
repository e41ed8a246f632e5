public import CommandReports
internal import AgentInterface
public import FoundationEssentials
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
    static func forgetting(_ scope: ForgetScope, question: String) -> Action {
        var sentences = [
            localized("Hunch deletes what it recorded of this, and what it learned from it. This cannot be undone.")
        ]
        if case .place = scope {
            sentences.insert(
                localized("Items of the search index that mention it go, too, also those that you imported."), at: 0)
        }
        return .ask(
            Question(title: question, text: sentences.joined(separator: " "), agree: localized("Forget")),
            then: .forget(scope))
    }

    /// Asks before forgetting the time since a date.
    ///
    /// - Parameter count: how much that removes; `nil` if it is unknown.
    public static func forgetting(since date: Date, question: String, _ count: ForgettingCount?) -> Action {
        var sentences: [String] = []
        if let count {
            let parts = [
                count.actions > 0 ? localizedPlural("%1 action", "%1 actions", count.actions) : nil,
                count.items > 0
                    ? localizedPlural(
                        "%1 item of the search index", "%1 items of the search index", count.items) : nil,
                count.others > 0
                    ? localizedPlural("%1 other record", "%1 other records", count.others) : nil,
            ].compactMap(\.self)
            sentences = [
                parts.isEmpty
                    ? localized("Nothing was recorded in this time.")
                    : localized(
                        "Hunch deletes what it recorded of this (%1), and what it learned from it. This cannot be undone.",
                        parts.joined(separator: localized(", ")))
            ]
            if count.imported > 0 {
                sentences.append(
                    localizedPlural(
                        "%1 item that you imported into the search index stays.",
                        "%1 items that you imported into the search index stay.", count.imported))
            }
        } else {
            sentences = [
                localized(
                    "Hunch deletes what it recorded of this, and what it learned from it. This cannot be undone."),
                localized("Items that you imported into the search index stay."),
            ]
        }
        return .ask(
            Question(title: question, text: sentences.joined(separator: " "), agree: localized("Forget")),
            then: .forget(.since(date)))
    }
}
