package import FoundationEssentials
package import HunchModel

/// Decides when something is suggested because of an appointment: to leave for it, to join its call, or to check in.
///
/// A value without I/O and clock. Times are in seconds.
package struct AppointmentPolicy: Sendable {
    /// The action that an appointment asks for.
    package enum Step: String, Hashable, Sendable {
        /// To leave for its place.
        case leave
        /// To join its call.
        case join
        /// To check in for its flight.
        case checkIn
    }

    /// The way to an appointment.
    package struct Journey: Hashable, Sendable {
        /// The distance of the great circle in metres.
        package let distance: Double
        /// The estimated time in seconds.
        package let seconds: Double

        package init(distance: Double, seconds: Double) {
            self.distance = distance
            self.seconds = seconds
        }
    }

    /// An appointment with the way to it.
    package struct Plan: Hashable, Sendable {
        package let event: CalendarEvent
        /// The way to it; `nil` if the position of the person or of the place is not known.
        package let journey: Journey?
        /// Whether some app can show the way.
        package let hasRoute: Bool

        package init(event: CalendarEvent, journey: Journey?, hasRoute: Bool) {
            self.event = event
            self.journey = journey
            self.hasRoute = hasRoute
        }
    }

    /// A suggestion that may be made.
    package struct Candidate: Hashable, Sendable {
        package let plan: Plan
        package let step: Step
        /// The time from which it may be suggested.
        package let due: Date
        /// The time at which it is of no use any more.
        package let end: Date
        /// The time by which the person should leave; `nil` if the way is not known, and for other steps.
        package let leave: Date?

        /// The time by which the person has to act.
        fileprivate var deadline: Date { leave ?? (step == .checkIn ? end : plan.event.start) }
    }

    /// The time before leaving at which it is suggested, to get ready.
    private static let notice = 15 * 60.0
    /// The time to be there before an appointment begins.
    private static let margin = 5 * 60.0
    /// The time before an appointment at which directions are suggested if the way is not known.
    private static let unknownWay = 60 * 60.0
    /// The way below which the person is there already, in metres.
    private static let there = 300.0
    /// The longest journey that is suggested. People plan longer ones themselves.
    private static let longestJourney = 6 * 3_600.0
    /// The time around the start in which a call is suggested.
    private static let beforeCall = 2 * 60.0
    private static let afterCall = 15 * 60.0
    /// The time before a flight in which airlines open their check-in.
    private static let beforeCheckIn = 24 * 3_600.0
    private static let closedCheckIn = 3_600.0
    /// The time between two attempts to suggest something that was held back.
    private static let retry = 2 * 60.0
    /// The time before now within which an appointment may have begun to count.
    package static let past = afterCall
    /// The time before its start at which an appointment has to be known.
    package static let horizon = beforeCheckIn + longestJourney

    private var plans: [Plan] = []
    /// The steps that were suggested, with the end of the time in which they may be.
    private var settled: [Key: Date] = [:]
    /// The steps that were held back, with the time of the next attempt.
    private var postponed: [Key: Date] = [:]
    /// The suggestions that were made.
    private var suggested: [Suggestion.ID: Key] = [:]

    private struct Key: Hashable {
        let event: String
        let step: Step
    }

    package init() {}

    /// Replaces the known appointments.
    ///
    /// - Returns: the suggestions to withdraw: their appointment was moved or cancelled, or the person is there already.
    package mutating func update(_ plans: [Plan], at now: Date) -> Set<Suggestion.ID> {
        self.plans = plans
        settled = settled.filter { $0.value > now }
        postponed = postponed.filter { $0.value > now }
        let current = Set(plans.flatMap(Self.candidates).map(Self.key))
        let gone = suggested.filter { !current.contains($0.value) }.keys
        for suggestion in gone { suggested[suggestion] = nil }
        return Set(gone)
    }

    /// Returns the most urgent suggestion that is due.
    package func due(at now: Date) -> Candidate? {
        open(at: now).filter { attempt($0) <= now }.min { $0.deadline < $1.deadline }
    }

    /// Returns the next time at which a suggestion becomes due; `nil` if none does.
    package func nextDue(after now: Date) -> Date? { open(at: now).map(attempt).filter { $0 > now }.min() }

    /// Returns the suggestion to leave for an appointment, whether it is due or not; `nil` if there is none.
    package static func departure(_ plan: Plan) -> Candidate? { candidates(plan).first { $0.step == .leave } }

    /// Notes that a suggestion was made.
    package mutating func made(_ suggestion: Suggestion.ID, of candidate: Candidate) {
        settled[Self.key(candidate)] = candidate.end
        suggested[suggestion] = Self.key(candidate)
    }

    /// Notes that a suggestion cannot be made.
    package mutating func drop(_ candidate: Candidate) { settled[Self.key(candidate)] = candidate.end }

    /// Notes that a suggestion was held back, to be tried again in two minutes.
    package mutating func postpone(_ candidate: Candidate, at now: Date) {
        postponed[Self.key(candidate)] = now.addingTimeInterval(Self.retry)
    }

    /// Notes that the person leaves for an appointment, and so does not join its call from here.
    package mutating func leave(for event: CalendarEvent) {
        settled[Key(event: event.identifier, step: .join)] = event.start.addingTimeInterval(Self.afterCall)
    }

    private func open(at now: Date) -> [Candidate] {
        plans.flatMap(Self.candidates).filter { $0.end > now && settled[Self.key($0)] == nil }
    }

    /// Returns the time at which a candidate may be suggested.
    private func attempt(_ candidate: Candidate) -> Date {
        max(candidate.due, postponed[Self.key(candidate)] ?? candidate.due)
    }

    private static func key(_ candidate: Candidate) -> Key {
        Key(event: candidate.plan.event.identifier, step: candidate.step)
    }

    private static func candidates(_ plan: Plan) -> [Candidate] {
        // A day has no time to be there.
        guard !plan.event.isAllDay else { return [] }
        let start = plan.event.start
        var candidates: [Candidate] = []
        if plan.hasRoute, let journey = plan.journey {
            let leave = start.addingTimeInterval(-journey.seconds - earliness(of: plan.event))
            if journey.distance >= there, journey.seconds <= longestJourney {
                candidates.append(
                    Candidate(
                        plan: plan, step: .leave, due: leave.addingTimeInterval(-notice), end: start, leave: leave))
            }
        } else if plan.hasRoute {
            let due = start.addingTimeInterval(-unknownWay - earliness(of: plan.event) + margin)
            candidates.append(Candidate(plan: plan, step: .leave, due: due, end: start, leave: nil))
        }
        if plan.event.meetingURL != nil {
            candidates.append(
                Candidate(
                    plan: plan, step: .join, due: start.addingTimeInterval(-beforeCall),
                    end: start.addingTimeInterval(afterCall), leave: nil))
        }
        if plan.event.reservation == "FlightReservation", plan.event.webPageURL != nil {
            candidates.append(
                Candidate(
                    plan: plan, step: .checkIn, due: start.addingTimeInterval(-beforeCheckIn),
                    end: start.addingTimeInterval(-closedCheckIn), leave: nil))
        }
        return candidates
    }

    /// Returns the time to be there before an event begins.
    private static func earliness(of event: CalendarEvent) -> Double {
        switch event.reservation {
        case "FlightReservation": 90 * 60
        case "BoatReservation": 30 * 60
        case "TrainReservation", "BusReservation": 10 * 60
        default: margin
        }
    }
}
