internal import DirectionServices
internal import Agent
internal import AgentInterface
internal import Directions
internal import FoundationEssentials
internal import History
internal import HunchModel
internal import Learning
internal import Localization
internal import Suggestions
internal import Surfaces

/// The suggestions because of appointments.
extension AppointmentsService {
    /// The prior confidence that the user wants to go to their appointment, and to join its call.
    private static let score = 0.8
    /// The time in seconds after the time to leave from which a departure says that it is late.
    private static let lateness = 5 * 60.0
    /// The maximum number of characters of a place in a subtitle.
    private static let longestPlace = 40
    /// The maximum number of characters of an event's title in a title, so that the time next to it stays visible.
    private static let longestTitle = 60

    /// The outcome of suggesting something.
    enum Outcome {
        case offered
        /// Something forbids it now.
        case held(Hold)
        /// No app can do it.
        case impossible
    }

    /// Suggests something because of an appointment.
    ///
    /// - Parameter wasSeen: whether the user saw it before, so that it is not shown again.
    func offer(_ candidate: AppointmentCandidate, wasSeen: Bool) async throws -> Outcome {
        if let hold = try await desk.hold(isUrgent: candidate.isUrgent) {
            await desk.note(.appointment, hold: hold)
            return .held(hold)
        }
        guard let suggestion = try await suggestion(candidate) else {
            await desk.note(.appointment, hold: .noApp)
            return .impossible
        }
        let event = candidate.plan.event
        do {
            let outcome = try await desk.offer(
                suggestion, keysCountFrom: nil, wasShown: wasSeen,
                performing: { [weak self, launcher] suggestion, token in
                    try await launcher.perform(suggestion, activationToken: token)
                    if candidate.step == .leave { await self?.noteDeparture(for: event) }
                })
            if case .held(let hold) = outcome { return .held(hold) }
        } catch {
            // It may be on the bus though showing it failed.
            guard await desk.isOpen(suggestion.id) else { throw error }
            problems.report(
                localized("a suggestion for an appointment could not be shown: %1", ErrorMapping.logged(error)))
        }
        return .offered
    }

    /// Returns the suggestion of a candidate; `nil` if no app can do it.
    func suggestion(_ candidate: AppointmentCandidate) async throws -> Suggestion? {
        let event = candidate.plan.event
        let excluded = try await history.use { store, _ in try store.exclusions() }
        return switch candidate.step {
        case .leave: try await departure(candidate)
        case .join: try await page(candidate, event.meetingURL, .join, excluding: excluded)
        case .checkIn: try await page(candidate, event.webPageURL, .checkIn, excluding: excluded)
        }
    }

    private func noteDeparture(for event: CalendarEvent) { policy.noteDeparture(for: event) }

    /// Returns the suggestion to leave; `nil` if no app shows the route now.
    private func departure(_ candidate: AppointmentCandidate) async throws -> Suggestion? {
        let event = candidate.plan.event
        let shown = DisplayText(event.title, limit: Self.longestTitle).text
        guard let place = event.place, let (journey, outset) = routes[event] else { return nil }
        let route = journey.route
        let now = configuration.now()
        var (distance, manner): (String?, String?)
        if case .known(let metres, _, let mode) = candidate.plan.route {
            distance = localizedIn("distance", "about %1", LocalNumber.distance(TravelEstimate.road(metres)))
            manner = journey.words(of: mode).map { [$0, outset.words].compactMap(\.self).joined(separator: " ") }
        }
        let title =
            switch (candidate.leave, manner) {
            case (let leave?, let manner?) where leave > now:
                localized("Leave by %1 %2 for “%3”", LocalDate.time(leave), manner, shown)
            case (let leave?, nil) where leave > now:
                localized("Leave by %1 for “%2”", LocalDate.time(leave), shown)
            case (.some, let manner?): localized("Leave now %1 for “%2”", manner, shown)
            case (.some, nil): localized("Leave now for “%1”", shown)
            case (nil, _): localized("“%1” begins at %2", shown, LocalDate.time(event.start))
            }
        let start = localizedIn("time of an appointment", "at %1", LocalDate.time(event.start))
        let address = place.address.map(\.singleLine).flatMap { $0.isEmpty ? nil : $0 }
        // Later, “leave now” alone would sound as if it were in time.
        let late = candidate.leave.flatMap {
            now > $0.addingTimeInterval(Self.lateness)
                ? localized("you needed to leave by %1", LocalDate.time($0)) : nil
        }
        let target = (place.name ?? address ?? place.query).map { DisplayText($0, limit: Self.longestPlace).text }
        // Without a time to leave, the title says when it begins.
        let details =
            candidate.leave == nil
            ? [route.title, route.applicationName, event.doubt]
            : [late, target, route.applicationName, distance, start, event.doubt]
        return Suggestion(
            id: candidate.id, title: title,
            subtitle: details.compactMap(\.self).joined(separator: " · "), application: route.application,
            applicationName: route.applicationName, source: source(of: event), score: Self.score,
            explanation: [reason(of: event)] + estimate(candidate)
                + route.explanation.withTexts { localizedIn("app and reason", "%1: %2", route.applicationName, $0) },
            context: await context(), expiry: candidate.end, action: .openDirections(route.launch),
            subject: SuggestionSubject(event),
            // Hunch chose the mode, so nothing is learned from it.
            donation: route.donation.filter { $0.key != "mode" })
    }

    /// Returns the suggestion to open a page; `nil` if no browser can.
    private func page(
        _ candidate: AppointmentCandidate, _ address: String?, _ purpose: Suggestion.PagePurpose,
        excluding excluded: Set<AppID>
    ) async throws -> Suggestion? {
        guard let address, let browser = try await handler(for: "x-scheme-handler/https", excluding: excluded) else {
            return nil
        }
        let event = candidate.plan.event
        let shown = DisplayText(event.title, limit: Self.longestTitle).text
        let title =
            switch purpose {
            case .join: localized("Join “%1”", shown)
            case .checkIn: localized("Check in for “%1”", shown)
            }
        let host = WebAddress.host(of: address).map(String.init)
        let start = localizedIn("time of an appointment", "at %1", LocalDate.time(event.start))
        return Suggestion(
            id: candidate.id, title: title,
            subtitle: [host, start, event.doubt].compactMap(\.self).joined(separator: " · "), application: browser,
            applicationName: try await name(of: browser), source: source(of: event), score: Self.score,
            explanation: [reason(of: event)], context: await context(), expiry: candidate.end,
            action: .openPage(uri: address, purpose), subject: SuggestionSubject(event))
    }

    private func context() async -> Context { await present.now(trigger: .appointment) }

    private func source(of event: CalendarEvent) -> String {
        event.reservation == nil ? localized("From your calendar") : localized("From your reservation")
    }

    /// Returns the reason that names where the appointment comes from.
    private func reason(of event: CalendarEvent) -> Explanation.Reason {
        .init(
            event.reservation == nil ? localized("the appointment is in your calendar") : localized("you reserved it"))
    }

    /// Returns the reason with the estimated time of the route.
    private func estimate(_ candidate: AppointmentCandidate) -> Explanation {
        guard case .known(_, let seconds, _) = candidate.plan.route else { return [] }
        let minutes = Int(clamping: (seconds / 60).rounded(.up))
        return [
            .init(localizedPlural("the route takes about %1 minute", "the route takes about %1 minutes", minutes))
        ]
    }
}
