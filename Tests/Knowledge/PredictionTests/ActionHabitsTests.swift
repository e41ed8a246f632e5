import FoundationEssentials
import HunchModel
import Testing

@testable import Prediction

/// Tests of learned actions.
@Suite("Habitual actions") struct ActionHabitsTests {
    private static let start = Date(timeIntervalSince1970: 1_748_822_400)

    private func open(_ item: String, day: Int, hour: Int = 7, trigger: Trigger? = .session(.unlocked)) -> Donation {
        Donation(
            application: "app", kind: .openItem, parameters: ["item": item, "title": "Day \(day)"],
            date: Self.start.addingTimeInterval(Double(day * 24 + hour) * 3_600),
            context: Context(trigger: trigger, hour: hour, weekday: day % 7 + 1), combination: ["item"])
    }

    private func choices(
        _ habits: ActionHabits, day: Int, hour: Int = 7, trigger: Trigger? = .session(.unlocked)
    ) -> [ActionHabits.Choice] {
        let instance = open("", day: day, hour: hour, trigger: trigger)
        return habits.choices(instance.context, at: instance.date)
    }

    @Test("Two actions at the same trigger and hour make a habit")
    func habit() throws {
        var habits = ActionHabits()
        #expect(choices(habits, day: 0) == [])
        habits.learn(open("a", day: 0))
        #expect(choices(habits, day: 1) == [])
        habits.learn(open("a", day: 1))
        let choice = try #require(choices(habits, day: 2).first)
        #expect(choice.donation == open("a", day: 1), "the latest, with its words")
        #expect(choice.likelihood > 0.5 && choice.likelihood < 0.7, "\(choice)")
        #expect(choice.explanation.texts.first == "2 of 2 times after unlocking", "\(choice)")
        #expect(choices(habits, day: 2, trigger: nil) == [])
        #expect(choices(habits, day: 2, trigger: .session(.resumed)) == [])
        #expect(choices(habits, day: 2, hour: 8).first?.likelihood == choice.likelihood)
        let noon = try #require(choices(habits, day: 2, hour: 12).first)
        #expect(noon.likelihood < 0.25, "\(noon)")
        for day in 2..<10 { habits.learn(open("a", day: day)) }
        #expect(try #require(choices(habits, day: 10).first).likelihood > 0.85)
    }

    @Test("An action at any hour fits all hours; changes are followed")
    func hours() throws {
        var habits = ActionHabits()
        for day in 0..<39 { habits.learn(open("a", day: day, hour: 8 + day % 13)) }
        for hour in 8...20 {
            #expect(try #require(choices(habits, day: 40, hour: hour).first).likelihood > 0.3, "\(hour)")
        }
        var moved = ActionHabits()
        for day in 0..<30 { moved.learn(open("a", day: day, hour: 7)) }
        #expect(try #require(choices(moved, day: 30, hour: 15).first).likelihood < 0.1)
        for day in 30..<34 { moved.learn(open("a", day: day, hour: 15)) }
        #expect(try #require(choices(moved, day: 34, hour: 15).first).likelihood > 0.5)
        // Across midnight.
        var late = ActionHabits()
        for day in 0..<5 { late.learn(open("a", day: day, hour: 23)) }
        #expect(try #require(choices(late, day: 5, hour: 0).first).likelihood > 0.6)
        #expect(try #require(choices(late, day: 5, hour: 1).first).likelihood < 0.2)
    }

    @Test("Expired weekend suggestions lower only weekend likelihood")
    func inVain() throws {
        var habits = ActionHabits()
        for day in 0..<42 where day % 7 < 5 { habits.learn(open("a", day: day)) }
        let before = try #require(choices(habits, day: 47).first).likelihood
        for day in 42..<61 {
            let now = open("", day: day)
            if day % 7 < 5 {
                habits.learn(open("a", day: day))
            } else {
                habits.learn(
                    Engagement(
                        suggestion: "s\(day)", application: "app", kind: .item, outcome: .expired, date: now.date,
                        context: now.context))
            }
        }
        let weekend = try #require(choices(habits, day: 61).first).likelihood
        let monday = try #require(choices(habits, day: 63).first).likelihood
        #expect(weekend < before - 0.15, "\(before) \(weekend)")
        #expect(monday > weekend + 0.1, "\(monday) \(weekend)")
        // Suggestions after an activity are not evidence about the trigger, and accepted ones are learned as actions.
        var same = habits
        for (trigger, outcome) in [
            (Trigger.activity("app"), Engagement.Outcome.expired), (.session(.unlocked), .accepted),
        ] {
            same.learn(
                Engagement(
                    suggestion: "s", application: "app", kind: .item, outcome: outcome, date: open("", day: 62).date,
                    context: Context(trigger: trigger, hour: 7, weekday: 7)))
        }
        #expect(choices(same, day: 63) == choices(habits, day: 63))
    }

    @Test("Plays are learned per app; large donations are not suggested")
    func plays() throws {
        var habits = ActionHabits()
        for day in 0..<4 {
            var play = open("\(day)", day: day)
            play.kind = .playMedia
            habits.learn(play)
        }
        let choice = try #require(choices(habits, day: 4).first)
        #expect(choice.donation.kind == .playMedia && choice.donation.parameters["item"] == "3")
        let context = open("", day: 4).context
        #expect(habits.likelihood(of: .playMedia, context, at: open("", day: 4).date) > 0.99)
        #expect(habits.likelihood(of: .openItem, context, at: open("", day: 4).date) == 0)
        #expect(habits.latest(like: choice.donation) == choice.donation)
        #expect(habits.latest(like: open("3", day: 0)) == nil)

        var much = ActionHabits()
        for day in 0..<4 { much.learn(open(String(repeating: "x", count: 9_000), day: day)) }
        #expect(choices(much, day: 4) == [])
    }

    @Test("Memory stays bounded with many different actions")
    func bounded() {
        var habits = ActionHabits()
        for number in 0..<3_000 { habits.learn(open("\(number)", day: number / 40)) }
        #expect(habits.latest(like: open("0", day: 0)) == nil)
        #expect(habits.latest(like: open("2999", day: 0)) != nil)
    }
}
