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

    init(agent: HunchAgent) async throws {
        self.agent = agent
        activities = try await AppActivities(on: agent)
    }

    /// Handles a message of the extension and returns the answer, if it needs one.
    func answer(_ message: BrowserMessage) async -> BrowserAnswer? {
        switch message {
        case .page(let page): return await look(at: page)
        case .left(let url):
            if subject?.url == url { await leave() }
            return nil
        case .directions(let page):
            return BrowserAnswer(url: page.url, isDirections: true, problem: await openDirections(to: page))
        case .excluded(let host):
            await exclude(host)
            return nil
        }
    }

    private func look(at page: BrowserMessage.Page) async -> BrowserAnswer {
        guard let subject = PageSubject(page) else {
            await leave()
            return BrowserAnswer(url: page.url)
        }
        let former = activity
        self.subject = subject
        activity = nil
        var answer = BrowserAnswer(url: page.url, found: subject.found)
        guard let content = subject.activity else {
            try? await former?.resign()
            return answer
        }
        let activity = AppActivity(content, in: activities)
        self.activity = activity
        do { try await activity.becomeCurrent() } catch { answer.problem = Self.words(error) }
        return answer
    }

    private func leave() async {
        let former = activity
        (subject, activity) = (nil, nil)
        // An error means that the connection is closed, which is a departure, too.
        try? await former?.resign()
    }

    /// Opens directions to the place of a page. Returns why that failed, or `nil`.
    private func openDirections(to page: BrowserMessage.Page) async -> String? {
        guard let subject = PageSubject(page), let place = subject.place else {
            return localized("This page names no place any more; reload it")
        }
        var query = DirectionsQuery(destination: place)
        query.ask = "unsure"
        do {
            let answer = try await agent.suggestDirections(query)
            if answer.resolved.hasAsked == true { return nil }
            guard let best = answer.suggestions.first?.lastElement else {
                return localized("No app can show the way to “%1”", place.name ?? subject.title)
            }
            try await agent.accept(best, isAutomatic: true)
            return nil
        } catch {
            return Self.words(error)
        }
    }

    /// Forgets the pages of a site.
    private func exclude(_ host: String) async {
        if let url = subject?.url, PageSubject.group(of: url) == host {
            let former = activity
            (subject, activity) = (nil, nil)
            try? await former?.invalidate()
        }
        _ = try? await agent.deleteActivities(groups: [host])
    }

    private static func words(_ error: any Error) -> String {
        guard let error = error as? DBusError else { return "\(error)" }
        switch error.name {
        case .serviceUnknown, .nameHasNoOwner, .noReply, .timedOut: return localized("Hunch does not answer")
        default: return error.message.isEmpty ? error.name.rawValue : error.message
        }
    }
}
