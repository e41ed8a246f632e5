internal import HunchModel
internal import Suggestions
internal import Surfaces

/// Asking the person which of several suggestions is wanted.
extension SuggestionDesk {
    /// The most apps or places that are asked about at once: a notification has room for no more buttons.
    static let choiceLimit = 3

    /// Asks the person by a notification which of the first suggestions of a list is wanted. The answer ends the others.
    ///
    /// - Parameters:
    ///   - question: what the suggestions differ in.
    ///   - identifiers: of what is on the bus, best first.
    ///   - requester: identifies the caller; see ``CallerStanding/requester``. Only the person, and the caller of the
    ///     question that stands, replace it.
    /// - Returns: whether the question is on the screen; not when there is nothing to choose, or nobody could answer.
    func ask(
        _ question: NotificationQuestion, _ identifiers: [Suggestion.ID], for requester: String
    ) async throws -> Bool {
        let asked = identifiers.compactMap { board.life(of: $0)?.suggestion }.prefix(Self.choiceLimit)
        guard isFollowing, isScreenSeen, asked.count > 1 else { return false }
        let standing = choices.lazy.compactMap { self.board.life(of: $0) }.first { $0.state.isOpen }
        if let standing, standing.requester != requester, requester != CallerStanding.personsRequests { return false }
        let former = (choices, self.question)
        (choices, self.question) = (identifiers, question)
        guard case .shown = try await surface.ask(question, Array(asked), for: configuration.offerTime) else {
            (choices, self.question) = former
            return false
        }
        for suggestion in asked { await apply(.show, to: suggestion.id) }
        return true
    }

    /// Ends what else was asked about, once one was chosen or all were turned down.
    func endChoices(but chosen: Suggestion.ID, because reason: String) async {
        let others = choices.filter { $0 != chosen }
        choices = []
        await withdraw(because: reason) { others.contains($0.id) }
    }
}
