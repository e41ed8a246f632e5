package import PersonalStores
package import AgentInterface
package import EventLoops
package import History
package import HunchDBus
package import HunchModel
package import Learning
package import Suggestions

/// One capability of the agent, with all that it serves, keeps and follows.
///
/// The core knows its features only through this protocol and asks each of them, so that a new one is a folder and a line in
/// ``FeatureList``.
package protocol Feature: Part {
    /// Its name in logs and tests, such as `media`.
    static var name: String { get }

    /// Returns the interfaces that it serves, by the path of their object.
    nonisolated func interfaces() throws -> [ObjectPath: [ExportedInterface]]

    /// The personal data that it keeps outside of the history.
    nonisolated var stores: [any PersonalStore] { get }

    /// Prepares to follow, without waiting for anything. Called as soon as Hunch is switched on, before ``run()``.
    func prepareToWatch()

    /// Follows what happens until cancelled. Called while Hunch is enabled and not paused.
    func run() async

    /// Reacts to a change.
    func handle(_ event: CoreEvent) async

    /// Returns whether it has anything in memory that a scope concerns and that the history does not have.
    func holds(_ scope: ForgetScope) async -> Bool

    /// Returns the agent's status with the values of this feature.
    ///
    /// - Parameter isComplete: whether to include personal data: counts and holds.
    func completed(_ status: AgentStatus, isComplete: Bool) async throws -> AgentStatus

    /// The results of the last triggers.
    var outcomes: TriggerLog { get async }

    /// Ends all work, because the agent ends.
    func close() async
}

/// A change that is reported to every feature, one after the other.
package enum CoreEvent: Sendable {
    /// Something happened at which something may be suggested. Only while Hunch watches.
    case person(PersonEvent)
    /// The user's position is no longer known. Only while Hunch watches.
    case positionLost
    /// Hunch was disabled or paused. Nothing that was in memory may be recorded or suggested later.
    case switchedOff
    /// A scope is about to be forgotten. Nothing of it may come back from memory.
    case forgetting(ForgetScope)
    /// The history has changed other than by what happens: something was forgotten or imported, or the user
    /// named a place.
    case recordsChanged
    /// The categories that may be recorded have changed.
    case settingsChanged
    /// The user unmuted something, so that held suggestions may be made.
    case unmuted
    /// Another app was excluded. The value is all excluded apps.
    case excluded(Set<AppID>)
    /// A suggestion was carried out.
    ///
    /// - Parameter isAutomatic: whether a program chose it and not the user. Then nothing is learned, except for an existing
    ///   habit.
    case carriedOut(Suggestion, isAutomatic: Bool)
}

extension Feature {
    package nonisolated func interfaces() throws -> [ObjectPath: [ExportedInterface]] { [:] }
    package nonisolated var stores: [any PersonalStore] { [] }
    package func prepareToWatch() {}
    package func run() async {}
    package func handle(_ event: CoreEvent) async {}
    package func holds(_ scope: ForgetScope) async -> Bool { false }
    package func completed(_ status: AgentStatus, isComplete: Bool) async throws -> AgentStatus { status }
    package var outcomes: TriggerLog { get async { TriggerLog() } }
    package func close() async {}
}

extension [any Feature] {
    /// Tells each feature of a change, in the order of the list.
    func handle(_ event: CoreEvent) async {
        for feature in self { await feature.handle(event) }
    }
}
