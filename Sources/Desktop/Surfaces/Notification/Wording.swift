internal import HunchModel
internal import Localization

/// All texts that surfaces show and that are not part of a suggestion, in the language of the user.
enum Wording {
    /// The name of the sender.
    static let agentName = "Hunch"

    /// The label of the button that accepts a suggestion.
    static func accept(_ action: Suggestion.Action, _ stage: NotificationStage = .offered) -> String {
        if case .failed = stage { return localizedIn("button", "Try again") }
        return switch action {
        case .play: localizedIn("button", "Play")
        case .openDirections, .open: localizedIn("button", "Open")
        case .call: localizedIn("button", "Call")
        case .save: localizedIn("button", "Save")
        case .remind: localizedIn("button", "Remind me")
        case .openPage(_, .join): localizedIn("button", "Join")
        case .openPage(_, .checkIn): localizedIn("button", "Check in")
        }
    }

    /// Returns the label of the button that accepts a companion: its title if the usual word is already in use.
    static func acceptInstead(_ companion: Suggestion, of action: Suggestion.Action) -> String {
        let word = accept(companion.action)
        return word == accept(action) ? companion.title : word
    }

    /// Returns the line about a companion whose button does not say enough: `or: The Daily · Podcasts` for media, and
    /// `Remind me: Tomorrow, 9:00 · Tasks` for what has a time. `nil` for other companions.
    static func alternative(_ companion: Suggestion) -> String? {
        switch companion.action {
        case .play(_, let info, _): localized("or: %1 · %2", info.title, companion.applicationName)
        case .save, .remind:
            companion.subtitle.isEmpty
                ? nil : "\(accept(companion.action)): \(companion.subtitle)"
        case .openDirections, .call, .openPage, .open: nil
        }
    }

    /// The label for dismissing a suggestion.
    static var notNow: String { localizedIn("button", "Not now") }

    /// The label for ending all suggestions on a device.
    static var never: String { localizedIn("button", "Never on this device") }

    /// Returns the title that announces a mute.
    static func muted(_ suggestion: Suggestion) -> String {
        suggestion.subject == nil
            ? localized("No more suggestions of %1", suggestion.applicationName)
            : localized("No more suggestions like “%1”", suggestion.title)
    }

    /// Returns the sentence that states the device of a mute, if it has one, and its duration.
    static func muteEnds(_ suggestion: Suggestion, days: Int) -> String {
        guard let device = suggestion.readyDevice else {
            return localizedPlural(
                "You dismissed them several times at such moments. They may come back in %1 day.",
                "You dismissed them several times at such moments. They may come back in %1 days.", days)
        }
        return localizedPlural(
            "You dismissed them several times for %2. They may come back in %1 day.",
            "You dismissed them several times for %2. They may come back in %1 days.", days, device.name)
    }

    /// Returns the title that announces the end of all suggestions on a device.
    static func silenced(_ device: AudioDevice) -> String { localized("No more suggestions on %1", device.name) }

    /// The sentence that says how to have suggestions on a device again.
    static var silenceEnds: String { localized("You can allow them again on the page “Devices” of Hunch.") }

    /// The label for undoing the effect of a dismissal.
    static var undo: String { localizedIn("button", "Undo") }

    /// The label for opening the window with the settings.
    static var settings: String { localizedIn("button", "Settings") }

    /// The question that asks for the app to show a route.
    static var whichApp: String { localized("Which app?") }

    /// The explanation that the answer is remembered.
    static var isRemembered: String {
        localized("Hunch will open places like this with your choice from now on.")
    }

    /// Returns the question that asks for the place that ambiguous words mean.
    static func whichPlace(_ words: String) -> String { localized("Which “%1” do you mean?", words) }

    /// The first line of a notification.
    static func summary(_ suggestion: Suggestion, _ stage: NotificationStage) -> String {
        switch stage {
        case .offered: suggestion.title
        case .starting:
            suggestion.application.isEmpty
                ? localizedIn("app", "Starting") : localizedIn("app", "Starting %1", suggestion.applicationName)
        case .waiting(let device): localizedIn("device", "Waiting for %1", device)
        case .failed(_, let playsAnew): failed(suggestion, playsAnew: playsAnew)
        }
    }

    /// The further lines of a notification.
    static func lines(_ suggestion: Suggestion, _ stage: NotificationStage) -> [String] {
        switch stage {
        case .offered:
            [suggestion.subtitle, (suggestion.explanation.texts.first ?? origin(of: suggestion)).withCapital]
        case .starting:
            suggestion.application.isEmpty
                ? [] : [localized("%1 was asked, but has not started yet", suggestion.applicationName)]
        case .waiting(let device):
            [localized("%1 disconnected. If it comes back within seconds, playback starts", device)]
        case .failed(let reason, _): [sentence(WebAddress.withoutSecrets(in: reason), about: suggestion)]
        }
    }

    /// Returns a reason as the beginning of a sentence. The name of the app or the device stays as it is written.
    static func sentence(_ reason: String, about suggestion: Suggestion) -> String {
        let names = [suggestion.applicationName, suggestion.readyDevice?.name ?? ""].filter { !$0.isEmpty }
        return names.contains(where: reason.hasPrefix) ? reason : reason.withCapital
    }

    /// Returns where a suggestion comes from; empty if that is the app that its subtitle names already.
    private static func origin(of suggestion: Suggestion) -> String {
        let texts = [suggestion.subtitle, suggestion.source]
        return texts.allSatisfy { $0.contains(suggestion.applicationName) } ? "" : suggestion.source
    }

    /// Returns the first line about a suggestion that could not be carried out. It names the suggestion, because others
    /// may be shown as well.
    ///
    /// - Parameter playsAnew: whether the app plays the item, but from the beginning.
    static func failed(_ suggestion: Suggestion, playsAnew: Bool) -> String {
        switch suggestion.action {
        case .play(_, let info, _) where playsAnew:
            info.title.isEmpty
                ? localized("It plays from the beginning") : localized("“%1” plays from the beginning", info.title)
        case .play(_, let info, _):
            if info.title.isEmpty {
                localized("It does not play")
            } else if info.isBegun {
                localized("“%1” was not resumed", info.title)
            } else {
                localized("“%1” does not play", info.title)
            }
        case .openDirections, .open, .openPage, .save: localized("Not opened: %1", suggestion.title)
        case .call: localized("Not called: %1", suggestion.title)
        case .remind: localized("Reminder not added: %1", suggestion.title)
        }
    }

    /// Returns the title for a suggestion whose own title is empty.
    static func title(_ action: Suggestion.Action) -> String {
        switch action {
        case .play: localized("Something to play")
        case .openDirections: localized("Directions")
        case .call: localized("A call")
        case .save: localized("An event")
        case .remind: localized("A reminder")
        case .openPage(_, .join): localized("A call to join")
        case .openPage(_, .checkIn): localized("Check in")
        case .open: localized("Something to open")
        }
    }
}
