public import HunchModel

extension Suggestion {
    /// The suggestion without its item, app and reason, for a screen that others may see. Only its kind remains.
    public var withoutContent: Suggestion {
        let bare: Action =
            switch action {
            case .play(let item, _, let context): .play(item: item, info: NowPlayingInfo(title: ""), context: context)
            case .openDirections, .call, .openPage: action
            case .save(let event): .save(CalendarEvent(title: "", start: event.start))
            case .remind(let reminder): .remind(Reminder(title: "", date: reminder.date))
            case .open: .open(Donation(application: "", kind: .openItem, parameters: [:], date: expiry))
            }
        return Suggestion(
            id: id, title: Wording.title(action), subtitle: "", application: "", applicationName: Wording.agentName,
            source: "", score: score, explanation: [], context: context, expiry: expiry, action: bare)
    }
}
