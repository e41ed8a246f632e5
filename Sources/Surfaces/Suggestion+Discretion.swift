public import HunchModel

extension Suggestion {
    /// The same suggestion for a screen that others may look at: of what kind it is, and who makes it. Neither what is
    /// offered, nor the app, nor why.
    public var withoutContent: Suggestion {
        let bare: Action =
            switch action {
            case .play(let item, _, let context): .play(item: item, info: NowPlayingInfo(title: ""), context: context)
            case .openDirections, .call: action
            case .open: .open(Donation(application: "", kind: .openItem, parameters: [:], date: expiry))
            }
        return Suggestion(
            id: id, title: Wording.title(action), subtitle: "", application: "", applicationName: Wording.agentName,
            source: "", score: score, explanation: [], context: context, expiry: expiry, action: bare)
    }
}
