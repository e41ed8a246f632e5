internal import AgentInterface
internal import Directions
internal import FoundationEssentials
internal import History
internal import HunchDBus
internal import HunchModel
internal import Prediction

/// Makes suggestions of what the person does at such moments, and opens what they take: the way to a place, or what an app
/// donated.
struct LearnedOffers: Sendable {
    private let configuration: AgentConfiguration
    private let bus: Connection
    private let history: HistoryKeeper
    private let habits: Habits
    private let present: PresentContext
    private let directions: DirectionsService
    private let desk: SuggestionDesk
    private let opener: DesktopLauncher
    private let installed: InstalledList

    init(
        configuration: AgentConfiguration, bus: Connection, history: HistoryKeeper, habits: Habits,
        present: PresentContext, directions: DirectionsService, desk: SuggestionDesk, opener: DesktopLauncher,
        worker: WorkerThread
    ) {
        self.configuration = configuration
        self.bus = bus
        self.history = history
        self.habits = habits
        self.present = present
        self.directions = directions
        self.desk = desk
        self.opener = opener
        installed = InstalledList(environment: configuration.environment, worker: worker)
    }

    /// Returns the learned actions at this trigger, without excluded apps and kinds that are not recorded.
    func choices(at moment: MediaMoment, _ context: Context) async throws -> MomentChoices {
        let (excluded, allowed) = try await history.use { store, _ in
            (try store.exclusions(), try store.settings().allowedCategories)
        }
        let withheld = Set(PrivacyCategory.allCases).subtracting(allowed).reduce(into: Set<Donation.Kind>()) {
            $0.formUnion($1.kinds)
        }
        let now = configuration.now()
        let actions = await habits.actions
        var choices = MomentChoices()
        var ways: [[String: String]: Int] = [:]
        for choice in actions.choices(context, deviceName: moment.deviceName, at: now)
        where !excluded.contains(choice.donation.application) && !withheld.contains(choice.donation.kind) {
            switch choice.donation.kind {
            case .playMedia: choices.media.append(choice)
            case .getDirections:
                // One way, whichever app showed it.
                if let known = ways[choice.donation.identity] {
                    choices.others[known].likelihood += choice.likelihood
                } else {
                    ways[choice.donation.identity] = choices.others.count
                    choices.others.append(choice)
                }
            default: choices.others.append(choice)
            }
        }
        choices.others.sort { $0.likelihood > $1.likelihood }
        if !choices.others.isEmpty { choices.mediaShare = actions.likelihood(of: .playMedia, context, at: now) }
        return choices
    }

    /// Returns the suggestion; `nil` if nothing opens it any more.
    func suggestion(for choice: ActionHabits.Choice, _ context: Context) async throws -> Suggestion? {
        choice.donation.kind == .getDirections
            ? try await way(choice, context) : try await opening(choice, context)
    }

    private func way(_ choice: ActionHabits.Choice, _ context: Context) async throws -> Suggestion? {
        let parameters = choice.donation.parameters
        guard let place = MapItem(parameters: parameters) else { return nil }
        let modes = (parameters["mode"] ?? "").split(separator: ",").compactMap { TransportMode(rawValue: String($0)) }
        guard let way = try await directions.way(to: place, by: Set(modes)) else { return nil }
        let suggestion = Suggestion(
            id: await desk.makeIdentifier(), title: way.title, subtitle: way.applicationName,
            application: way.application, applicationName: way.applicationName, source: "You often go there",
            score: choice.likelihood, explanation: choice.explanation + way.explanation, context: context,
            expiry: expiry,
            action: .openDirections(way.launch), origin: choice.donation)
        await desk.setDonations([suggestion.id: way.donation])
        return suggestion
    }

    private func opening(_ choice: ActionHabits.Choice, _ context: Context) async throws -> Suggestion? {
        let donation = choice.donation
        let entry = try await installed.read { $0.entry(donation.application) }
        let isWeb = donation.parameters["uri"].flatMap(WebAddress.host) != nil
        guard entry != nil || isWeb else { return nil }
        let locales = DesktopEntry.localeNames(for: configuration.messageLocale)
        let name = entry?.name(locales: locales) ?? donation.application
        // An app that was updated may declare another thing by the word, or nothing.
        let kind = try? KindDeclaration(donation.kind, of: entry, locales: locales)
        var action = Suggestion.Action.open(donation)
        if donation.kind == .startCall, let entry, entry.mimeTypes.contains("x-scheme-handler/tel"),
            let number = donation.parameters["contact"].flatMap({ TelephoneNumber($0) })
        {
            action = .call(uri: number.uri)
        }
        let suggestion = Suggestion(
            id: await desk.makeIdentifier(), title: kind?.summary(of: donation.parameters) ?? "Open \(name)",
            subtitle: name, application: donation.application, applicationName: name, source: "From \(name)",
            score: choice.likelihood, explanation: choice.explanation, context: context, expiry: expiry, action: action,
            origin: donation)
        if case .call = action { await desk.setDonations([suggestion.id: donation.parameters]) }
        return suggestion
    }

    private var expiry: Date { configuration.now().addingTimeInterval(configuration.offerTime / .seconds(1)) }

    /// Opens an app at what it donated, because the person said so.
    ///
    /// - Throws: ``LaunchError`` when nothing opens it; ``DBusError`` `…Disconnected`; `CancellationError`;
    ///   `HistoryError` when it was opened and could not be written down.
    func open(_ suggestion: Suggestion, activationToken: String?) async throws {
        guard case .open(var donation) = suggestion.action else { return }
        let began = configuration.now()
        let activity = Activity(
            type: HunchNames.donations.text, title: suggestion.title, webPageURL: donation.parameters["uri"],
            contentIdentifier: donation.parameters["item"] ?? donation.identifier, group: donation.group)
        let continuation = ActivityContinuation(
            activity: activity, application: donation.application, platformData: [:],
            activationToken: activationToken,
            further: ["kind": .string(donation.kind.rawValue), "parameters": donation.parameters.dbusValue])
        let way = try await continuation.carryOut(opener: opener, installed: installed, bus: bus)
        // With anything else the app alone knows whether it was done: who opens a conversation has sent nothing yet.
        guard way != .application, [.openItem, .getReservationDetails].contains(donation.kind) else { return }
        donation.date = configuration.now()
        // It belongs to the moment at which it was offered, however late the person came to it.
        donation.context = await present.now(trigger: suggestion.context.trigger)
        try await habits.recordOpening(of: donation, since: began)
    }
}
