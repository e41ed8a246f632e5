internal import Appointments
internal import Directions
internal import FoundationEssentials
internal import History
internal import HunchModel
internal import Learning
internal import Localization
internal import Suggestions

/// The suggestions because of appointments.
extension AppointmentsService {
    /// The prior confidence that the person wants to go to their appointment, and to join its call.
    private static let score = 0.8
    /// The maximum number of earlier directions that tell the usual mode.
    private static let modeMemory = 50
    /// The number of directions from which a mode counts as usual.
    private static let usualCount = 3

    /// The outcome of suggesting something.
    enum Outcome {
        case offered(Suggestion.ID)
        /// Something forbids it now.
        case held
        /// No app can do it.
        case impossible
    }

    func offer(_ candidate: AppointmentPolicy.Candidate) async throws -> Outcome {
        guard try await desk.hold() == nil else { return .held }
        let excluded = try await history.use { store, _ in try store.exclusions() }
        let made: (suggestion: Suggestion, donation: [String: String])? =
            switch candidate.step {
            case .leave: try await departure(candidate)
            case .join: try await page(candidate, candidate.plan.event.meetingURL, .join, excluding: excluded)
            case .checkIn: try await page(candidate, candidate.plan.event.webPageURL, .checkIn, excluding: excluded)
            }
        guard let made else { return .impossible }
        await desk.setDonations([made.suggestion.id: made.donation])
        let event = candidate.plan.event
        let outcome = try await desk.offer(
            made.suggestion, keysCountFrom: nil,
            performing: { [weak self, launcher] suggestion, token in
                try await launcher.perform(suggestion, activationToken: token)
                if candidate.step == .leave { await self?.leave(for: event) }
            })
        guard case .offered = outcome else { return .held }
        return .offered(made.suggestion.id)
    }

    private func leave(for event: CalendarEvent) { policy.leave(for: event) }

    private func departure(
        _ candidate: AppointmentPolicy.Candidate
    ) async throws -> (suggestion: Suggestion, donation: [String: String])? {
        let event = candidate.plan.event
        guard let place = event.place, let route = try await route(to: place) else { return nil }
        let now = configuration.now()
        let title =
            switch candidate.leave {
            case let leave? where leave > now:
                localized("Leave by %1 for “%2”", LocalDate.time(leave), event.title)
            case .some: localized("Leave now for “%1”", event.title)
            case nil: route.title
            }
        let distance = candidate.plan.journey.map { LocalNumber.distance($0.distance) }
        let start = localizedIn("time of an appointment", "at %1", LocalDate.time(event.start))
        let details = [route.applicationName, distance, candidate.leave == nil ? event.title : nil, start]
        return (
            Suggestion(
                id: await desk.makeIdentifier(), title: title,
                subtitle: details.compactMap(\.self).joined(separator: " · "), application: route.application,
                applicationName: route.applicationName, source: source(of: event), score: Self.score,
                explanation: [reason(of: event)] + estimate(candidate) + route.explanation,
                context: await context(), expiry: candidate.end, action: .openDirections(route.launch)),
            route.donation
        )
    }

    private func page(
        _ candidate: AppointmentPolicy.Candidate, _ address: String?, _ purpose: Suggestion.PagePurpose,
        excluding excluded: Set<AppID>
    ) async throws -> (suggestion: Suggestion, donation: [String: String])? {
        guard let address, let browser = try await handler(for: "x-scheme-handler/https", excluding: excluded) else {
            return nil
        }
        let event = candidate.plan.event
        let title =
            switch purpose {
            case .join: localized("Join “%1”", event.title)
            case .checkIn: localized("Check in for “%1”", event.title)
            }
        let host = WebAddress.host(of: address).map(String.init)
        let start = localizedIn("time of an appointment", "at %1", LocalDate.time(event.start))
        return (
            Suggestion(
                id: await desk.makeIdentifier(), title: title,
                subtitle: [host, start].compactMap(\.self).joined(separator: " · "), application: browser,
                applicationName: try await name(of: browser), source: source(of: event), score: Self.score,
                explanation: [reason(of: event)], context: await context(), expiry: candidate.end,
                action: .openPage(uri: address, purpose)),
            [:]
        )
    }

    private func context() async -> Context { await present.now(trigger: .appointment) }

    private func source(of event: CalendarEvent) -> String {
        event.reservation == nil ? localized("From your calendar") : localized("From your reservation")
    }

    private func reason(of event: CalendarEvent) -> Explanation.Reason {
        .init(event.reservation == nil ? localized("it is in your calendar") : localized("you reserved it"))
    }

    private func estimate(_ candidate: AppointmentPolicy.Candidate) -> Explanation {
        guard let journey = candidate.plan.journey else { return [] }
        let minutes = Int(clamping: (journey.seconds / 60).rounded(.up))
        return [
            .init(localizedPlural("the way takes about %1 minute", "the way takes about %1 minutes", minutes))
        ]
    }

    // MARK: The way

    /// Returns the way to a place by the usual modes; by any modes if no app goes by those.
    func route(to place: MapItem) async throws -> PlannedRoute? {
        let located = try await directions.located(place)
        let modes = try await usualModes()
        if !modes.isEmpty, let route = try await directions.route(to: located, by: modes) { return route }
        return try await directions.route(to: located)
    }

    /// Returns the modes of most of the recent directions; empty if most had none or there are too few.
    private func usualModes() async throws -> Set<TransportMode> {
        let donations = try await history.use { store, _ in
            try store.donations(of: .getDirections, limit: Self.modeMemory)
        }
        let counts = Dictionary(grouping: donations.compactMap { $0.parameters["mode"] }) { $0 }.mapValues(\.count)
        guard let usual = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }), usual.value >= Self.usualCount,
            usual.value * 2 > donations.count
        else { return [] }
        return Set(usual.key.split(separator: ",").compactMap { TransportMode(rawValue: String($0)) })
    }
}
