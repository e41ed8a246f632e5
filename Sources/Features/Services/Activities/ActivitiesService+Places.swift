internal import Appointments
internal import SearchServices
internal import DirectionServices
internal import Agent
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
internal import Surfaces

/// Suggestions for the places and events of activities.
extension ActivitiesService {
    /// The prior confidence that the user wants directions to a place of an activity, and to call it.
    private static let directionsScore = 0.5
    private static let callScore = 0.4
    private static let saveScore = 0.5
    private static let remindScore = 0.35
    /// The largest number of suggestions at once. GNOME Shell shows only three buttons.
    private static let offerLimit = 3
    /// The time before an event within which directions come before saving it, in seconds.
    private static let departureTime = 3 * 3_600.0

    /// Records that a place was on the screen.
    func remember(_ place: SeenPlace) async {
        do {
            let outcome = try await history.use { store, now in try store.remember(place, now: now) }
            if case .refused(let error) = outcome { throw error }
            if place.reservation != nil { await appointments.reservationsChanged() }
        } catch {
            problems.report(localized("a place that was on the screen could not be remembered: %1", "\(error)"))
        }
    }

    /// Records that content was opened, if it was on the screen long enough and can be identified.
    func recordOpening(_ life: LiveActivity, _ departure: ActivityPolicy.Departure) async {
        let donation = life.opening(
            until: departure.date, minimum: configuration.openedTime, context: await present.now())
        guard let donation, isFinishing(life) else { return }
        do {
            try await habits.record(donation)
            await desk.withdrawOffers(of: [donation])
        } catch {
            problems.report(localized("an opened item could not be recorded: %1", "\(error)"))
        }
    }

    /// Puts the content of an activity into the search index, until the history would forget it.
    func index(_ life: LiveActivity) async {
        do {
            let days = try await history.use { store, _ in try store.settings().retentionDays }
            let now = configuration.now()
            let limit = now.addingTimeInterval(Double(days) * 86_400)
            guard isFinishing(life), let item = life.searchableItem(at: now, until: limit) else { return }
            try await searchIndex.keep(item, of: life.application, related: life.activity?.relatedIdentifier)
        } catch {
            problems.report(localized("an activity could not be indexed: %1", ErrorMapping.logged(error)))
        }
    }

    /// Suggests directions to the place of an activity, a call to it, a reminder of it, and saving its event, unless they
    /// were suggested today.
    func suggest(_ life: LiveActivity) async {
        do {
            try await offer(life)
        } catch is CancellationError {
        } catch {
            problems.report(
                localized("content that was on the screen could not be suggested: %1", ErrorMapping.logged(error)))
        }
    }

    private func offer(_ life: LiveActivity) async throws {
        let epoch = policy.epoch
        let (seen, event) = (life.seenPlace(at: configuration.now()), life.upcomingEvent(at: configuration.now()))
        guard let activity = life.activity, seen != nil || event != nil else { return }
        let application = life.application
        let (isKept, isPlaceSettled, excluded) = try await history.use { store, now in
            // A reservation is an appointment, which has suggestions of its own, in time.
            let isAppointment = try seen?.reservation != nil && store.settings().allowedCategories.contains(.calendar)
            // The place may be wanted again on another day.
            let wasOffered = try seen.map { try store.wasOffered($0, since: now.startOfDay) } ?? true
            return (
                try store.outcome(forApplication: application, now: now).isRecorded, isAppointment || wasOffered,
                try store.exclusions()
            )
        }
        let today = configuration.now().startOfDay
        offeredEvents = offeredEvents.filter { $0.value >= today }
        let isNewEvent = event.map { offeredEvents[$0] == nil } ?? false
        let trigger = Trigger.activity(application)
        guard isKept else { return }
        let hold = try await desk.hold()
        guard !isPlaceSettled || isNewEvent, hold == nil else {
            return await desk.note(trigger, hold: hold ?? .identifierTaken)
        }
        let end = configuration.offerEnd
        var context = await present.now()
        context.trigger = trigger
        let lookedAt = LookedAt(
            place: isPlaceSettled ? nil : seen?.place, event: isNewEvent ? event : nil, start: event?.start,
            page: activity.webPageURL,
            source: try await name(of: life.application), context: context,
            expiry: [activity.expiry, activity.start].compactMap(\.self).reduce(end, min))
        let save = try await saveOffer(lookedAt, excluding: excluded)
        let others = [try await directionsOffer(lookedAt), try await callOffer(lookedAt, excluding: excluded)]
        // An event in the calendar reminds, too. A reminder alone is not worth a notification.
        let isReminderUseful = save == nil && others.contains { $0 != nil }
        let remind = isReminderUseful ? try await remindOffer(lookedAt, excluding: excluded) : nil
        let isSoon = event.map { $0.start.timeIntervalSince(configuration.now()) < Self.departureTime } ?? true
        let offers = (isSoon ? others.prefix(1) + [save] + others.dropFirst() + [remind] : [save] + others + [remind])
            .compactMap(\.self).prefix(Self.offerLimit)
        // The user may have paused, excluded or forgotten meanwhile.
        guard policy.epoch == epoch else { return }
        guard let first = offers.first else { return await desk.note(trigger, hold: .noApp) }
        policy.made(offers.map(\.id), from: life)
        let outcome = try await desk.offer(
            first, with: Array(offers.dropFirst()), keysCountFrom: nil,
            performing: { [weak self, launcher] suggestion, token in
                switch suggestion.action {
                case .save(let event): try await self?.save(event, as: suggestion, activationToken: token)
                case .remind(let reminder): try await self?.keep(reminder, as: suggestion, activationToken: token)
                default: try await launcher.perform(suggestion, activationToken: token)
                }
            })
        guard case .offered(_) = outcome, policy.epoch == epoch else {
            await carryOut(policy.withdraw { $0.id == life.id })
            return
        }
        if let event { offeredEvents[event] = configuration.now() }
        guard var seen, lookedAt.place != nil else { return }
        seen.offered = configuration.now()
        _ = try await history.use { [seen] store, now in try store.remember(seen, now: now) }
    }

