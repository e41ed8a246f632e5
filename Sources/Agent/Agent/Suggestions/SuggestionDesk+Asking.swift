internal import EventLoops
internal import HunchDBus
package import HunchModel
internal import Suggestions
package import Surfaces

/// A question on the notification.
struct AskedQuestion {
    package let question: NotificationQuestion
    /// The candidates in the order of the buttons, followed by those without a button.
    package let choices: [Suggestion.ID]
}

/// Suggestions that callers requested, and asking the user which of several suggestions is wanted.
extension SuggestionDesk {
    /// The suggestions that callers requested and that are not over.
    package var requestedIdentifiers: Set<Suggestion.ID> { Set(board.lives.filter(\.wasRequested).map(\.id)) }

    /// Withdraws what a connection requested, once it has left the bus.
    func follow(_ lifeline: BusName?) {
        guard let lifeline, followed.insert(lifeline).inserted else { return }
        Task(executorPreference: loop) { [weak self, bus] in
            if let owners = try? await bus.owners(of: lifeline) {
                for await present in owners where present == nil { break }
            }
            await self?.end(lifeline)
        }
    }

    private func end(_ lifeline: BusName) async {
        followed.remove(lifeline)
        let ended = Set(handlings.filter { $0.value.lifeline == lifeline }.keys)
        await withdraw(because: "its requester left") { ended.contains($0.id) }
    }

    /// The maximum number of apps or places in a question: a notification has no room for more buttons.
    package static let choiceLimit = 3

    /// Asks the user by a notification which of the first suggestions in a list is wanted. The answer ends the
    /// others.
    ///
    /// - Parameters:
    ///   - question: how the suggestions differ.
    ///   - identifiers: the suggestions on the bus, best first.
    ///   - requester: the caller's key, see ``CallerPermission/requester``. Only the user and the caller of the
    ///     current question may replace it.
    /// - Returns: whether the question is shown. It is not if there is nothing to choose, or no one could answer.
    package func ask(
        _ question: NotificationQuestion, _ identifiers: [Suggestion.ID], for requester: String
    ) async throws -> Bool {
        let candidates = identifiers.compactMap { board.life(of: $0)?.suggestion }.prefix(Self.choiceLimit)
        guard isFollowing, isScreenSeen, candidates.count > 1 else { return false }
        let current = (asked?.choices ?? []).lazy.compactMap { self.board.life(of: $0) }.first { $0.state.isOpen }
        if let current, current.requester != requester, requester != CallerPermission.personsRequests { return false }
        let former = asked
        asked = AskedQuestion(question: question, choices: identifiers)
        guard case .shown = try await surface.ask(question, Array(candidates), for: configuration.offerTime) else {
            asked = former
            return false
        }
        // The notification stands also if the caller leaves.
        for identifier in identifiers { handlings[identifier]?.lifeline = nil }
        for suggestion in candidates { await apply(.show, to: suggestion.id) }
        return true
    }

    /// Ends the other suggestions of a question, once one was chosen or all were dismissed.
    func endChoices(but chosen: Suggestion.ID, because reason: String) async {
        let others = asked?.choices.filter { $0 != chosen } ?? []
        asked = nil
        await withdraw(because: reason) { others.contains($0.id) }
    }
}
