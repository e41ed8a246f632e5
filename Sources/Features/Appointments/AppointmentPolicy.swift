package import FoundationEssentials
package import HunchModel

/// Decides when something is suggested because of an appointment: to leave for it, to join its call, or to check in.
///
/// A value without I/O and clock. All times are in seconds.
package struct AppointmentPolicy: Sendable {
    /// The time before leaving at which it is suggested, to get ready.
    private static let notice = 15 * 60.0
    /// The time to be there before an appointment begins.
    private static let margin = 5 * 60.0
    /// The time before an appointment at which directions are suggested if the route is not known.
    private static let unknownRouteTime = 60 * 60.0
    /// The distance in metres within which the user has arrived.
    private static let arrivalDistance = 300.0
    /// The distance in metres beyond which a user who had arrived is reminded again.
    private static let awayDistance = 600.0
    /// The longest route that is suggested. People plan longer ones themselves.
    private static let longestRoute = 6 * 3_600.0
    /// The time before and after the start in which a call is suggested.
    private static let beforeCall = 2 * 60.0
    private static let afterCall = 15 * 60.0
    /// The times before a flight between which check-in is suggested.
    private static let beforeCheckIn = 24 * 3_600.0
    private static let checkInEnd = 3_600.0
    /// The time between two attempts to suggest something that was held back.
    private static let retryTime = 2 * 60.0
    /// The shortest time between two attempts.
    private static let shortestRetryTime = 5.0
    /// The time for which a suggestion to check in stays open before another appointment's may replace it.
    private static let turn = 2 * 60.0
    /// The time before a suggestion is due from which an answer before a restart concerns it. An earlier one was for a
    /// different time of the event. The time to leave changes with the position, which is often unknown just after a
    /// restart.
    private static let answerTime = unknownRouteTime
    /// The time since its start within which an appointment may still lead to a suggestion.
    package static let past = afterCall
    /// The time before its start from which an appointment may lead to a suggestion.
    package static let horizon = beforeCheckIn + longestRoute

    /// The candidates because of the known appointments.
    private var candidates: [AppointmentCandidate] = []
    /// The suggestions that were tried, until their appointments end.
    private var records: [Suggestion.ID: Record] = [:]
    /// The suggestions that the user answered before a restart, whose appointment is not read again yet, with the date and
    /// whether they were accepted.
    private var restored: [Suggestion.ID: (date: Date, isAccepted: Bool)] = [:]

    /// A suggestion that was tried.
    private struct Record {
        enum State {
            /// It may be made.
            case pending
            /// It was made at a date, and the user sees it or has answered.
            case made(Date)
            /// Another suggestion replaced it before the user answered. It may be made again.
            case replaced
            /// It no longer has to be made.
            case settled
            /// From a date on, the permission to read calendars was revoked for a while. It is made again, and not
            /// shown if the user has seen it.
            case forgotten(wasSeen: Bool, at: Date)
        }

        var state = State.pending
        let end: Date
        /// The date until which it was held back.
        var attempt: Date?
        /// Whether it was made without showing it, because the user had seen it.
        var isQuiet = false
        /// Whether it was withdrawn because the user came to the place.
        var hasArrived = false
        /// Its last version, if it was made; `nil` after the appointments were forgotten.
        var candidate: AppointmentCandidate?

        /// The candidate, if it is open or was answered.
        var made: AppointmentCandidate? { if case .made = state { candidate } else { nil } }
        var isMade: Bool { made != nil }
        var isReplaced: Bool { if case .replaced = state { true } else { false } }
        /// Whether it may be made from now on.
        var isPending: Bool {
            switch state {
            case .pending, .replaced, .forgotten: true
            case .made, .settled: false
            }
        }
    }

    package init() {}

    /// Restores a suggestion that the user answered, or only saw, before a restart. A suggestion that was only seen is
    /// made again.
    ///
    /// - Parameter date: the date of the last answer, or of when it was shown.
    package mutating func restore(
        _ id: Suggestion.ID, isAnswered: Bool, isAccepted: Bool = false, at date: Date
    ) {
        restored[id] = isAnswered ? (date, isAccepted) : nil
    }

    /// Forgets all appointments, because the calendars may no longer be read. Only identifiers stay, until their
    /// appointments end: what the user has answered is not made again, and what they have seen is not shown again.
    ///
    /// - Parameters:
    ///   - open: the suggestions that the user may still answer.
    ///   - seen: those of them that the user has seen.
    /// - Returns: the suggestions to withdraw.
    package mutating func forgetAppointments(
        open: Set<Suggestion.ID>, seen: Set<Suggestion.ID>, at now: Date
    ) -> Set<Suggestion.ID> {
        for candidate in candidates where !(records[candidate.id]?.isMade ?? false) && isTold(candidate) {
            settle(candidate.id, until: candidate.end)
        }
        let withdrawn = open.filter { records[$0]?.isMade ?? false }
        for (id, record) in records where record.candidate != nil {
            let isStanding = withdrawn.contains(id) || record.isReplaced
            records[id] = Record(
                state: isStanding ? .forgotten(wasSeen: seen.contains(id), at: now) : .settled, end: record.end)
        }
        candidates = []
        return withdrawn
    }

    /// Replaces the known appointments.
    ///
    /// - Parameters:
    ///   - open: the suggestions that the user may still answer.
    ///   - replaced: the suggestions that others replaced. They may be made again.
    /// - Returns: the suggestions to withdraw: their appointment was cancelled or moved to a time that is not near, or
    ///   the user has arrived.
    package mutating func update(
        _ plans: [AppointmentPlan], open: Set<Suggestion.ID>, replaced: Set<Suggestion.ID> = [], at now: Date
    ) -> Set<Suggestion.ID> {
        candidates = identified(plans.flatMap(Self.candidates))
        records = records.filter { $0.value.end > now }
        for candidate in candidates { takeUpRestored(candidate, at: now) }
        let current = Dictionary(candidates.map { ($0.id, $0) }) { first, _ in first }
        var withdrawn: Set<Suggestion.ID> = []
        for (id, record) in records {
            guard let former = record.candidate else { continue }
            let isOpen = open.contains(id)
            let isReplaced = !isOpen && replaced.contains(id)
            let plan = plans.first { AppointmentCandidate.id(of: $0.event, former.step) == id }
            let hasArrived = plan.map(Self.hasArrived) ?? false
            if record.hasArrived, plan.map(Self.isAway) ?? false {
                // They were there, and are far enough away again to be told.
                records[id] = nil
                continue
            }
            if let next = current[id] {
                if isReplaced {
                    records[id] = Record(state: .replaced, end: next.end, attempt: record.attempt, candidate: next)
                    continue
                }
                // Without the position, the time to leave that it says is no longer known.
                let hasLostTime = isOpen && former.leave != nil && next.leave == nil
                if record.isMade, next.continues(former) && !hasLostTime || isOpen && next.due <= now {
                    // The suggestion is changed in place.
                    records[id] = Record(
                        state: record.state, end: next.end, isQuiet: record.isQuiet, hasArrived: record.hasArrived,
                        candidate: next)
                    continue
                }
                // It leads elsewhere now, or its time has not come.
                records[id] = nil
            } else if hasArrived, isOpen || isReplaced {
                // A user who has arrived may go for a walk.
                records[id]?.hasArrived = true
            } else if isOpen || isReplaced {
                // An unanswered suggestion does not count for the same appointment under another title.
                records[id] = nil
            }
            if isOpen { withdrawn.insert(id) }
        }
        return withdrawn
    }

    /// Whether a suggestion of another event that is open or was answered asks for the same.
    private func isTold(_ candidate: AppointmentCandidate) -> Bool {
        records.values.contains { $0.candidate.map(candidate.repeats) ?? false }
    }

    private mutating func settle(_ id: Suggestion.ID, until end: Date) {
        records[id] = Record(state: .settled, end: end)
    }

    /// Returns candidates with the identifiers of the suggestions that were made for them. Of two calendars that have an event,
    /// one may not answer for a while, and its identifiers differ.
    private func identified(_ candidates: [AppointmentCandidate]) -> [AppointmentCandidate] {
        let known = Set(candidates.map(\.id))
        return candidates.map { candidate in
            guard !(records[candidate.id]?.isMade ?? false),
                let former = current.first(where: { !known.contains($0.id) && candidate.repeats($0) })
            else { return candidate }
            var candidate = candidate
            candidate.id = former.id
            return candidate
        }
    }

    private mutating func takeUpRestored(_ candidate: AppointmentCandidate, at now: Date) {
        guard candidate.end > now, let answer = restored.removeValue(forKey: candidate.id),
            answer.date >= candidate.due.addingTimeInterval(-Self.answerTime)
        else { return }
        records[candidate.id] = Record(state: .made(answer.date), end: candidate.end, candidate: candidate)
        if answer.isAccepted, candidate.step == .leave { noteDeparture(for: candidate.plan.event) }
    }

    /// Returns the mode that a departure names which was made, and the position for which it was chosen; `nil` if there is none.
    package func choice(for event: CalendarEvent) -> AppointmentPlan.Choice? {
        records[AppointmentCandidate.id(of: event, .leave)]?.candidate?.plan.choice
    }

    /// The suggestions that were made, as they are now.
    package var current: [AppointmentCandidate] { records.values.compactMap(\.made) }

    /// Whether the user saw a suggestion before the permission for calendars was revoked for a while, so that it is not
    /// shown again. That it is time to leave is news if it came meanwhile.
    package func wasSeen(_ candidate: AppointmentCandidate, at now: Date) -> Bool {
        guard let record = records[candidate.id], case .forgotten(wasSeen: true, let date) = record.state,
            !(candidate.leave.map { $0 > date && $0 <= now } ?? false)
        else { return false }
        return candidate.end.timeIntervalSince(record.end).magnitude <= AppointmentCandidate.sameTime
    }

    /// Returns the most urgent suggestion that is due.
    package func due(at now: Date) -> AppointmentCandidate? {
        pending(at: now).filter { attempt($0) <= now }.min { $0.deadline < $1.deadline }
    }

    /// Returns the next time at which a suggestion becomes due, or at which it is time to leave; `nil` if there is none.
    package func nextDue(after now: Date) -> Date? {
        (pending(at: now).map(attempt) + current.compactMap(\.leave)).filter { $0 > now }.min()
    }

    /// Returns the time until which a suggestion has to wait for others; `nil` if it may be made now.
    ///
    /// Only suggestions that are not urgent wait. One with an earlier deadline stays open for two minutes, answered or
    /// not. A replaced suggestion comes back when no other is open.
    ///
    /// - Parameter open: the suggestions that the user may still answer.
    package func wait(of candidate: AppointmentCandidate, for open: Set<Suggestion.ID>, at now: Date) -> Date? {
        guard !candidate.isUrgent else { return nil }
        let others = candidates.filter { open.contains($0.id) && $0.id != candidate.id }
        var end =
            others.compactMap { other -> Date? in
                // A clock that was set back must not keep it open longer.
                guard case .made(let date) = records[other.id]?.state else { return nil }
                return min(date, now).addingTimeInterval(Self.turn)
            }.max() ?? now
        if records[candidate.id]?.isReplaced ?? false {
            end = open.isEmpty ? now : .distantFuture
        } else if !others.contains(where: { $0.deadline <= candidate.deadline }) {
            return nil
        }
        return end > now ? min(end, now.addingTimeInterval(Self.retryTime)) : nil
    }

    /// Returns the suggestion to leave for an appointment, whether it is due or not; `nil` if there is none.
    package static func departure(_ plan: AppointmentPlan) -> AppointmentCandidate? {
        candidates(plan).first { $0.step == .leave }
    }

    /// Returns the reason why there is no time to leave for an appointment; `nil` if there is one, or if it has no place.
    package static func obstacle(to plan: AppointmentPlan) -> AppointmentPlan.Obstacle? {
        if hasArrived(plan) { return .arrived }
        guard case .known(_, let seconds, _) = plan.route, seconds > longestRoute else { return plan.obstacle }
        return .tooFar
    }

    /// Notes that a suggestion was made.
    ///
    /// - Parameters:
    ///   - wasSeen: what ``wasSeen(_:at:)`` answered when it was offered. Time has passed since then.
    ///   - others: the suggestions that it replaced before the user answered.
    package mutating func noteMade(
        _ candidate: AppointmentCandidate, wasSeen: Bool = false, replacing others: Set<Suggestion.ID>, at now: Date
    ) {
        for id in others where records[id]?.isMade ?? false { records[id]?.state = .replaced }
        records[candidate.id] = Record(
            state: .made(now), end: candidate.end, isQuiet: wasSeen, candidate: candidate)
    }

    /// Returns whether it is time to leave for an appointment whose suggestion was made without showing it; once.
    package mutating func takeNews(of candidate: AppointmentCandidate, at now: Date) -> Bool {
        guard let leave = candidate.leave, leave <= now, records[candidate.id]?.isQuiet ?? false else { return false }
        records[candidate.id]?.isQuiet = false
        return true
    }

    /// Notes that a suggestion cannot be made.
    package mutating func drop(_ candidate: AppointmentCandidate) { settle(candidate.id, until: candidate.end) }

    /// Notes that a suggestion was held back. It is tried again after two minutes, or at a date.
    package mutating func postpone(_ candidate: AppointmentCandidate, until date: Date? = nil, at now: Date) {
        let date = max(now.addingTimeInterval(Self.shortestRetryTime), date ?? now.addingTimeInterval(Self.retryTime))
        records[candidate.id, default: Record(end: candidate.end)].attempt = date
    }

    /// Tries everything that was held back again.
    package mutating func retry() { for id in records.keys { records[id]?.attempt = nil } }

    /// Notes that the user leaves for an appointment, and so does not join its call from here.
    package mutating func noteDeparture(for event: CalendarEvent) {
        let call = AppointmentCandidate.id(of: event, .join)
        let others = candidates.filter { $0.step == .join && Self.haveOneCall($0.plan.event, event) }.map(\.id)
        for id in Set(others + [call]) where !(records[id]?.isMade ?? false) {
            settle(id, until: event.start.addingTimeInterval(Self.afterCall))
        }
    }

    /// Returns whether two calendars have one call under different titles.
    private static func haveOneCall(_ one: CalendarEvent, _ other: CalendarEvent) -> Bool {
        one.meetingURL != nil && one.meetingURL == other.meetingURL && one.mayBeSame(as: other)
    }

    private func pending(at now: Date) -> [AppointmentCandidate] {
        candidates.filter { candidate in
            candidate.end > now && records[candidate.id]?.isPending ?? true && !isTold(candidate)
        }
    }

    /// Returns the time at which a candidate may be suggested.
    private func attempt(_ candidate: AppointmentCandidate) -> Date {
        max(candidate.due, records[candidate.id]?.attempt ?? candidate.due)
    }

    private static func isAway(_ plan: AppointmentPlan) -> Bool {
        if case .known(let distance, _, _) = plan.route { distance >= awayDistance } else { false }
    }

    private static func hasArrived(_ plan: AppointmentPlan) -> Bool {
        if case .known(let distance, _, _) = plan.route { distance < arrivalDistance } else { false }
    }

    private static func candidates(_ plan: AppointmentPlan) -> [AppointmentCandidate] {
        // An event of whole days has no time to be there.
        guard !plan.event.isAllDay else { return [] }
        let start = plan.event.start
        var candidates: [AppointmentCandidate] = []
        func add(_ step: AppointmentStep, due: Date, end: Date, leave: Date? = nil) {
            candidates.append(AppointmentCandidate(plan: plan, step: step, due: due, end: end, leave: leave))
        }
        switch plan.route {
        case .none: break
        case .known(let distance, let seconds, _):
            // A whole minute, as people see it.
            let exact = start.addingTimeInterval(-seconds - earliness(of: plan.event)).timeIntervalSince1970
            let leave = Date(timeIntervalSince1970: (exact / 60).rounded(.down) * 60)
            if distance >= arrivalDistance, seconds <= longestRoute {
                add(.leave, due: leave.addingTimeInterval(-notice), end: start, leave: leave)
            }
        case .unknown:
            let due = start.addingTimeInterval(-unknownRouteTime - earliness(of: plan.event) + margin)
            add(.leave, due: due, end: start)
        }
        if plan.event.meetingURL != nil {
            add(.join, due: start.addingTimeInterval(-beforeCall), end: start.addingTimeInterval(afterCall))
        }
        if plan.event.reservation == "FlightReservation", plan.event.webPageURL != nil {
            add(.checkIn, due: start.addingTimeInterval(-beforeCheckIn), end: start.addingTimeInterval(-checkInEnd))
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

extension CalendarEvent {
    /// Whether the event may lead to a suggestion.
    package var mayLeadSomewhere: Bool {
        !isAllDay && (place != nil || meetingURL != nil || reservation != nil && webPageURL != nil)
    }
}
