import FoundationEssentials
import HunchModel
import Prediction
import SeededRandom
import Suggestions
import Testing

@testable import Agent
@testable import Services

/// Simulated people whose habits depend on the trigger, the place and the day. Counts how often the first suggestion is
/// the wanted one.
@Suite("Simulated days") struct InventedDayTests {
    private static let start = Date(timeIntervalSince1970: 1_748_822_400)
    private static let people = 6

    /// A trigger at which the likeliest action is suggested, if it is likely enough.
    private struct Moment {
        var hour: Int
        var trigger: Trigger?
        var further: [String: String] = [:]
        /// The action.
        var wanted: String
    }

    private func context(_ moment: Moment, _ day: Int) -> Context {
        Context(trigger: moment.trigger, hour: moment.hour, weekday: day % 7 + 1, further: moment.further)
    }

    /// Simulates the days of several people, and counts from a given day.
    private func live(
        _ name: String, days: Int = 60, from first: Int = 21, counting counts: (Moment) -> Bool = { _ in true },
        _ moments: (_ day: Int, _ random: inout SplitMix64) -> [Moment]
    ) throws -> OfferRates {
        var rates = OfferRates()
        for person in 0..<Self.people {
            var random = SplitMix64(seed: UInt64(person) * 17 + 3)
            var (learner, board) = (Learner(), SuggestionBoard())
            for day in 0..<days {
                for (index, moment) in moments(day, &random).enumerated() {
                    let date = Self.start.addingTimeInterval(Double(day * 24 + moment.hour) * 3_600)
                    let context = context(moment, day)
                    let isCounted = day >= first && counts(moment)
                    if isCounted { rates.wanted += 1 }
                    if let offered = offer(learner, board, context, at: date) {
                        let isTaken = offered.action.application.rawValue == moment.wanted
                        try board.live(
                            through: "d\(day)m\(index)", of: offered.action.application, score: offered.probability,
                            context, at: date, refusal: isTaken ? nil : .ignored)
                        if isCounted {
                            rates.offered += 1
                            rates.taken += isTaken ? 1 : 0
                        }
                    }
                    learner.learn(Self.action(AppID(moment.wanted)), Circumstances(context), at: date)
                }
            }
        }
        print("\(name): \(rates)")
        return rates
    }

    private static func action(_ application: AppID) -> Action {
        Action(application: application, kind: Donation.Kind(rawValue: "openItem"))
    }

    /// The likeliest action, unless the board holds it.
    private func offer(
        _ learner: Learner, _ board: SuggestionBoard, _ context: Context, at date: Date
    ) -> RankedAction? {
        guard let best = learner.predict(Circumstances(context), at: date, limit: 1).first else { return nil }
        let pair = SuggestionPair(trigger: context.trigger, application: best.action.application)
        return board.hold(of: pair, score: best.probability, kind: .media, at: date) == nil ? best : nil
    }

    private static func often(_ share: Double, _ random: inout SplitMix64) -> Bool {
        Double.random(in: 0..<1, using: &random) < share
    }

    private static func anything(_ random: inout SplitMix64) -> String {
        "x\(Int.random(in: 0..<10, using: &random))"
    }

    /// The weather after waking up at any hour; then, and after each unlocking, any action.
    private static func waking(_ weather: String, _ random: inout SplitMix64) -> [Moment] {
        let hour = Int.random(in: 6...10, using: &random)
        let woken = Moment(
            hour: hour, trigger: .session(.resumed), further: ["session": "resume", "power": "mains"],
            wanted: often(0.9, &random) ? weather : anything(&random))
        let later = [11, 13, 15, 17].map { hour in
            Moment(
                hour: hour, trigger: .session(.unlocked), further: ["session": "unlock", "power": "mains"],
                wanted: anything(&random))
        }
        return [woken] + later
    }

    @Test("The weather after resuming is learned")
    func weather() throws {
        let woken = try live("the weather after waking", counting: { $0.trigger == .session(.resumed) }) { _, random in
            Self.waking("weather", &random)
        }
        #expect(woken.hits > 0.8, "\(woken)")
        #expect(woken.falseOffers < 0.18, "\(woken)")
        let unlocked = try live("anything after unlocking", counting: { $0.trigger == .session(.unlocked) }) {
            _, random in
            Self.waking("weather", &random)
        }
        #expect(Double(unlocked.offered) < 0.1 * Double(unlocked.wanted), "\(unlocked)")
    }

