public import HunchModel

/// Replays a log through the learner and the baselines, person by person, and counts the hits of each.
///
/// An action that a user never did before cannot be ranked and counts as a miss for all methods. The same events give
/// the same rankings and rates. Memory grows with the number of people, their distinct actions and the distinct pairs
/// of consecutive actions, not with the number of events.
///
/// ```swift
/// var evaluator = Evaluator()
/// for event in log { try evaluator.add(event) }
/// print(evaluator.report.methods[.hunch]?.micro.first ?? 0)
/// ```
public struct Evaluator: Sendable {
    /// The most people.
    public static let maximumUsers = 100_000
    /// The most distinct actions of all people together.
    public static let maximumActions = 1_000_000
    /// The least confidence to suggest the first action, 0…1: the agent's limit before any engagement.
    public static let offerProbability = 0.3

    private struct Person: Sendable {
        var learner: Learner
        var baselines = Baselines()
        var counts = EvaluationMethod.allCases.map { _ in RankCounts() }
        /// The undated events that wait to be learned.
        var undated = UndatedLessons()
    }

    /// The most events of all people that wait to be learned.
    private static let maximumWaiting = 1_000_000

    private var users: [String: Int] = [:]
    private var people: [Person] = []
    private var numbers: [Action: Int] = [:]
    private var waiting = 0
    private var repetitions = UndatedLessons.Repetitions()
    private var events = 0
    private var learned = 0
    private var unseen = 0
    private var offers = 0
    private var falseOffers = 0
    private var predictionTime = Duration.zero
    private var updateTime = Duration.zero
    private let clock = ContinuousClock()

    /// Creates an evaluator that has seen nothing.
    public init() {}

    /// Adds the next event.
    ///
    /// Consecutive undated events that are only learned and have the same circumstances count as simultaneous actions.
    /// In a table, a log in which nothing repeats in the same circumstances, they need not be consecutive.
    ///
    /// - Returns: The prediction; `nil` for an event that is only learned.
    /// - Throws: ``EvaluationError`` if there are too many people or actions. Nothing is counted then.
    public mutating func add(_ event: LoggedEvent) throws(EvaluationError) -> EvaluatedEvent? {
        let index = try index(of: event)
        let number = try number(of: event.action)
        events += 1
        let isUndated = event.phase == .learn && event.date == nil && !event.circumstances.values.isEmpty
        if !isUndated { learnUndated(of: index) }

        var evaluated: EvaluatedEvent?
        if event.phase != .learn {
            let start = clock.now
            let (ranking, confidence) = people[index].learner.confidentRanking(
                event.circumstances, at: event.date, limit: RankCounts.depth)
            predictionTime += clock.now - start
            if confidence >= Self.offerProbability {
                offers += 1
                if ranking.first != event.action { falseOffers += 1 }
            }
            let rank = ranking.firstIndex(of: event.action)
            count(rank, number, event.circumstances, index)
            evaluated = EvaluatedEvent(ranked: ranking, confidence: confidence, rank: rank)
        }
        if event.phase != .predict {
            learned += 1
            people[index].baselines.learn(number, event.circumstances)
            if isUndated {
                people[index].undated.append(event)
                waiting += 1
                let isFull = people[index].undated.count == UndatedLessons.maximumLessons
                if isFull || waiting > Self.maximumWaiting { learnUndated(of: index) }
            } else {
                let start = clock.now
                people[index].learner.learn(event.action, event.circumstances, at: event.date)
                updateTime += clock.now - start
            }
        }
        return evaluated
    }

    /// The results so far. Undated events at the end of the log that still wait are not learned yet.
    public var report: EvaluationReport {
        var all = EvaluationMethod.allCases.map { _ in RankCounts() }
        for person in people { for method in all.indices { all[method].add(person.counts[method]) } }
        let predicting = people.filter { $0.counts[0].events > 0 }
        let methods = EvaluationMethod.allCases.enumerated().map { place, method in
            let rates = EvaluationReport.Rates(
                micro: all[place].rates, macro: .mean(predicting.map { $0.counts[place].rates }))
            return (method, rates)
        }
        let bytes = people.map(\.learner.byteCount)
        return EvaluationReport(
            users: people.count, events: events, predicted: all[0].events, learned: learned, unseen: unseen,
            offers: offers, falseOffers: falseOffers,
            methods: Dictionary(uniqueKeysWithValues: methods),
            microsecondsPerPrediction: predictionTime.microseconds / Double(max(all[0].events, 1)),
            microsecondsPerUpdate: updateTime.microseconds / Double(max(learned, 1)),
            bytesPerUser: bytes.reduce(0, +) / max(people.count, 1), greatestBytesPerUser: bytes.max() ?? 0)
    }

    private mutating func index(of event: LoggedEvent) throws(EvaluationError) -> Int {
        if let index = users[event.user] { return index }
        guard people.count < Self.maximumUsers else {
            throw EvaluationError(.tooManyUsers, "there are more than \(Self.maximumUsers) users; split the log")
        }
        users[event.user] = people.count
        // A log without dates that separates learning from prediction does not give the order of actions.
        let doubtsOrder = event.phase != .both && event.date == nil
        people.append(Person(learner: Learner(doubtsOrder: doubtsOrder)))
        return people.count - 1
    }

    private mutating func number(of action: Action) throws(EvaluationError) -> Int {
        if let number = numbers[action] { return number }
        guard numbers.count < Self.maximumActions else {
            throw EvaluationError(.tooManyActions, "there are more than \(Self.maximumActions) actions; split the log")
        }
        numbers[action] = numbers.count
        return numbers.count - 1
    }

    private mutating func learnUndated(of index: Int) {
        let undated = people[index].undated
        guard undated.count > 0 else { return }
        people[index].undated = UndatedLessons()
        waiting -= undated.count
        repetitions.add(undated)
        people[index].learner.isTable = repetitions.isTable
        for instance in undated.instances(isTable: repetitions.isTable) {
            let start = clock.now
            people[index].learner.learn(instance.actions, instance.circumstances, at: nil)
            updateTime += clock.now - start
        }
    }

    private mutating func count(_ rank: Int?, _ number: Int, _ circumstances: Circumstances, _ index: Int) {
        let baselines = people[index].baselines
        if !baselines.knows(number) { unseen += 1 }
        for (place, method) in EvaluationMethod.allCases.enumerated() {
            let rank =
                switch method {
                case .hunch: rank
                case .mostFrequent: baselines.mostFrequent.firstIndex(of: number)
                case .mostRecent: baselines.mostRecent.firstIndex(of: number)
                case .markov: baselines.markov.firstIndex(of: number)
                case .mostFrequentInContext: baselines.mostFrequent(in: circumstances).firstIndex(of: number)
                }
            people[index].counts[place].add(rank: rank)
        }
    }
}

extension Duration {
    fileprivate var microseconds: Double { Double(components.seconds) * 1e6 + Double(components.attoseconds) / 1e12 }
}
