internal import HunchDBus
internal import HunchModel

/// The notification of a suggestion (Desktop Notifications Specification 1.2), for a server's capabilities.
struct NotificationContent {
    /// The maximum number of characters in the first line.
    static let titleLimit = 120
    /// The maximum number of characters in each further line.
    static let lineLimit = 240

    /// The maximum number of characters in an app's name or a title on a button.
    static let choiceLimit = 40

    let icon: String
    let summary: String
    let body: String
    /// Keys and labels, alternating.
    let actions: [String]
    let hints: VariantMap
    /// The timeout in milliseconds; −1 for the server's default.
    let timeout: Int32

    /// - Parameters:
    ///   - companions: the suggestions to provide as alternative actions.
    ///   - choices: a question and its suggestions, in order. Each becomes an action.
    ///   - stage: the stage to show. A suggestion that was accepted has no actions.
    ///   - desktopEntry: the desktop identifier of the sender.
    ///   - time: the maximum time on screen, for servers without persistence.
    ///   - isSilent: whether the server makes no sound for it.
    init(
        _ suggestion: Suggestion, with companions: [Suggestion] = [],
        amongst choices: (question: NotificationQuestion, suggestions: [Suggestion])? = nil,
        stage: NotificationStage = .offered, for server: NotificationServer, desktopEntry: String, time: Duration,
        isSilent: Bool = true
    ) {
        let title = DisplayText(
            choices?.question.summary ?? Wording.summary(suggestion, stage), limit: Self.titleLimit)
        summary = title.isEmpty ? Wording.title(suggestion.action) : title.text

        // Some servers join the lines.
        let words =
            choices?.question.lines
            ?? Wording.lines(suggestion, stage) + companions.compactMap(Wording.alternative)
        let lines = words.map { DisplayText($0, limit: Self.lineLimit) }.filter { !$0.isEmpty }
        body =
            server.showsBody
            ? lines.map { server.readsMarkup ? $0.text.escapedForMarkup : $0.text }.joined(separator: "\n") : ""

        let accept = Wording.accept(suggestion.action, stage)
        let alternatives = companions.enumerated().map {
            let label = Wording.acceptInstead($1, of: suggestion.action)
            return (ActionKey.companion($0), DisplayText(label, limit: Self.choiceLimit).text)
        }
        var all =
            [
                server.traits.pressesBody ? (ActionKey.body, accept) : nil,
                (ActionKey.accept(suggestion.action), accept),
            ] + alternatives + [
                (ActionKey.notNow, Wording.notNow), suggestion.device.map { _ in (ActionKey.never, Wording.never) },
                // Last, because GNOME Shell shows only the first three buttons.
                (ActionKey.settings, Wording.settings),
            ]
        if let choices {
            // A question has no default answer, so pressing the notification itself does nothing.
            all = choices.suggestions.enumerated().map {
                (ActionKey.choice($0), DisplayText(choices.question.label(of: $1), limit: Self.choiceLimit).text)
            }
        }
        if stage.isAccepted { all = [] }
        actions = server.showsActions ? all.compactMap(\.self).flatMap { [$0.0, $0.1] } : []

        // Normal urgency, because some desktops show no banner for low urgency. Neither transient nor resident, so
        // that the server may keep it in its list and removes it when an action is invoked.
        var hints: VariantMap = [
            "urgency": .byte(1),
            "category": .string("x-hunch.suggestion.\(DisplayText(suggestion.kind.rawValue, limit: 64).text)"),
            "desktop-entry": .string(desktopEntry),
        ]
        if isSilent { hints["suppress-sound"] = .boolean(true) }
        let picture = suggestion.artworkURL.flatMap(LocalPicture.uri)
        hints["image-path"] = picture.map(Value.string)
        self.hints = hints
        icon =
            picture != nil ? "" : choices != nil ? desktopEntry : Self.icon(of: suggestion, desktopEntry: desktopEntry)

        timeout = server.isPersistent ? -1 : Self.milliseconds(time)
    }

