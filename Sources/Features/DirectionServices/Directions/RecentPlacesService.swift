package import Agent
internal import AgentInterface
internal import EventLoops
internal import FoundationEssentials
internal import History
package import HunchDBus
internal import HunchModel
internal import Learning
internal import Surfaces
internal import Localization

/// Tells apps the places that the user looked at, once the user has allowed it. Asks the user in a notification of
/// its own.
package actor RecentPlacesService: Feature {
    package static let name = "recent places"

    /// The shortest time between two questions about the same app, in seconds.
    private static let questionInterval = 86_400.0
    private static let usualLimit: UInt32 = 10
    private static let largestLimit: UInt32 = 50
    /// The maximum number of connections that wait for an answer.
    private static let callerLimit = 16

    /// The question on the screen.
    private struct Question {
        let application: AppID
        /// The connections that wait for the answer.
        var callers: [BusName]
        /// The date after which another app may ask.
        let end: Date
    }

    package let environment: AgentEnvironment
    private let desk: SuggestionDesk
    private let surface: NotificationSurface
    private var question: Question?
    /// The dates of the last questions, by app.
    private var asked: [AppID: Date] = [:]
    private var isFollowing = false

    package init(_ environment: AgentEnvironment, desk: SuggestionDesk) {
        self.environment = environment
        self.desk = desk
        surface = environment.notificationSurface()
    }

    package nonisolated func interfaces() -> [ObjectPath: [ExportedInterface]] {
        let members: [ExportedMember] = [
            .method("RecentPlaces", arguments: ["options"], results: ["access", "places"]) {
                [self] (call, options: VariantMap) async throws -> (String, [MapItem]) in
                try options.checkKeys("limit", "ask")
                let answer = try await recentPlaces(
                    limit: options.value("limit", as: UInt32.self) ?? Self.usualLimit,
                    mayAsk: options.value("ask", as: Bool.self) ?? true, for: call)
                return (answer.access.rawValue, answer.places)
            },
            .signal("RecentPlacesDecided", arguments: ["allowed"], Bool.self),
        ]
        return [HunchNames.root: [ExportedInterface(evolving: HunchNames.directions, members)]]
    }

    private func recentPlaces(limit: UInt32, mayAsk: Bool, for call: IncomingCall) async throws -> RecentPlaces {
        let permission = try await callers.permission(of: call)
        let (access, readers, excluded, isKept, found) = try await history.use { store, now in
            let isKept = try store.outcome(forApplication: "", now: now).isRecorded
            return (
                try store.placeAccess(), try store.readers(), try store.exclusions(), isKept,
                try isKept ? store.recentPlaces(limit: Int(min(max(limit, 1), Self.largestLimit))) : []
            )
        }
        // Only for an address.
        let places = found.map { place in
            var place = place
            place.phoneNumber = nil
            return place
        }
        if permission.visibleApps(readers: readers) == .all { return RecentPlaces(.allowed, places: places) }
        guard let application = permission.application else {
            throw DBusError(.accessDenied, permission.unidentified)
        }
        if excluded.contains(application) { return RecentPlaces(.denied) }
        switch access[application] {
        case true?: return RecentPlaces(.allowed, places: places)
        case false?: return RecentPlaces(.denied)
        case nil:
            guard mayAsk, isKept, try await ask(application, call.sender) else { return RecentPlaces(.unasked) }
            return RecentPlaces(.asked)
        }
    }

    // MARK: The question

    /// Asks the user about an app. Returns whether the question is on the screen.
    private func ask(_ application: AppID, _ caller: BusName) async throws -> Bool {
        let now = configuration.now()
        if let question, question.application == application, question.callers.count < Self.callerLimit {
            // It may be another process of the app, or a new one.
            if !question.callers.contains(caller) { self.question?.callers.append(caller) }
            return true
        }
        asked = asked.filter { (0..<Self.questionInterval).contains(now.timeIntervalSince($0.value)) }
        guard isFollowing, await desk.isScreenSeen, question.map({ $0.end <= now }) ?? true, asked[application] == nil
        else { return false }
        // Noted before the server has answered, so that two calls do not ask twice.
        let shown = Question(application: application, callers: [caller], end: configuration.offerEnd)
        asked[application] = now
        question = shown
        do {
            let words = PermissionQuestion(id: application.rawValue, name: try await name(of: application))
            if case .shown = try await surface.ask(words, for: configuration.offerTime) {
                if isFollowing, question?.application == application { return true }
                // Hunch was paused meanwhile.
                try await surface.withdraw(application.rawValue)
            }
        } catch {
            if question?.application == application { (question, asked[application]) = (nil, nil) }
            throw error
        }
        if question?.application == application { (question, asked[application]) = (nil, nil) }
        return false
    }

    private func handle(_ event: NotificationEvent) async {
        guard let question else { return }
        switch event {
        case .activated(question.application.rawValue, .choice(let index), _):
            self.question = nil
            await decide(question, isAllowed: index == 0)
        case .closed(question.application.rawValue, _): self.question = nil
        default: break
        }
    }

    private func decide(_ question: Question, isAllowed: Bool) async {
        do {
            try await history.use { store, _ in
                _ = try store.setPlaceAccess(question.application, isAllowed: isAllowed)
            }
            for caller in question.callers {
                try await bus.emit(
                    HunchNames.root, HunchNames.directions, "RecentPlacesDecided", body: [.boolean(isAllowed)],
                    to: caller)
            }
        } catch {
            problems.report(
                localized("the permission of an app to read places could not be stored: %1", ErrorMapping.logged(error))
            )
        }
    }

    package func run() async {
        isFollowing = true
        await environment.follow(surface) { await self.handle($0) }
        isFollowing = false
        guard let question else { return }
        self.question = nil
        // An error means that the bus is gone, and the question with it.
        try? await surface.withdraw(question.application.rawValue)
    }
}
