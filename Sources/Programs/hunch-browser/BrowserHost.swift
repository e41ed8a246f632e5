import AgentInterface
import Browsers
import EventLoops
import HunchDBus
import HunchKit
import HunchModel
import Localization

/// The native messaging host: reports the page in front to the agent as an activity.
actor BrowserHost {
    private let agent: HunchAgent
    private let activities: AppActivities
    /// The page in front, if something is known about it.
    private var subject: PageSubject?
    /// The activity of the page in front.
    private var activity: AppActivity?

    nonisolated var unownedExecutor: UnownedSerialExecutor { agent.connection.unownedExecutor }

    /// Writes a line to the browser's log.
    private let log: @Sendable (String) -> Void

    /// - Parameter log: writes a line to the browser's log.
    init(agent: HunchAgent, log: @escaping @Sendable (String) -> Void) async throws {
        (self.agent, self.log) = (agent, log)
        activities = try await AppActivities(on: agent)
    }

    /// Handles a message of the extension and returns the answer.
    func answer(_ request: BrowserRequest) async -> BrowserAnswer {
        var answer = BrowserAnswer(id: request.id)
        do {
            switch request.message {
            case .page(let page):
                let subject = read(page)
                answer.found = subject?.found
                try await turn(to: subject)
                answer.problem = try await reasonForNothing()
                if answer.problem != nil { answer.found = nil }
            case .left(let url): if subject?.url == url { try await turn(to: nil) }
            case .directions(let page): answer.problem = try await openDirections(to: page)
            case .excluded(let host): try await exclude(host)
            }
        } catch {
            answer.problem = Self.words(error)
        }
        return answer
    }

    /// The time that reading a page may take. A page of 10 MB takes less than 0.3 s.
    private static let deadline = Duration.seconds(1)

    /// Reads the subject of a page. Ends at the deadline, and then reports what was found until then.
    private func read(_ page: BrowserMessage.Page) -> PageSubject? {
        let end = ContinuousClock.now + Self.deadline
        var isOver = false
        let subject = PageSubject(page) {
            isOver = isOver || ContinuousClock.now > end
            return isOver
        }
        if isOver {
            let host = PageSubject.group(of: page.url) ?? ""
            log("the structured data of a page of \(host) takes longer than \(Self.deadline); the rest is not read")
        }
        return subject
    }

    /// Makes a page the current activity, in place of the previous one. `nil` if there is nothing to report. Without an
    /// agent, the agent learns of it when it starts.
    ///
    /// - Throws: `DBusError` if the agent refuses it. Then no page is current.
    private func turn(to subject: PageSubject?) async throws {
        let former = activity
        self.subject = subject
        activity = nil
        guard let content = subject?.activity else {
            // An error means that the connection is closed, which ends the activity, too.
            try? await former?.resign()
            return
        }
        let activity = AppActivity(content, in: activities)
        do {
            // A user who has not enabled Hunch does not want it to start.
            try await activity.becomeCurrent(startsAgent: false)
            self.activity = activity
        } catch let error as DBusError where Self.absences.contains(error.name) {
            self.activity = activity
        } catch {
            try? await former?.resign()
            throw error
        }
    }

    /// Returns why Hunch does not want to know about pages; `nil` if it does.
    private func reasonForNothing() async throws -> String? {
        guard try await agent.isRunning() else {
            return localized("Hunch is not running; switch it on in its window, or with “hunch enable”")
        }
        // The agent accepts activities that it discards.
        guard activity != nil, try await agent.currentActivity() == nil else { return nil }
        let status = try await agent.status()
        if !status.isEnabled { return localized("Hunch is off; switch it on in its window, or with “hunch enable”") }
        if status.isPaused { return localized("Hunch is paused; “hunch unpause” ends that") }
        return localized("You excluded this browser; “hunch exclude --undo” ends that")
    }

    /// Opens directions to the place of a page. Returns why there are none, or `nil`.
    private func openDirections(to page: BrowserMessage.Page) async throws -> String? {
        guard let subject = read(page), let place = subject.place else {
            return localized("This page no longer names a place; reload it")
        }
        var query = DirectionsQuery(destination: place)
        query.ask = "unsure"
        let answer = try await agent.suggestDirections(query)
        if answer.resolved.hasAsked == true { return nil }
        guard let best = answer.suggestions.first?.lastElement else {
            return localized("No app has a route to “%1”", place.name ?? subject.title)
        }
        try await agent.accept(best, isAutomatic: true)
        return nil
    }

    /// Forgets the pages of a site.
    private func exclude(_ host: String) async throws {
        if let url = subject?.url, PageSubject.group(of: url) == host {
            let former = activity
            (subject, activity) = (nil, nil)
            try await former?.invalidate()
        }
        _ = try await agent.deleteActivities(groups: [host])
    }

    /// The errors of calls to an agent that does not run.
    private static let absences: Set<DBusError.Name> = [.serviceUnknown, .nameHasNoOwner, .noReply, .timedOut]

    private static func words(_ error: any Error) -> String {
        guard let error = error as? DBusError else { return "\(error)" }
        if absences.contains(error.name) { return localized("Hunch does not answer") }
        return error.message.isEmpty ? error.name.rawValue : error.message
    }
}
