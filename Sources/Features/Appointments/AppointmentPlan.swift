package import FoundationEssentials
package import HunchModel

/// An appointment with the route to it.
package struct AppointmentPlan: Hashable, Sendable {
    /// The route to the place of an appointment.
    package enum Route: Hashable, Sendable {
        /// There is no place, or no app shows a route to it.
        case none
        /// Some app shows a route, but the position of the user or of the place is not known.
        case unknown
        /// The distance of the great circle in metres, and the estimated time in seconds by a mode.
        case known(distance: Double, seconds: Double, by: TransportMode)
    }

    /// The reason why the time to leave for a place is not known.
    package enum Obstacle: String, Hashable, Sendable {
        /// No place of its words was found.
        case notFound
        /// Several places may be meant.
        case ambiguous
        /// Only the town of the place is known.
        case townOnly
        /// No app shows a route to the place.
        case noApp
        /// The position of the user is not known.
        case noPosition
        /// The user is at the place.
        case arrived
        /// The route is longer than those that are suggested.
        case tooFar
    }

    /// The mode of a route, and the position of the user for which it was chosen.
    package struct Choice: Hashable, Sendable {
        package let mode: TransportMode
        package let outset: Coordinate
    }

    package let event: CalendarEvent
    package var route: Route
    /// The reason why the time to leave is not known; `nil` if it is, or if there is no place.
    package let obstacle: Obstacle?
    /// The position of its place; `nil` if it is not known.
    package let destination: Coordinate?
    /// The position of the user for which the mode of the route was chosen; `nil` if it is not known.
    package let outset: Coordinate?

    /// The mode of the route; `nil` if it is not known.
    package var choice: Choice? {
        guard case .known(_, _, let mode) = route, let outset else { return nil }
        return Choice(mode: mode, outset: outset)
    }

    package init(
        event: CalendarEvent, route: Route, from outset: Coordinate? = nil, to destination: Coordinate? = nil,
        lacking obstacle: Obstacle? = nil
    ) {
        self.event = event
        self.route = route
        self.obstacle = obstacle
        self.destination = destination
        self.outset = outset
    }
}

/// The action that an appointment asks for.
package enum AppointmentStep: String, Hashable, Sendable {
    /// To leave for its place.
    case leave
    /// To join its call.
    case join
    /// To check in for its flight.
    case checkIn
}

/// A suggestion that an appointment may lead to.
package struct AppointmentCandidate: Hashable, Sendable, Identifiable {
    package let plan: AppointmentPlan
    package let step: AppointmentStep
    /// The time from which it may be suggested.
    package let due: Date
    /// The time at which it ends.
    package let end: Date
    /// The time by which the user should leave; `nil` if the route is not known, and for other steps.
    package let leave: Date?

    /// The identifier of the suggestion: that of the occurrence of the event. It stays the same when the event changes,
    /// and when the agent restarts, so that the history shows whether the user has seen or answered it.
    package internal(set) var id: Suggestion.ID

    init(plan: AppointmentPlan, step: AppointmentStep, due: Date, end: Date, leave: Date?) {
        self.plan = plan
        self.step = step
        self.due = due
        self.end = end
        self.leave = leave
        id = Self.id(of: plan.event, step)
    }

    static func id(of event: CalendarEvent, _ step: AppointmentStep) -> Suggestion.ID {
        // The letters that a user types to name it come first.
        "\(step.rawValue.cut(to: 1))\(event.occurrence ?? event.identifier)"
    }

    /// The kind of its suggestion.
    private var kind: Suggestion.Kind {
        switch step {
        case .leave: .directions
        case .join: .meeting
        case .checkIn: .reservation
        }
    }

    /// Whether its suggestion is urgent; see ``HunchModel/Suggestion/Kind/isUrgent(after:)``.
    package var isUrgent: Bool { kind.isUrgent(after: .appointment) }

    /// The distance in metres within which two places are the same.
    private static let nearness = 300.0
    /// The time in seconds within which two starts are the same. Times to leave change with the position.
    static let sameTime = 5 * 60.0

    /// Returns whether it asks for the same as a former version of itself, at about the same time.
    func continues(_ former: Self) -> Bool {
        let (event, other) = (plan.event, former.plan.event)
        return event.place == other.place && event.meetingURL == other.meetingURL
            && event.webPageURL == other.webPageURL
            && event.start.timeIntervalSince(other.start).magnitude <= Self.sameTime
    }

    /// Returns whether the candidate of another event asks for the same action at about the same time. Two calendars,
    /// or a calendar and a ticket, may have an event under different titles.
    func repeats(_ other: Self) -> Bool {
        let (event, otherEvent) = (plan.event, other.plan.event)
        guard step == other.step, id != other.id, event.mayBeSame(as: otherEvent) else { return false }
        switch step {
        case .join: return event.meetingURL == otherEvent.meetingURL
        case .checkIn: return event.webPageURL == otherEvent.webPageURL
        case .leave:
            guard let place = plan.destination, let otherPlace = other.plan.destination else {
                return event.place != nil && event.place == otherEvent.place
            }
            return place.distance(to: otherPlace) <= Self.nearness && event.mayBeAtPlace(of: otherEvent)
        }
    }

    /// The time by which the user has to act.
    var deadline: Date { leave ?? (step == .checkIn ? end : plan.event.start) }
}

extension CalendarEvent {
    /// Returns whether another event may be the same one in another calendar: both begin at about the same time. Two occurrences
    /// of a close series are two events.
    func mayBeSame(as other: CalendarEvent) -> Bool {
        if let series, series == other.series, occurrence != other.occurrence { return start == other.start }
        return start.timeIntervalSince(other.start).magnitude <= AppointmentCandidate.sameTime
    }

    /// Returns whether the words for the places of two events near each other may mean one place: one has no words, the words
    /// of one are among those of the other, or both have one house number in one street. Neighbours in a street are two places.
    fileprivate func mayBeAtPlace(of other: CalendarEvent) -> Bool {
        let (words, otherWords) = (placeWords, other.placeWords)
        if title == other.title || words.isEmpty || otherWords.isEmpty { return true }
        if words.isSubset(of: otherWords) || otherWords.isSubset(of: words) { return true }
        let (numbers, otherNumbers) = (words.filter(\.hasNumber), otherWords.filter(\.hasNumber))
        guard let few = [numbers, otherNumbers].min(by: { $0.count < $1.count }), !few.isEmpty else { return false }
        let shared = words.intersection(otherWords)
        return few.isSubset(of: shared) && shared.count > few.count
    }

    private var placeWords: Set<String> {
        let texts = [place?.name, place?.address?.singleLine, place?.query].compactMap(\.self)
        return Set(
            texts.flatMap { $0.lowercased().split { !$0.isLetter && !$0.isNumber } }.map(String.init))
    }
}

extension String {
    fileprivate var hasNumber: Bool { contains(where: \.isNumber) }
}
