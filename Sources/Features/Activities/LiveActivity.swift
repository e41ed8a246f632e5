internal import AgentInterface
package import FoundationEssentials
package import History
package import HunchDBus
package import HunchModel

/// An activity of an app. It lives at most as long as its connection.
package struct LiveActivity: Sendable, Identifiable {
    package let id: String
    /// Desktop identifier of its app.
    package let application: AppID
    /// The connection that created it. No other may change it.
    package let owner: BusName
    /// The app's values; `nil` after they were discarded, because the user paused Hunch, excluded the app or forgot
    /// something. Only a complete update from the app restores them.
    package var activity: Activity?
    /// The owner's object that saves the activity on request.
    package var delegate: ObjectPath?
    /// The date on which it last became current.
    package var date: Date
    /// A number that grows with each activity that becomes current, to order them.
    package var turn = 0

    package init(
        id: String, application: AppID, owner: BusName, activity: Activity?, delegate: ObjectPath?, date: Date
    ) {
        self.id = id
        self.application = application
        self.owner = owner
        self.activity = activity
        self.delegate = delegate
        self.date = date
    }

    /// Applies the app's changes.
    ///
    /// - Parameter changes: the changed keys of `org.hunch.Activity1`; all keys if the content is not known.
    /// - Throws: ``DBusError`` for invalid values.
    package mutating func update(_ changes: VariantMap) throws(DBusError) {
        try Activity.checkKeys(of: changes)
        let delegate = try changes.value("delegate", as: ObjectPath.self)
        if var known = activity {
            try known.update(transfer: changes)
            activity = known
        } else {
            activity = try Activity(transfer: changes)
        }
        self.delegate = delegate ?? self.delegate
    }

    /// The names of the content for its app.
    package var names: ContentNames {
        ContentNames(
            content: activity?.contentIdentifier, related: activity?.relatedIdentifier, group: activity?.group)
    }

    /// Whether two activities of an app are about the same content.
    func isAboutSame(as other: LiveActivity) -> Bool {
        guard names.content == nil, other.names.content == nil else { return names.content == other.names.content }
        return activity?.type == other.activity?.type && activity?.title == other.activity?.title
    }

    /// The address of the content as a web page; `nil` for a script.
    var page: String? { activity?.webPageURL.flatMap { WebAddress.isScript($0) ? nil : $0 } }

    /// The identifier of the content in the stores: that of its app, or else the address of its page. `nil` without any.
    var storedIdentifier: String? {
        activity?.contentIdentifier ?? page?.cut(toBytes: SearchableItem.Limit.identifier)
    }

    /// Returns the place to remember; `nil` if it has none, or its app forbids suggestions.
    package func seenPlace(at now: Date) -> SeenPlace? {
        guard let activity, activity.isEligibleForSuggestion, activity.isValid(at: now), var place = activity.place
        else {
            return nil
        }
        place.name = place.name ?? activity.title
        return SeenPlace(
            application: application, place: place, content: storedIdentifier,
            related: activity.relatedIdentifier, group: activity.group, date: now,
            reservation: activity.reservation == nil ? nil : upcomingEvent(at: now))
    }

    /// Returns the event to save in a calendar; `nil` if the content is about none in the future, or its app forbids
    /// suggestions.
    package func upcomingEvent(at now: Date) -> CalendarEvent? {
        guard let activity, activity.isEligibleForSuggestion, activity.isValid(at: now), let start = activity.start,
            start > now
        else { return nil }
        return CalendarEvent(
            title: activity.title, start: start, end: activity.end, place: activity.place,
            webPageURL: activity.webPageURL, reservation: activity.reservation, booking: activity.booking)
    }

    /// Whether something may be suggested because the user left it.
    package func hasNextStep(at now: Date) -> Bool { seenPlace(at: now) != nil || upcomingEvent(at: now) != nil }

    /// Returns the donation that records that the content was opened; `nil` if it was not on the screen long enough or
    /// cannot be identified.
    ///
    /// - Parameters:
    ///   - end: the date on which the user left it.
    ///   - minimum: the time on the screen that counts as opened.
    ///   - context: the context of the donation.
    package func opening(until end: Date, minimum: TimeInterval, context: Context) -> Donation? {
        guard let activity, end.timeIntervalSince(date) >= minimum else { return nil }
        var parameters = ["title": activity.title]
        parameters["item"] = activity.contentIdentifier
        parameters["uri"] = activity.webPageURL
        // Parameters that the kind does not allow, such as a time as identifier, describe nothing that can be
        // repeated.
        guard let kind = KindDeclaration.standard[.openItem],
            let combination = try? kind.combination(of: parameters, at: end)
        else { return nil }
        return Donation(
            application: application, kind: .openItem, parameters: parameters, date: end, context: context,
            identifier: activity.contentIdentifier, group: activity.group, combination: combination)
    }

    /// The approximate memory size, in bytes.
    package var size: Int {
        guard let activity else { return 0 }
        return activity.payload.count + activity.transfer.filter { $0.key != "payload" }.textSize
    }
}
