internal import DesktopFiles
package import Agent
internal import Apps
package import AgentInterface
internal import Directions
internal import EventLoops
internal import FoundationEssentials
internal import History
package import HunchDBus
package import HunchModel
internal import Learning
internal import Localization
package import Media
package import Prediction

/// Suggests actions that the user habitually does in this context, and carries out accepted ones: directions to a
/// place, or a donated action of an app.
package actor LearnedSuggestions: Feature {
    package static let name = "learned suggestions"

    /// The default and the maximum number of suggestions of what is likely now.
    private static let usualLikely: UInt32 = 6
    private static let mostLikely: UInt32 = 32

    package let environment: AgentEnvironment
    private let directions: DirectionsService
    let desk: SuggestionDesk
    /// The suggestions of what is likely now, by the key of the request.
    private var likely: [String: [Suggestion.ID]] = [:]
    /// The answers that connections have, until they are told of a change.
    var answers: [BusName: LikelyAnswer] = [:]
    var isLookScheduled = false

    package init(_ environment: AgentEnvironment, directions: DirectionsService, desk: SuggestionDesk) {
        self.environment = environment
        self.directions = directions
        self.desk = desk
    }

    package nonisolated func interfaces() -> [ObjectPath: [ExportedInterface]] {
        let likely = ExportedMember.method("Likely", arguments: ["options"], results: ["suggestions"]) {
            [self] (call, options: VariantMap) async throws -> [ObjectPath] in
            let permission = try await callers.permission(of: call)
            try permission.mayLook()
            try options.checkKeys("limit")
            let limit = try options.value("limit", as: UInt32.self) ?? Self.usualLikely
            // An app could take an empty answer for the user's habits.
            guard try await history.use({ store, now in try store.settings().refusal(at: now) == nil }) else {
                // It learns when that ends.
                await remember(LikelyAnswer(actions: [], limit: Int(limit)), for: call.sender)
                throw DBusError(.disabled, "Hunch is off or paused, so it suggests nothing")
            }
            return try await offerLikely(
                limit: Int(min(max(limit, 1), Self.mostLikely)), for: Requester(permission, call), on: call.sender)
        }
        let changed = ExportedMember.signal("LikelyChanged", arguments: [])
        return [HunchNames.root: [ExportedInterface(evolving: HunchNames.agentInterface, [likely, changed])]]
    }

    package func handle(_ event: CoreEvent) async {
        if case .carriedOut(let suggestion, let isAutomatic) = event {
            await record(suggestion, isAutomatic: isAutomatic)
        }
        await tellOfChanges()
    }

    /// Returns the learned actions at this trigger, without excluded apps and kinds that are not recorded.
    package func choices(at trigger: MediaTrigger, _ context: Context) async throws -> LearnedActions {
        let isAllowed = try await allowance()
        let now = configuration.now()
        let relevant = try await relevantActions(at: trigger)
        guard trigger.mayBeLearned else { return LearnedActions(relevant, where: isAllowed) }
        let actions = await habits.actions
        let learned = actions.choices(context, deviceName: trigger.deviceName, at: now)
        // What Hunch learned is stronger evidence than the app's claim.
        let others = relevant.filter { choice in !learned.contains { $0.donation.isEquivalent(to: choice.donation) } }
        return LearnedActions(
            learned + others, mediaShare: actions.likelihood(of: .playMedia, context, at: now), where: isAllowed)
    }

    /// Returns the actions other than plays that apps announced as relevant at a trigger, one of each app.
    private func relevantActions(at trigger: MediaTrigger) async throws -> [ActionHabits.Choice] {
        guard trigger.mayBeAnnounced else { return [] }
        let announced = try await history.use { store, _ in try store.announcements(in: .relevant) }
        let (now, position) = (configuration.now(), await present.position())
        let relevant = trigger.relevant(of: announced, at: now, near: position) { !$0.isMedia }
        return relevant.compactMap { application, item -> ActionHabits.Choice? in
            guard let kind = item.kind else { return nil }
            let parameters = item.parameters ?? [:]
            let combination = try? KindDeclaration.standard[kind]?.combination(of: parameters, at: now)
            let donation = Donation(
                application: application, kind: kind, parameters: parameters, date: now, identifier: item.item,
                combination: combination ?? nil)
            return ActionHabits.Choice(
                donation: donation, likelihood: MediaRanking.relevantScore,
                explanation: [.init(localized("the app says that it is relevant now"))])
        }
    }

    /// Offers what the user most likely wants now, whether or not something has just happened. Of media, it offers to
    /// open the app.
    ///
    /// - Parameters:
    ///   - requester: the caller.
    ///   - connection: the caller's connection, whose last answer this one replaces.
    func offerLikely(limit: Int, for requester: Requester, on connection: BusName) async throws -> [ObjectPath] {
        let likely = try await likelyChoices()
        remember(LikelyAnswer(actions: likely.map(\.donation), limit: limit), for: connection)
        let choices = likely.map { choice in
            guard choice.donation.kind == .playMedia else { return choice }
            var choice = choice
            choice.donation = Donation(
                application: choice.donation.application, kind: .openApp,
                parameters: ["app": choice.donation.application.rawValue], date: choice.donation.date)
            return choice
        }
        return try await offer(
            try await suggestions(for: choices, limit: limit), for: requester, as: .likely, replacing: connection.text)
    }

    /// Returns what the user likely wants now and did at least twice, the likeliest first.
    package func likelyChoices() async throws -> [ActionHabits.Choice] {
        let isAllowed = try await allowance()
        let context = await present.now()
        return await habits.actions.likely(context, at: configuration.now()).filter { isAllowed($0.donation) }
    }

    /// Returns the suggestions for choices, without those that offer the same.
    package func suggestions(for choices: [ActionHabits.Choice], limit: Int) async throws -> [Suggestion] {
        let context = await present.now()
        var suggestions: [Suggestion] = []
        for choice in choices where suggestions.count < limit {
            guard let suggestion = try await suggestion(for: choice, context),
                !suggestions.contains(where: { $0.offersSame(as: suggestion) })
            else { continue }
            suggestions.append(suggestion)
        }
        return suggestions
    }

    /// Exports suggestions on the bus, in place of those of the last request with the same key.
    package func offer(
        _ suggestions: [Suggestion], for requester: Requester, as origin: OfferedSuggestion.Origin,
        replacing key: String
    ) async throws -> [ObjectPath] {
        let former = likely[key] ?? []
        await desk.withdraw(because: "a newer request replaced it") { former.contains($0.id) }
        let open = await desk.requestedIdentifiers
        likely = likely.filter { !open.isDisjoint(with: $0.value) }
        likely[key] = suggestions.map(\.id)
        return try await desk.present(suggestions, for: requester, as: origin) { [self, launcher] suggestion, token in
            if case .open = suggestion.action {
                try await self.open(suggestion, activationToken: token)
            } else {
                try await launcher.perform(suggestion, activationToken: token)
            }
        }
    }

    /// Returns a filter for actions without excluded apps and kinds that are not recorded.
    private func allowance() async throws -> @Sendable (Donation) -> Bool {
        let (excluded, allowed) = try await history.use { store, _ in
            (try store.exclusions(), try store.settings().allowedCategories)
        }
        let withheld = Set(PrivacyCategory.allCases).subtracting(allowed).reduce(into: Set<Donation.Kind>()) {
            $0.formUnion($1.kinds)
        }
        return { donation in
            !excluded.contains(donation.application) && !withheld.contains(donation.kind)
                && !(donation.parameters["uri"].map { DocumentFilter.isExcluded($0, by: excluded) } ?? false)
        }
    }

    /// Returns the suggestion; `nil` if nothing can open it now.
    package func suggestion(for choice: ActionHabits.Choice, _ context: Context) async throws -> Suggestion? {
        choice.donation.kind == .getDirections
            ? try await route(choice, context) : try await opening(choice, context)
    }

    private func route(_ choice: ActionHabits.Choice, _ context: Context) async throws -> Suggestion? {
        let parameters = choice.donation.parameters
        guard let place = MapItem(parameters: parameters) else { return nil }
        let modes = (parameters["mode"] ?? "").split(separator: ",").compactMap { TransportMode(rawValue: String($0)) }
        guard let route = try await directions.route(to: place, by: Set(modes)) else { return nil }
        return route.suggestion(
            desk.makeIdentifier(), from: localized("You often go there"), score: choice.likelihood,
            because: choice.explanation, in: context, until: configuration.offerEnd, origin: choice.donation,
            about: place)
    }

    private func opening(_ choice: ActionHabits.Choice, _ context: Context) async throws -> Suggestion? {
        let donation = choice.donation
        let entry = try await installed.read { $0.entry(donation.application) }
        let isWeb = donation.parameters["uri"].flatMap(WebAddress.host) != nil
        guard entry != nil || isWeb, try await isPresent(donation) else { return nil }
        let locales = DesktopEntry.localeNames(for: configuration.messageLocale)
        let name = entry?.name(locales: locales) ?? donation.application.rawValue
        // An updated app may have changed or removed the kind.
        let kind = try? KindDeclaration(donation.kind, of: entry, locales: locales)
        var action = Suggestion.Action.open(donation)
        if donation.kind == .startCall, let entry, entry.mimeTypes.contains("x-scheme-handler/tel"),
            let number = donation.parameters["contact"].flatMap({ TelephoneNumber($0) })
        {
            action = .call(uri: number.uri)
        }
        let title =
            donation.kind == .openApp
            ? localizedIn("app", "Open %1", name)
            : kind?.summary(of: donation.parameters) ?? localizedIn("app", "Open %1", name)
        let isCall = if case .call = action { true } else { false }
        return Suggestion(
            id: desk.makeIdentifier(), title: title,
            // “Open Podcasts” names the app already.
            subtitle: title.contains(name) ? "" : name, application: donation.application, applicationName: name,
            source: localizedIn("app", "From %1", name),
            score: choice.likelihood, explanation: choice.explanation, context: context, expiry: configuration.offerEnd,
            action: action,
            origin: donation, donation: isCall ? donation.parameters : [:])
    }

    /// Whether the file of an action still exists. Actions without a file are always present.
    private func isPresent(_ donation: Donation) async throws -> Bool {
        guard let path = donation.parameters["uri"].flatMap(DocumentFilter.path) else { return true }
        // A file on a mount that hangs counts as missing.
        return (try? await foreignFiles.read { FileManager.default.fileExists(atPath: path) }) ?? false
    }

    /// Opens an app at its donated action, because the user accepted.
    ///
    /// - Throws: ``LaunchError`` if nothing can open it; ``DBusError`` `…Disconnected`; `CancellationError`;
    ///   `HistoryError` if it was opened but could not be recorded.
    package func open(_ suggestion: Suggestion, activationToken: String?) async throws {
        guard case .open(var donation) = suggestion.action else { return }
        let began = configuration.now()
        let activity = Activity(
            type: HunchNames.donations.text, title: suggestion.title, webPageURL: donation.parameters["uri"],
            contentIdentifier: donation.parameters["item"] ?? donation.identifier, group: donation.group)
        let continuation = ActivityContinuation(
            activity: activity, application: donation.application, platformData: [:],
            activationToken: activationToken,
            further: ["kind": .string(donation.kind.rawValue), "parameters": donation.parameters.dbusValue])
        let method = try await continuation.carryOut(launcher: launcher, installed: installed, bus: bus)
        // For other kinds, only the app knows whether the action was done: opening a conversation sends nothing.
        guard method != .application, [.openItem, .getReservationDetails].contains(donation.kind) else { return }
        donation.date = configuration.now()
        // It belongs to the trigger of the suggestion, however late the user accepted.
        donation.context = await present.now(trigger: suggestion.context.trigger)
        try await habits.recordOpening(of: donation, since: began)
    }
}
