internal import Directions
internal import FoundationEssentials
internal import History
internal import HunchDBus
internal import HunchModel
internal import Suggestions

/// Suggestions for places of activities.
extension ActivitiesService {
    /// The prior confidence that the person wants directions to a place of an activity, and to call it.
    private static let directionsScore = 0.5
    private static let callScore = 0.4

    /// Writes down that a place was on the screen.
    func remember(_ life: LiveActivity) async {
        guard let place = life.seenPlace(at: configuration.now()) else { return }
        do {
            let outcome = try await history.use { store, now in try store.remember(place, now: now) }
            if case .refused(let error) = outcome { throw error }
        } catch {
            await tell("a place that was on the screen could not be remembered: \(error)")
        }
    }

    /// Writes down that something was opened, once it was on the screen for a while and can be told from other things.
    func donate(_ life: LiveActivity, leftAt date: Date) async {
        guard let activity = life.activity, date.timeIntervalSince(life.date) >= configuration.openedTime else {
            return
        }
        var parameters = ["title": activity.title]
        parameters["item"] = activity.contentIdentifier
        parameters["uri"] = activity.webPageURL
        // What the kind does not allow, as a time for an identifier, is nothing that is done again.
        guard let kind = KindDeclaration.standard[.openItem],
            let combination = try? kind.combination(of: parameters, at: date)
        else { return }
        let donation = Donation(
            application: life.application, kind: .openItem, parameters: parameters, date: date,
            context: await present.now(), identifier: activity.contentIdentifier, group: activity.group,
            combination: combination)
        do {
            try await habits.record(donation)
            await desk.withdrawOffers(of: [donation])
        } catch {
            await tell("what was opened could not be recorded: \(error)")
        }
    }

    /// Offers directions to the place of an app that the person turned away from, unless the app shows another place now:
    /// the person is still choosing then.
    func considerOffering(for application: String) async {
        guard let left = leaving.removeValue(forKey: application) else { return }
        if let current = table.current, current.application == application,
            current.seenPlace(at: configuration.now()) != nil
        {
            return
        }
        do {
            try await offer(left.life)
        } catch is CancellationError {
        } catch {
            await tell("a place that was on the screen could not be suggested: \(ErrorMapping.logged(error))")
        }
    }

    private func offer(_ life: LiveActivity) async throws {
        let epoch = epoch
        guard var seen = life.seenPlace(at: configuration.now()), let activity = life.activity else { return }
        let (isWanted, excluded) = try await history.use { [seen] store, now in
            let isKept = try store.outcome(forApplication: seen.application, now: now).isRecorded
            // On another day the place may be wanted again.
            return (try isKept && !store.wasOffered(seen, since: now.startOfDay), try store.exclusions())
        }
        guard isWanted, try await desk.hold() == nil else { return }
        let end = configuration.now().addingTimeInterval(configuration.offerTime / .seconds(1))
        var context = await present.now()
        context.trigger = .activity(life.application)
        let occasion = LookedAtPlace(
            place: seen.place, source: try await name(of: life.application), context: context,
            expiry: min(activity.expiry ?? end, end))
        let offers = [
            try await directionsOffer(occasion),
            try await callOffer(occasion, excluding: excluded),
        ].compactMap { $0 }
        // The person may have paused, excluded or forgotten meanwhile.
        guard let first = offers.first, self.epoch == epoch else { return }
        for offer in offers { offered[offer.suggestion.id] = life }
        await desk.setDonations(
            Dictionary(offers.map { ($0.suggestion.id, $0.donation) }) { first, _ in first })
        let outcome = try await desk.offer(
            first.suggestion, with: offers.dropFirst().first?.suggestion, keysCountFrom: nil)
        guard case .offered(_) = outcome, self.epoch == epoch else {
            await withdraw { $0.id == life.id }
            return
        }
        seen.offered = configuration.now()
        _ = try await history.use { [seen] store, now in try store.remember(seen, now: now) }
    }

    private func directionsOffer(_ occasion: LookedAtPlace) async throws -> PlaceOffer? {
        guard let way = try await directions.way(to: occasion.place) else { return nil }
        let suggestion = Suggestion(
            id: await desk.makeIdentifier(), title: way.title, subtitle: "\(way.applicationName) · \(occasion.origin)",
            application: way.application, applicationName: way.applicationName, source: occasion.origin,
            score: Self.directionsScore, explanation: [occasion.reason] + way.explanation, context: occasion.context,
            expiry: occasion.expiry, action: .openDirections(way.launch))
        return PlaceOffer(suggestion: suggestion, donation: way.donation)
    }

    private func callOffer(_ occasion: LookedAtPlace, excluding excluded: Set<String>) async throws -> PlaceOffer? {
        guard let number = occasion.place.phoneNumber.flatMap({ TelephoneNumber($0) }) else { return nil }
        let environment = configuration.environment
        let handler = try await installed.read { installed in
            DefaultApplications(environment: environment, installed: installed).handler(for: "x-scheme-handler/tel")
        }
        guard let handler, !excluded.contains(handler) else { return nil }
        let name = try await name(of: handler)
        let called = occasion.place.name ?? number.digits
        let suggestion = Suggestion(
            id: await desk.makeIdentifier(), title: "Call \(called)", subtitle: "\(name) · \(occasion.origin)",
            application: handler, applicationName: name, source: occasion.origin, score: Self.callScore,
            explanation: [occasion.reason, "it calls numbers on this desktop"], context: occasion.context,
            expiry: occasion.expiry, action: .call(uri: number.uri))
        return PlaceOffer(suggestion: suggestion, donation: ["contact": number.digits, "name": called])
    }

    /// Returns the name of an app for people.
    private func name(of application: String) async throws -> String {
        let locales = DesktopEntry.localeNames(for: configuration.messageLocale)
        return try await installed.read { $0.entry(application)?.name(locales: locales) } ?? application
    }
}

/// That a place was looked at in an app.
private struct LookedAtPlace {
    let place: MapItem
    /// The name of the app for people.
    let source: String
    let context: Context
    let expiry: Date

    var origin: String { "From \(source)" }
    var reason: Explanation.Reason { "you looked at it in \(source)" }
}

/// A suggestion, and the parameters of the donation that it will have been.
private struct PlaceOffer {
    let suggestion: Suggestion
    let donation: [String: String]
}
