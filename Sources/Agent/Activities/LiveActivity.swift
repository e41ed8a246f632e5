internal import AgentInterface
internal import FoundationEssentials
internal import History
internal import HunchDBus
internal import HunchModel

/// An activity of an app. It lives at most as long as its connection.
struct LiveActivity: Sendable, Identifiable {
    let id: String
    /// Desktop identifier of its app.
    let application: String
    /// The connection that created it. No other may change it.
    let owner: BusName
    /// The app's values; `nil` while the app is not kept. Then only a complete update restores it.
    var activity: Activity?
    /// The owner's object that saves the activity on request.
    var delegate: ObjectPath?
    /// The date on which it last became current.
    var date: Date
    /// A number that grows with each activity that becomes current, to order them.
    var turn = 0

    /// Returns the place to remember; `nil` if it has none, or its app forbids suggestions.
    func seenPlace(at now: Date) -> SeenPlace? {
        guard let activity, activity.isEligibleForSuggestion, activity.isCurrent(at: now), var place = activity.place
        else {
            return nil
        }
        place.name = place.name ?? activity.title
        return SeenPlace(
            application: application, place: place, content: activity.contentIdentifier,
            related: activity.relatedIdentifier, group: activity.group, date: now)
    }

    /// Whether a selection includes it.
    func isMeant(by selection: DonationSelection) -> Bool {
        switch selection {
        case .identifiers(let identifiers):
            [activity?.contentIdentifier, activity?.relatedIdentifier].contains {
                $0.map(identifiers.contains) ?? false
            }
        case .groups(let groups): activity?.group.map(groups.contains) ?? false
        case .all: true
        }
    }

    /// The approximate memory size, in bytes.
    var size: Int {
        guard let activity else { return 0 }
        return activity.payload.count + activity.transfer.filter { $0.key != "payload" }.textSize
    }
}
