import FoundationEssentials
import HunchModel
import Prediction
import Testing

/// Tests of learning a user's routing app from opened directions.
@Suite struct RoutingHabitsTests {
    private func opened(
        _ application: AppID, _ parameters: [String: String], hour: Int = 9, weekday: Int = 2, after days: Double = 0
    ) -> Donation {
        Donation(
            application: application, kind: .getDirections, parameters: parameters,
            date: start.addingTimeInterval(days * 86_400), context: Context(hour: hour, weekday: weekday))
    }

    private let berlin = ["latitude": "52.51", "longitude": "13.38"]
    private let london = ["latitude": "51.5", "longitude": "-0.12"]

    @Test("Without history, no app is preferred")

    func nothingIsKnownAtFirst() {
        #expect(RoutingHabits().choices(for: berlin, Context()).isEmpty)
        var habits = RoutingHabits()
        habits.learn(
            Donation(application: "org.example.Player", kind: .playMedia, parameters: ["item": "x"], date: start))
        #expect(habits.choices(for: berlin, Context()).isEmpty)
    }

    @Test("An app opened once has a likelihood of one half")

    func whatWasOpenedOnceCountsForHalf() throws {
        var habits = RoutingHabits()
        habits.learn(opened("org.example.Maps", berlin))
        let choice = try #require(habits.choices(for: berlin, Context(hour: 9, weekday: 2))["org.example.Maps"])
        #expect(choice.likelihood == 0.5)
        #expect(!choice.explanation.reasons.isEmpty)
    }

    @Test("The travel mode decides")

    func theWayToTravelTells() {
        var habits = RoutingHabits()
        for day in 0..<8 {
            habits.learn(opened("org.example.Car", berlin.merging(["mode": "car"]) { $1 }, after: Double(day)))
            habits.learn(opened("transit", berlin.merging(["mode": "train"]) { $1 }, after: Double(day)))
        }
        let byCar = habits.choices(for: berlin.merging(["mode": "car"]) { $1 }, Context(hour: 9, weekday: 2))
        let byTrain = habits.choices(for: berlin.merging(["mode": "train"]) { $1 }, Context(hour: 9, weekday: 2))
        #expect((byCar["org.example.Car"]?.likelihood ?? 0) > (byCar["transit"]?.likelihood ?? 1))
        #expect((byTrain["transit"]?.likelihood ?? 0) > (byTrain["org.example.Car"]?.likelihood ?? 1))
        #expect(byCar["org.example.Car"]?.explanation.texts.contains { $0.contains("mode is car") } == true, "\(byCar)")
    }

    @Test("The area decides")

    func theAreaTells() {
        var habits = RoutingHabits()
        for day in 0..<8 {
            habits.learn(opened("bvg", berlin, after: Double(day)))
            habits.learn(opened("tfl", london, after: Double(day)))
        }
        let choices = habits.choices(for: ["latitude": "51.51", "longitude": "-0.2"], Context(hour: 9, weekday: 2))
        #expect((choices["tfl"]?.likelihood ?? 0) > (choices["bvg"]?.likelihood ?? 1), "\(choices)")
        // The opened app is known even if the place has no coordinate.
        #expect(habits.choices(for: ["name": "somewhere"], Context()).count == 2)
    }

    @Test("A new preference is followed")

    func aNewLikingIsFollowed() {
        var habits = RoutingHabits()
        for day in 0..<20 { habits.learn(opened("old", berlin, after: Double(day))) }
        for day in 20..<30 { habits.learn(opened("new", berlin, after: Double(day))) }
        let choices = habits.choices(for: berlin, Context(hour: 9, weekday: 2))
        #expect((choices["new"]?.likelihood ?? 0) > (choices["old"]?.likelihood ?? 1), "\(choices)")
    }

    @Test("Likelihoods are shares")

    func likelihoodsAreShares() {
        var habits = RoutingHabits()
        for index in 0..<100 { habits.learn(opened("app\(index % 7)", berlin, after: Double(index))) }
        let choices = habits.choices(for: berlin, Context(hour: 9, weekday: 2))
        #expect(choices.count == 7)
        #expect(choices.values.allSatisfy { (0...1).contains($0.likelihood) })
        #expect(abs(choices.values.reduce(0) { $0 + $1.likelihood } - 100.0 / 101) < 1e-9)
    }
}
