import AgentInterface
import FoundationEssentials
import HunchDBus
import HunchKit
import HunchModel
import SeededRandom
import TestSupport
import Testing

@testable import Agent
@testable import Services

/// Simulated people who use the agent for weeks: apps donate their actions over D-Bus, and
/// they accept, dismiss or ignore the suggestions.
@Suite("Simulated days with the agent", .serialized, .timeLimit(.minutes(15))) struct LivedDayTests {
    /// A trigger at which something may be suggested.
    private struct Moment {
        var hour: Int
        var event: SessionEvent
        /// The action by its item; `nil` for none.
        var wanted: String?
    }

    private static let start = Date(timeIntervalSince1970: 1_748_736_000)
    private static let app: AppID = "org.example.Things"

    /// Simulates some days, and counts from a given day, for each kind of trigger.
    private func live(
        _ name: String, days: Int, from first: Int, seed: UInt64,
        _ moments: @escaping (_ day: Int, _ random: inout SplitMix64) -> [Moment]
    ) async throws -> [SessionEvent: OfferRates] {
        var counted: [SessionEvent: OfferRates] = [:]
        var random = SplitMix64(seed: seed)
        try await withTriggerScene { scene in
            try scene.rig.home.directory.write(
                "[Desktop Entry]\nType=Application\nName=Things\nExec=true %u\nMimeType=x-scheme-handler/thing;\n",
                to: "data/applications/\(Self.app).desktop")
            for day in 0..<days {
                for moment in moments(day, &random) {
                    scene.clock.update {
                        $0 = Self.start.addingTimeInterval(Double(day * 24 + moment.hour) * 3_600)
                    }
                    await scene.come(moment.event)
                    var rates = OfferRates()
                    if moment.wanted != nil { rates.wanted += 1 }
                    let offered = try await scene.offered()
                    #expect(offered.count <= 1)
                    var isTaken = false
                    if let offer = offered.first {
                        isTaken = offer.title == moment.wanted.map { "Open \($0)" }
                        rates.offered += 1
                        rates.taken += isTaken ? 1 : 0
                        try await answer(offer, isTaken, &random, scene)
                    }
                    if day >= first { counted[moment.event, default: OfferRates()] += rates }
                    guard let wanted = moment.wanted, !isTaken else { continue }
                    try await scene.donate(
                        Self.app, "openItem", ["uri": "thing:\(wanted)", "title": wanted], at: moment.event.rawValue)
                }
            }
        }
        for (event, rates) in counted { print("\(name), \(event): \(rates)") }
        return counted
    }

    /// The engagement of a user who wants something else, or nothing.
    private func answer(
        _ offer: OfferedSuggestion, _ isTaken: Bool, _ random: inout SplitMix64, _ scene: TriggerScene
    ) async throws {
        if isTaken {
            try await scene.rig.agent.accept(offer.id)
        } else if Bool.random(using: &random) {
            try await scene.rig.agent.dismiss(offer.id, reason: "closed")
        } else {
            scene.clock.update { $0 += 660 }
            await scene.inside.desk.expire()
        }
    }

    private static func often(_ share: Double, _ random: inout SplitMix64) -> Bool {
        Double.random(in: 0..<1, using: &random) < share
    }

    private static func anything(_ random: inout SplitMix64) -> String {
        "x\(Int.random(in: 0..<10, using: &random))"
    }

    /// On working days the forecast after waking up; now and then any action after unlocking.
    private static func day(_ number: Int, _ forecast: String, _ random: inout SplitMix64) -> [Moment] {
        let isWorking = number % 7 < 5
        let woken = Moment(
            hour: Int.random(in: 6...8, using: &random), event: .resumed,
            wanted: isWorking ? (often(0.9, &random) ? forecast : anything(&random)) : nil)
        let later = [12, 16, 20].map { hour in
            Moment(hour: hour, event: .unlocked, wanted: often(0.4, &random) ? anything(&random) : nil)
        }
        return [woken] + later
    }

    @Test("The forecast is suggested after resuming on working days")
    func forecast() async throws {
        let rates = try await live("the forecast", days: 42, from: 14, seed: 1) { Self.day($0, "Forecast", &$1) }
        let woken = try #require(rates[.resumed])
        #expect(woken.hits > 0.6, "\(woken)")
        // At first also on free days, until the agent has learned that nothing is wanted then.
        #expect(woken.falseOffers < 0.4, "\(woken)")
        let unlocked = try #require(rates[.unlocked])
        #expect(unlocked.offered < 9, "of 84 times: \(unlocked)")
    }

    @Test("A change to another forecast app is learned")
    func another() async throws {
        let rates = try await live("another forecast", days: 49, from: 35, seed: 2) {
            Self.day($0, $0 < 21 ? "Forecast" : "Rain", &$1)
        }
        let woken = try #require(rates[.resumed])
        #expect(woken.hits > 0.5, "\(woken)")
        #expect(woken.falseOffers < 0.5, "\(woken)")
    }

    @Test("Random or missing actions cause few suggestions")
    func noise() async throws {
        let rates = try await live("noise", days: 35, from: 7, seed: 3) { _, random in
            [7, 12, 18].map { hour in
                Moment(
                    hour: hour, event: hour == 7 ? .resumed : .unlocked,
                    wanted: Self.often(0.6, &random) ? Self.anything(&random) : nil)
            }
        }
        #expect(rates.values.reduce(0) { $0 + $1.offered } < 13, "of 84 times: \(rates)")
    }
}
