import AgentInterface
import FoundationEssentials
import HunchKit
package import HunchModel

/// The context on which habits depend, and the user's position. An agent knows more than the time.
package struct Moment: Sendable {
    /// The time within which an agent answers, so that a stuck one does not delay the command.
    private static let answerTime = Duration.seconds(1)

    package private(set) var context: Context
    package private(set) var here: Coordinate?

    package init() {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .current
        let now = calendar.dateComponents([.hour, .weekday], from: Date())
        context = Context(hour: now.hour, weekday: now.weekday)
    }

    /// The moment as a running agent knows it, so that the command ranks alike; without one, only the time. Asked once.
    package static var now: Moment { get async { await answer.value } }

    private static let answer = Task {
        let status = try? await AgentSession.run { agent -> AgentStatus? in
            guard try await agent.isRunning() else { return nil }
            return try await agent.status(timeout: answerTime)
        }
        var moment = Moment()
        guard let status = status ?? nil else { return moment }
        moment.context.further = status.context ?? [:]
        moment.context.trigger = status.trigger.map(Trigger.init)
        if let latitude = status.latitude, let longitude = status.longitude {
            moment.here = try? Coordinate(latitude: latitude, longitude: longitude)
        }
        return moment
    }
}