    /// Creates the notification that announces the effect of an answer, with an undo button if it can be undone. It is
    /// transient, because it answers a press.
    init(
        announcing effect: LastingEffect, of suggestion: Suggestion, for server: NotificationServer,
        desktopEntry: String, time: Duration
    ) {
        summary = DisplayText(effect.summary(of: suggestion), limit: Self.titleLimit).text
        let words = DisplayText(effect.text(of: suggestion), limit: Self.lineLimit)
        body = server.showsBody ? (server.readsMarkup ? words.text.escapedForMarkup : words.text) : ""
        let undo = effect.isUndoable ? [ActionKey.undo, Wording.undo] : []
        actions = server.showsActions ? undo + [ActionKey.settings, Wording.settings] : []
        hints = [
            "urgency": .byte(1), "category": .string(effect.category), "desktop-entry": .string(desktopEntry),
            "suppress-sound": .boolean(true), "transient": .boolean(true),
        ]
        icon = Self.icon(of: suggestion, desktopEntry: desktopEntry)
        timeout = server.isPersistent ? -1 : Self.milliseconds(time)
    }

    /// Creates the notification that asks for a permission. Pressing the notification itself answers nothing.
    init(asking question: PermissionQuestion, for server: NotificationServer, desktopEntry: String, time: Duration) {
        summary = DisplayText(question.summary, limit: Self.titleLimit).text
        let words = DisplayText(question.text, limit: Self.lineLimit)
        body = server.showsBody ? (server.readsMarkup ? words.text.escapedForMarkup : words.text) : ""
        actions = question.answers.enumerated().flatMap { [ActionKey.choice($0), $1] }
        hints = [
            "urgency": .byte(1), "category": .string("x-hunch.permission"), "desktop-entry": .string(desktopEntry),
            "suppress-sound": .boolean(true),
        ]
        icon = desktopEntry
        timeout = server.isPersistent ? -1 : Self.milliseconds(time)
    }

    /// Returns an icon name or a file URI; the specification allows either.
    private static func icon(of suggestion: Suggestion, desktopEntry: String) -> String {
        // Hunch brings the icon, because GNOME's theme has no car. A locked screen does not tell the device.
        if suggestion.readyDevice?.kind == .car, !suggestion.application.isEmpty {
            return "\(desktopEntry)-car-symbolic"
        }
        if let picture = suggestion.iconURL.flatMap(LocalPicture.uri) { return picture }
        // The icon theme knows programs, and no web services.
        if case .openDirections(let launch) = suggestion.action, launch.desktopID == nil { return desktopEntry }
        return DisplayText(suggestion.application.isEmpty ? desktopEntry : suggestion.application.rawValue, limit: 255)
            .text
    }

    /// Returns the arguments of `Notify`. A number of 0 replaces nothing.
    func arguments(replacing number: UInt32) -> [Value] {
        [
            .string(Wording.agentName), .uint32(number), .string(icon), .string(summary), .string(body),
            actions.dbusValue, hints.dbusValue, .int32(timeout),
        ]
    }

    /// Returns at least 1, because 0 means that the notification never expires.
    private static func milliseconds(_ duration: Duration) -> Int32 {
        let (seconds, attoseconds) = duration.components
        guard seconds < Int64(Int32.max) / 1_000 else { return Int32.max }
        return Int32(max(1, seconds * 1_000 + attoseconds / 1_000_000_000_000_000))
    }
}

/// The keys of the actions on a notification.
enum ActionKey {
    /// The specification's key for pressing the notification itself.
    static let body = "default"
    static let notNow = "not-now"
    static let never = "never"
    static let undo = "undo"
    static let settings = "settings"

    private static let choicePrefix = "choice-"
    private static let companionPrefix = "instead-"

    static func choice(_ index: Int) -> String { choicePrefix + String(index) }
    static func companion(_ index: Int) -> String { companionPrefix + String(index) }

    static func accept(_ action: Suggestion.Action) -> String {
        switch action {
        case .play: "play"
        case .openDirections, .open, .openPage: "open"
        case .call: "call"
        case .save: "save"
        case .remind: "remind"
        }
    }

    static func meaning(of key: String) -> NotificationEvent.Action? {
        switch key {
        case body: .body
        case notNow: .notNow
        case never: .never
        case undo: .undo
        case settings: .settings
        case "play", "open", "call", "save", "remind": .accept
        default:
            index(of: key, choicePrefix).map { .choice($0) } ?? index(of: key, companionPrefix).map { .companion($0) }
        }
    }

    private static func index(of key: String, _ prefix: String) -> Int? {
        key.hasPrefix(prefix) ? Int(key.dropFirst(prefix.count)) : nil
    }
}
