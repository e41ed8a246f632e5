import FoundationEssentials
import HunchDBus
import HunchModel
import Testing

@testable import Activities

@Suite("Activity policy")
struct ActivityPolicyTests {
    private let start = Date(timeIntervalSince1970: 1_000_000)

    private func life(
        _ id: String, app: AppID = "org.example.Guide", place: Bool = true, needsSave: Bool = false
    ) throws -> LiveActivity {
        var activity = Activity(type: "org.example.Guide.place", title: "Yank Sing")
        activity.contentIdentifier = id
        activity.needsSave = needsSave
        if place { activity.place = MapItem(coordinate: try Coordinate(latitude: 37.79, longitude: -122.39)) }
        return LiveActivity(id: id, application: app, owner: ":1.7", activity: activity, delegate: nil, date: start)
    }

    /// The names of effects, in order.
    private func names(_ effects: [ActivityPolicy.Effect]) -> [String] {
        effects.map {
            switch $0 {
            case .save: "save"
            case .recordOpening: "record"
            case .index: "index"
            case .remember: "remember"
            case .wait: "wait"
            case .suggest: "suggest"
            case .withdraw: "withdraw"
            case .unexport: "unexport"
            }
        }
    }

    private func departure(_ effects: [ActivityPolicy.Effect]) throws -> ActivityPolicy.Departure {
        try #require(
            effects.lazy.compactMap { effect -> ActivityPolicy.Departure? in
                if case .save(_, let departure) = effect { departure } else { nil }
            }.first)
    }

    @Test("A place is remembered at once and suggested a moment after it was left")
    func leaving() throws {
        var policy = ActivityPolicy()
        let shown = try life("a")
        #expect(try policy.add(shown).isEmpty)
        #expect(names(policy.makeCurrent("a", at: start)) == ["remember"])
        let left = policy.resign("a", at: start + 5)
        #expect(names(left) == ["save"])
        let departure = try departure(left)
        #expect(departure.date == start + 5)
        #expect(names(policy.saved(shown, after: departure, at: start + 6)) == ["record", "remember", "wait"])
        #expect(names(policy.waited(for: shown.application, after: departure, at: start + 9)) == ["suggest"])
        #expect(policy.waited(for: shown.application, after: departure, at: start + 9).isEmpty)
    }

    @Test("Another place of the same app on the screen means that the user is still choosing")
    func choosing() throws {
        var policy = ActivityPolicy()
        let first = try life("a")
        _ = try policy.add(first)
        _ = policy.makeCurrent("a", at: start)
        _ = try policy.add(life("b"))
        let left = policy.makeCurrent("b", at: start + 5)
        #expect(names(left) == ["save", "remember"])
        let departure = try departure(left)
        _ = policy.saved(first, after: departure, at: start + 5)
        #expect(policy.waited(for: first.application, after: departure, at: start + 9).isEmpty)
    }

    @Test("Only the last departure of an app counts, however late its answers come")
    func lastDeparture() throws {
        var policy = ActivityPolicy()
        let (first, second) = (try life("a"), try life("b"))
        _ = try policy.add(first)
        _ = try policy.add(second)
        _ = policy.makeCurrent("a", at: start)
        let one = try departure(policy.makeCurrent("b", at: start + 5))
        let two = try departure(policy.resign("b", at: start + 6))
        #expect(names(policy.saved(second, after: two, at: start + 7)) == ["record", "remember", "wait"])
        #expect(names(policy.saved(first, after: one, at: start + 8)) == ["record", "remember"])
        #expect(policy.waited(for: first.application, after: one, at: start + 9).isEmpty)
        #expect(names(policy.waited(for: first.application, after: two, at: start + 9)) == ["suggest"])
    }

    @Test("After an app is forgotten, what is left of it has no effect")
    func forgetting() throws {
        var policy = ActivityPolicy()
        let shown = try life("a")
        _ = try policy.add(shown)
        _ = policy.makeCurrent("a", at: start)
        let departure = try departure(policy.resign("a", at: start + 5))
        policy.made(["s1"], from: shown)
        let epoch = policy.epoch
        #expect(names(policy.forget { $0.application == shown.application }) == ["withdraw"])
        #expect(policy.epoch > epoch)
        #expect(policy.waited(for: shown.application, after: departure, at: start + 9).isEmpty)
        #expect(policy.table.lives["a"]?.activity == nil)
    }

    @Test("A closed connection counts as leaving, and its objects are removed")
    func closing() throws {
        var policy = ActivityPolicy()
        _ = try policy.add(life("a"))
        _ = try policy.add(life("b", place: false))
        _ = policy.makeCurrent("a", at: start)
        #expect(names(policy.close(":1.7", at: start + 5)).sorted() == ["save", "unexport", "unexport"])
        #expect(policy.close(":1.7", at: start + 5).isEmpty)
    }

    @Test("Ending an activity removes its suggestions and its object")
    func ending() throws {
        var policy = ActivityPolicy()
        let shown = try life("a")
        _ = try policy.add(shown)
        policy.made(["s1", "s2"], from: shown)
        let effects = policy.end { $0.id == "a" }
        #expect(names(effects) == ["withdraw", "unexport"])
        #expect(effects.allSatisfy { !$0.needsConsent })
        #expect(policy.end { _ in true }.isEmpty)
    }

    @Test("An item counts as opened after a minimum time on the screen")
    func opening() throws {
        let shown = try life("a")
        #expect(shown.opening(until: start + 2, minimum: 3, context: Context()) == nil)
        let donation = try #require(shown.opening(until: start + 4, minimum: 3, context: Context()))
        #expect(donation.parameters["item"] == "a" && donation.kind == .openItem)
    }

    @Test("Suggestions of old activities are forgotten, and no payloads are kept")
    func suggestedActivities() throws {
        var policy = ActivityPolicy()
        for number in 0..<1_000 {
            var shown = try life("a\(number)")
            shown.activity?.payload = Array(repeating: 1, count: 65_536)
            policy.made(["s\(number)"], from: shown)
        }
        let effects = policy.withdraw { $0.activity?.payload.isEmpty == false }
        #expect(effects.isEmpty)
        guard case .withdraw(let gone)? = policy.withdraw(where: { _ in true }).first else {
            Issue.record("nothing was withdrawn")
            return
        }
        #expect(gone.count == ActivityPolicy.suggestedLimit && gone.contains("s999"))
    }
}
