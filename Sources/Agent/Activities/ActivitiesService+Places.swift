internal import Activities
internal import Apps
internal import Directions
internal import FoundationEssentials
internal import History
internal import HunchDBus
internal import HunchModel
internal import Learning
internal import Localization
internal import Suggestions

/// Suggestions for places of activities.
extension ActivitiesService {
    /// The prior confidence that the person wants directions to a place of an activity, and to call it.
    private static let directionsScore = 0.5
    private static let callScore = 0.4

    /// Records that a place was on the screen.
    func remember(_ place: SeenPlace) async {
        do {
            let outcome = try await history.use { store, now in try store.remember(place, now: now) }
            if case .refused(let error) = outcome { throw error }
        } catch {
            problems.report("a place that was on the screen could not be remembered: \(error)")
        }
    }

    /// Records that content was opened, if it was on the screen long enough and can be identified.
    func recordOpening(_ life: LiveActivity, _ departure: ActivityPolicy.Departure) async {
        let donation = life.opening(
            until: departure.date, minimum: configuration.openedTime, context: await present.now())
        guard let donation else { return }
        do {
            try await habits.record(donation)
            await desk.withdrawOffers(of: [donation])
        } catch {
            problems.report("an opened item could not be recorded: \(error)")
        }
    }

    /// Suggests directions to the place of an activity and a call to it, unless they were suggested today.
    func suggest(_ life: LiveActivity) async {
        do {
            try await offer(life)
        } catch is CancellationError {
        } catch {
            problems.report("a place that was on the screen could not be suggested: \(ErrorMapping.logged(error))")
        }
    }

    private func offer(_ life: LiveActivity) async throws {
        let epoch = policy.epoch
        guard var seen = life.seenPlace(at: configuration.now()), let activity = life.activity else { return }
        let (isWanted, excluded) = try await history.use { [seen] store, now in
            let isKept = try store.outcome(forApplication: seen.application, now: now).isRecorded
            // The place may be wanted again on another day.
            return (try isKept && !store.wasOffered(seen, since: now.startOfDay), try store.exclusions())
        }
        guard isWanted, try await desk.hold() == nil else { return }
        let end = configuration.offerEnd
        var context = await present.now()
        context.trigger = .activity(life.application)
        let lookedAt = LookedAtPlace(
            place: seen.place, source: try await name(of: life.application), context: context,
            expiry: min(activity.expiry ?? end, end))
        let offers = [
            try await directionsOffer(lookedAt),
            try await callOffer(lookedAt, excluding: excluded),
        ].compactMap { $0 }
        // The person may have paused, excluded or forgotten meanwhile.
        guard let first = offers.first, policy.epoch == epoch else { return }
        policy.made(offers.map(\.suggestion.id), from: life)
        await desk.setDonations(
            Dictionary(offers.map { ($0.suggestion.id, $0.donation) }) { first, _ in first })
        let outcome = try await desk.offer(
            first.suggestion, with: offers.dropFirst().first?.suggestion, keysCountFrom: nil)
        guard case .offered(_) = outcome, policy.epoch == epoch else {
            await carryOut(policy.withdraw { $0.id == life.id })
            return
        }
        seen.offered = configuration.now()
        _ = try await history.use { [seen] store, now in try store.remember(seen, now: now) }
    }

    private func directionsOffer(_ lookedAt: LookedAtPlace) async throws -> PlaceOffer? {
        guard let route = try await directions.route(to: lookedAt.place) else { return nil }
        let suggestion = Suggestion(
            id: await desk.makeIdentifier(), title: route.title,
            subtitle: "\(route.applicationName) · \(lookedAt.origin)",
            application: route.application, applicationName: route.applicationName, source: lookedAt.origin,
            score: Self.directionsScore, explanation: [lookedAt.reason] + route.explanation, context: lookedAt.context,
            expiry: lookedAt.expiry, action: .openDirections(route.launch))
        return PlaceOffer(suggestion: suggestion, donation: route.donation)
    }

    private func callOffer(_ lookedAt: LookedAtPlace, excluding excluded: Set<AppID>) async throws -> PlaceOffer? {
        guard let number = lookedAt.place.phoneNumber.flatMap({ TelephoneNumber($0) }) else { return nil }
        let environment = configuration.environment
        let handler = try await installed.read { installed in
            DefaultApps(environment: environment, installed: installed).handler(for: "x-scheme-handler/tel")
        }
        guard let handler, !excluded.contains(handler) else { return nil }
        let name = try await name(of: handler)
        let called = lookedAt.place.name ?? number.digits
        let suggestion = Suggestion(
            id: await desk.makeIdentifier(), title: localizedIn("person", "Call %1", called),
            subtitle: "\(name) · \(lookedAt.origin)",
            application: handler, applicationName: name, source: lookedAt.origin, score: Self.callScore,

            explanation: [lookedAt.reason, .init(localized("it calls numbers on this desktop"))],
            context: lookedAt.context,
            expiry: lookedAt.expiry, action: .call(uri: number.uri))
        return PlaceOffer(suggestion: suggestion, donation: ["contact": number.digits, "name": called])
    }

    /// Returns the name of an app for people.
    private func name(of application: AppID) async throws -> String {
        let locales = DesktopEntry.localeNames(for: configuration.messageLocale)
        return try await installed.read { $0.entry(application)?.name(locales: locales) } ?? application.rawValue
    }
}

/// The reason that a place was looked at in an app.
private struct LookedAtPlace {
    let place: MapItem
    /// The name of the app for people.
    let source: String
    let context: Context
    let expiry: Date

    var origin: String { localizedIn("app", "From %1", source) }
    var reason: Explanation.Reason { .init(localized("you looked at it in %1", source)) }
}

/// A suggestion, and the parameters of the donation to record when it is accepted.
private struct PlaceOffer {
    let suggestion: Suggestion
    let donation: [String: String]
}
