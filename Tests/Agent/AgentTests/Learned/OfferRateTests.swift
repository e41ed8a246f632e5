import FoundationEssentials
import HunchModel
import Prediction
import SeededRandom
import Suggestions
import Testing

@testable import Agent
@testable import Services
@testable import Media

/// Simulated people who connect devices day after day. Counts how often the suggestion is the wanted one.
@Suite("Suggestion rates for simulated people") struct OfferRateTests {
    private static let start = Date(timeIntervalSince1970: 1_748_822_400)

    /// A moment of a user's day.
    private struct Moment {
        var device: String
        var hour: Int
        /// The app that is wanted; `nil` if nothing is.
        var wanted: String?
    }

    /// Simulates the days of several people, and counts from a given day.
    private func live(
        _ name: String, days: Int = 60, from first: Int = 14, people: Int = 8,
        _ moments: (_ day: Int, _ random: inout SplitMix64) -> [Moment]
    ) throws -> OfferRates {
        var rates = OfferRates()
        for person in 0..<people {
            var random = SplitMix64(seed: UInt64(person) * 31 + 7)
            var (learner, board) = (Learner(), SuggestionBoard())
            var offers: [String: [UnrankedMedia]] = [:]
            for day in 0..<days {
                for (index, moment) in moments(day, &random).enumerated() {
                    let date = Self.start.addingTimeInterval(Double(day * 24 + moment.hour) * 3_600)
                    let context = Context(
                        trigger: Trigger("device:\(moment.device)"), device: AudioDevice.ID(moment.device),
                        hour: moment.hour,
                        weekday: day % 7 + 1)
                    let ranked = MediaRanking.rank(
                        offers[moment.device] ?? [], learner: learner, context: context, deviceName: moment.device,
                        at: date)
                    let offered = ranked.first { candidate in
                        let pair = SuggestionPair(trigger: context.trigger, application: candidate.application)
                        return board.hold(of: pair, score: candidate.score, kind: .media, at: date) == nil
                    }
                    if day >= first, moment.wanted != nil { rates.wanted += 1 }
                    if let offered {
                        let isTaken = offered.application.rawValue == moment.wanted
                        // A user who wants something else dismisses or ignores the suggestion; one who wants nothing ignores it.
                        try board.live(
                            through: "d\(day)m\(index)", of: offered.application, score: offered.score, context,
                            at: date,
                            refusal: isTaken ? nil : Bool.random(using: &random) ? .turnedDown : .ignored)
                        if day >= first {
                            rates.offered += 1
                            rates.taken += isTaken ? 1 : 0
                        }
                    }
                    guard let wanted = moment.wanted else { continue }
                    learner.learn(
                        Action(application: AppID(wanted), kind: .playMedia), Circumstances(context), at: date)
                    offers[moment.device, default: []].removeAll { $0.application.rawValue == wanted }
                    offers[moment.device, default: []].append(
                        UnrankedMedia(application: AppID(wanted), lastPlayed: date))
                }
            }
        }
        print("\(name): \(rates)")
        return rates
    }

    private static func often(_ share: Double, _ random: inout SplitMix64) -> Bool {
        Double.random(in: 0..<1, using: &random) < share
    }

    @Test("Podcast commutes and music evenings are told apart")
    func commute() throws {
        let rates = try live("the commute") { day, random in
            let isWorking = day % 7 < 5
            guard isWorking else {
                return [Moment(device: "earbuds", hour: 11, wanted: Self.often(0.9, &random) ? "radio" : "music")]
            }
            return [
                Moment(device: "earbuds", hour: 8, wanted: Self.often(0.9, &random) ? "podcasts" : "music"),
                Moment(device: "earbuds", hour: 18, wanted: Self.often(0.9, &random) ? "music" : "podcasts"),
            ]
        }
        #expect(rates.hits > 0.7, "\(rates)")
        #expect(rates.falseOffers < 0.3, "\(rates)")
    }

    @Test("A gym playlist is told apart from random use of a speaker")
    func gym() throws {
        let rates = try live("the gym") { day, random in
            let anything = ["radio", "podcasts", "video"][Int.random(in: 0..<3, using: &random)]
            let speaker = Moment(device: "speaker", hour: 20, wanted: anything)
            return day % 2 == 0 ? [Moment(device: "sport", hour: 17, wanted: "playlist"), speaker] : [speaker]
        }
        // The speaker has two thirds of the triggers, and one in three of these is predictable.
        #expect(rates.hits > 0.38, "\(rates)")
        #expect(rates.falseOffers < 0.55, "\(rates)")
    }

    @Test("A habit that changes is learned again")
    func change() throws {
        let rates = try live("a habit that changes", days: 60, from: 37) { day, random in
            [Moment(device: "earbuds", hour: 8, wanted: day < 30 ? "old" : "new")]
        }
        #expect(rates.hits > 0.9, "\(rates)")
        #expect(rates.falseOffers < 0.1, "\(rates)")
    }

    @Test("Random choices from ten cause few suggestions")
    func noise() throws {
        let rates = try live("noise") { _, random in
            [Moment(device: "earbuds", hour: 8, wanted: "x\(Int.random(in: 0..<10, using: &random))")]
        }
        #expect(Double(rates.offered) < 0.25 * Double(rates.wanted), "\(rates)")
    }

    @Test("A headset used only for calls causes few suggestions")
    func calls() throws {
        let rates = try live("calls alone", from: 30) { day, _ in
            let wanted = day < 5 ? "music" : nil
            return [
                Moment(device: "headset", hour: 9, wanted: wanted), Moment(device: "headset", hour: 14, wanted: wanted),
            ]
        }
        // Two a day, for thirty days and eight people.
        #expect(rates.offered < 120, "\(rates)")
    }
}