    private func directionsOffer(_ lookedAt: LookedAt) async throws -> Suggestion? {
        guard let place = lookedAt.place, let route = try await directions.route(to: place) else { return nil }
        return route.suggestion(
            desk.makeIdentifier(), from: lookedAt.origin, score: Self.directionsScore, because: [lookedAt.reason],
            in: lookedAt.context, until: lookedAt.expiry, about: place)
    }

    private func callOffer(_ lookedAt: LookedAt, excluding excluded: Set<AppID>) async throws -> Suggestion? {
        guard let place = lookedAt.place, let number = place.phoneNumber.flatMap({ TelephoneNumber($0) }),
            let handler = try await handler(for: "x-scheme-handler/tel", excluding: excluded)
        else { return nil }
        let name = try await name(of: handler)
        let called = place.name ?? number.digits
        return Suggestion(
            id: desk.makeIdentifier(), title: localizedIn("person", "Call %1", called),
            subtitle: name, application: handler, applicationName: name, source: lookedAt.origin, score: Self.callScore,
            explanation: [lookedAt.reason, .init(localized("it calls numbers on this desktop"))],
            context: lookedAt.context,
            expiry: lookedAt.expiry, action: .call(uri: number.uri), subject: SuggestionSubject(place),
            donation: ["contact": number.digits, "name": called])
    }

    private func saveOffer(_ lookedAt: LookedAt, excluding excluded: Set<AppID>) async throws -> Suggestion? {
        guard let event = lookedAt.event, let handler = try await handler(for: "text/calendar", excluding: excluded)
        else { return nil }
        let name = try await name(of: handler)
        return Suggestion(
            id: desk.makeIdentifier(), title: localized("Save “%1” to the calendar", event.title),
            subtitle: "\(event.startWords(now: configuration.now()).withCapital) · \(name)",
            application: handler, applicationName: name, source: lookedAt.origin, score: Self.saveScore,
            explanation: [lookedAt.reason, .init(localized("it keeps events on this desktop"))],
            context: lookedAt.context, expiry: lookedAt.expiry, action: .save(event),
            subject: SuggestionSubject(event))
    }

    private func remindOffer(_ lookedAt: LookedAt, excluding excluded: Set<AppID>) async throws -> Suggestion? {
        let now = configuration.now()
        guard let place = lookedAt.place, let title = place.name ?? place.address?.singleLine ?? place.query,
            let date = Reminder.date(before: lookedAt.start, now: now),
            let keeper = try await reminders.keeper(excluding: excluded)
        else { return nil }
        let isTomorrow = LocalDay(date).number == LocalDay(now).number + 1
        return Suggestion(
            id: desk.makeIdentifier(),
            title: isTomorrow
                ? localized("Remind me of “%1” tomorrow", title)
                : localized("Remind me of “%1” on %2", title, LocalDay(date).words),
            subtitle: "\(LocalDate(now: now).moment(date).withCapital) · \(keeper.name)",
            application: keeper.application,
            applicationName: keeper.name, source: lookedAt.origin, score: Self.remindScore,
            explanation: [lookedAt.reason, keeper.reason], context: lookedAt.context, expiry: lookedAt.expiry,
            action: .remind(Reminder(title: title, date: date, place: place, webPageURL: lookedAt.page)),
            subject: SuggestionSubject(place))
    }

    /// Opens an event in the app for calendar files, which asks the user where to save it.
    ///
    /// - Throws: as ``CalendarFileOpener/open(_:as:activationToken:)``.
    private func save(_ event: CalendarEvent, as suggestion: Suggestion, activationToken: String?) async throws {
        // The same event gets the same identifier, so that a calendar does not keep it twice.
        let words = [event.title, event.webPageURL ?? "", "\(event.start.timeIntervalSince1970)"]
        let identifier = StableHash(words.joined(separator: "\n").utf8).digits
        let text = ICalendarText(event, identifier: "\(identifier)@hunch", now: configuration.now())
        try await CalendarFileOpener(environment: environment).open(
            text, as: suggestion, activationToken: activationToken)
    }

    /// Keeps a reminder. Its effect is announced, unless an app opens.
    private func keep(_ reminder: Reminder, as suggestion: Suggestion, activationToken: String?) async throws {
        let list = try await reminders.keep(reminder, as: suggestion, activationToken: activationToken)
        if let list { await desk.announce(.kept(reminder, list: list), of: suggestion.id) }
    }

    private nonisolated var reminders: Reminders { Reminders(environment: environment) }
}

/// A place or an event that the user looked at in an app.
private struct LookedAt {
    let place: MapItem?
    let event: CalendarEvent?
    /// The start of its event, also if the event was suggested before; `nil` if it has none to come.
    let start: Date?
    /// The address of its web page, if it has one.
    let page: String?
    /// The name of the app for people.
    let source: String
    let context: Context
    let expiry: Date

    var origin: String { localizedIn("app", "From %1", source) }
    var reason: Explanation.Reason { .init(localized("you looked at it in %1", source)) }
}
