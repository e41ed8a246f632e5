internal import Agent
internal import AgentInterface
internal import EventLoops
internal import History
internal import HunchDBus
internal import HunchModel
internal import Learning
internal import Prediction

/// The signal `LikelyChanged`, for connections that called `Likely` and may call it again.
extension LearnedSuggestions {
    /// The answer of `Likely` to a connection: what the user likely wants, the likeliest first.
    struct LikelyAnswer {
        let actions: [Donation]
        let limit: Int

        func isOutdated(by now: [Donation]) -> Bool {
            !actions.prefix(limit).elementsEqual(now.prefix(limit)) { $0.isEquivalent(to: $1) }
        }
    }

    /// The maximum number of connections that are told of changes.
    private static let watcherLimit = 32
    /// The time between two looks for changes that nothing announces, such as a new hour, while a connection waits.
    private static let lookInterval = Duration.seconds(30)

    /// Remembers the answer to a connection.
    func remember(_ answer: LikelyAnswer, for connection: BusName) {
        guard answers[connection] != nil || answers.count < Self.watcherLimit else { return }
        answers[connection] = answer
        scheduleLook()
    }

    private func scheduleLook() {
        guard !answers.isEmpty, !isLookScheduled else { return }
        isLookScheduled = true
        _ = loop.schedule(after: Self.lookInterval) { [weak self, loop] in
            Task(executorPreference: loop) { await self?.look() }
        }
    }

    private func look() async {
        isLookScheduled = false
        await tellOfChanges()
        scheduleLook()
    }

    /// Tells the connections whose answer is outdated. Each is told once, until it calls `Likely` again.
    func tellOfChanges() async {
        guard !answers.isEmpty else { return }
        let mayAnswer = (try? await history.use { store, now in try store.settings().refusal(at: now) == nil }) ?? false
        let actions = mayAnswer ? (try? await likelyChoices().map(\.donation)) ?? [] : []
        for (connection, answer) in answers where answer.isOutdated(by: actions) {
            answers[connection] = nil
            // An error means that the bus is gone.
            try? await bus.emit(HunchNames.root, HunchNames.agentInterface, "LikelyChanged", body: [], to: connection)
        }
    }
}