    @Test("A change to another weather app is learned")
    func anotherApp() throws {
        let rates = try live("another weather app", days: 60, from: 40, counting: { $0.trigger == .session(.resumed) })
        {
            day, random in Self.waking(day < 30 ? "weather" : "rain", &random)
        }
        #expect(rates.hits > 0.4, "\(rates)")
        #expect(rates.falseOffers < 0.4, "\(rates)")
    }

    @Test("Random actions are rarely followed by a suggestion")
    func noise() throws {
        let rates = try live("noise after waking and unlocking") { _, random in
            Self.waking(Self.anything(&random), &random)
        }
        #expect(Double(rates.offered) < 0.1 * Double(rates.wanted), "\(rates)")
    }

    @Test("Home and work at the same hours are distinguished")
    func places() throws {
        let rates = try live("at home and at work") { day, random in
            // On some days the user works at home.
            let place = day % 7 < 5 && Self.often(0.6, &random) ? "work" : "home"
            return [9, 13, 16].map { hour in
                Moment(
                    hour: hour, further: ["place": place],
                    wanted: Self.often(0.85, &random)
                        ? (place == "work" ? "tickets" : "garden") : Self.anything(&random))
            }
        }
        #expect(rates.hits > 0.65, "\(rates)")
        #expect(rates.falseOffers < 0.3, "\(rates)")
    }

    // MARK: Routes

    /// Requests directions day after day, and counts how often the opened app is the one listed first.
    private func ways(
        _ name: String, _ ask: (_ day: Int, _ random: inout SplitMix64) -> [(hour: Int, app: String)]
    ) -> OfferRates {
        var rates = OfferRates()
        for person in 0..<Self.people {
            var random = SplitMix64(seed: UInt64(person) * 23 + 5)
            var habits = RoutingHabits()
            // Sunday is the first day of the week and Saturday the last.
            for day in 0..<70 {
                for (hour, app) in ask(day, &random) {
                    let place = [
                        "latitude": "52.\(Int.random(in: 10...49, using: &random))",
                        "longitude": "13.\(Int.random(in: 10...49, using: &random))",
                    ]
                    let context = Context(hour: hour, weekday: day % 7 + 1)
                    let choices = habits.choices(for: place, context)
                    let best = choices.max { ($0.value.likelihood, $1.key) < ($1.value.likelihood, $0.key) }
                    if day >= 28 {
                        rates.wanted += 1
                        // An app that is less likely than not is only listed.
                        if let best, best.value.likelihood > 0.5 {
                            rates.offered += 1
                            rates.taken += best.key.rawValue == app ? 1 : 0
                        }
                    }
                    habits.learn(
                        Donation(
                            application: AppID(app), kind: .getDirections, parameters: place,
                            date: Self.start.addingTimeInterval(Double(day * 24 + hour) * 3_600), context: context))
                }
            }
        }
        print("\(name): \(rates)")
        return rates
    }

    private static func isWeekend(_ day: Int) -> Bool { [0, 6].contains(day % 7) }

    @Test("Weekend hiking and workday train routes are told apart")
    func weekendRoutes() {
        let rates = ways("weekend routes") { day, random in
            let usual = Self.isWeekend(day) ? "hiking" : "trains"
            return [8, 17].map { hour in (hour, Self.often(0.9, &random) ? usual : "cars") }
        }
        #expect(rates.hits > 0.75, "\(rates)")
        #expect(rates.falseOffers < 0.2, "\(rates)")
    }

    @Test("A change of weekend routes to sailing is learned")
    func changedRoutes() {
        let rates = ways("changed weekend routes") { day, random in
            let weekend = day < 28 ? "hiking" : "sailing"
            return [9].map { hour in (hour, Self.isWeekend(day) ? weekend : "trains") }
        }
        #expect(rates.hits > 0.6, "\(rates)")
        #expect(rates.falseOffers < 0.2, "\(rates)")
    }

    @Test("Routes by any of five apps cause few wrong suggestions")
    func anyRoute() {
        let rates = ways("routes by any app") { _, random in
            [(9, "app\(Int.random(in: 0..<5, using: &random))")]
        }
        #expect(Double(rates.offered) < 0.15 * Double(rates.wanted), "\(rates)")
    }
}
