import FoundationEssentials
import HunchModel
import Testing

@testable import Prediction

/// Tests of items to which the user returns.
@Suite("Recurring items") struct ItemHabitsTests {
    private func play(
        _ item: String, day: Int, hour: Int = 17, device: String? = "gym", trigger: Trigger? = .device("gym"),
        app: AppID = "player", after minutes: Int = 0
    ) -> Donation {
        Donation(
            application: app, kind: .playMedia, parameters: ["item": item, "title": "\(item) on day \(day)"],
            date: start.addingTimeInterval(Double((day * 24 + hour) * 60 + minutes) * 60),
            context: Context(
                trigger: trigger, device: device.map { AudioDevice.ID($0) }, hour: hour, weekday: day % 7 + 1),
            combination: ["item"])
    }

    private func news(day: Int) -> Donation {
        play("news", day: day, hour: 20, device: "speaker", trigger: .device("speaker"))
    }

    private func choice(
        _ habits: ItemHabits, day: Int, hour: Int = 17, trigger: Trigger? = .device("gym"), app: AppID = "player"
    ) -> ItemHabits.Choice? {
        let instance = play("", day: day, hour: hour, trigger: trigger)
        return habits.choices(instance.context, deviceName: "Gym Buds", at: instance.date)[app]
    }

    @Test("An item that recurred twice is suggested with its counts")
    func usual() throws {
        var habits = ItemHabits()
        for day in 0..<3 {
            #expect(choice(habits, day: day) == nil, "\(day)")
            habits.learn(play("gym", day: day))
            habits.learn(news(day: day))
        }
        let gym = try #require(choice(habits, day: 3))
        #expect(gym.donation == play("gym", day: 2), "the latest, with its words")
        #expect(gym.share > 0.8 && gym.share < 1, "\(gym)")
        #expect(gym.explanation.texts.first == "3 of 3 times after connecting Gym Buds", "\(gym)")
        // It ranks before the news, which was played elsewhere.
        let sum = gym.explanation.reasons.reduce(gym.explanation.remainder ?? 0) { $0 + ($1.weight ?? 0) }
        #expect(abs(try #require(gym.explanation.margin) - sum) < 1e-9)
        #expect((0.1..<12).contains(try #require(gym.explanation.margin)), "\(gym)")
        let speaker = try #require(choice(habits, day: 3, hour: 20, trigger: .device("speaker")))
        #expect(speaker.donation.parameters["item"] == "news" && speaker.donation.mediaItem == "news")
        #expect(
            choice(habits, day: 3, trigger: nil) == nil && choice(habits, day: 3, trigger: .session(.unlocked)) == nil)
        #expect(habits.latest(of: "player") == news(day: 2) && habits.latest(of: "other") == nil)
        // An occasional other item is counted.
        habits.learn(play("rock", day: 3))
        for day in 4..<6 { habits.learn(play("gym", day: day)) }
        let later = try #require(choice(habits, day: 6))
        #expect(later.explanation.texts.contains("5 of 6 times after connecting Gym Buds"), "\(later)")
        #expect(later.share > 0.5 && later.share < 0.9, "\(later)")
    }

    @Test("New items and continued items are not recurring")
    func new() {
        var (episodes, book) = (ItemHabits(), ItemHabits())
        for day in 0..<20 {
            episodes.learn(play("episode-\(day)", day: day))
            book.learn(play("book", day: day))
            #expect(choice(episodes, day: day + 1) == nil && choice(book, day: day + 1) == nil)
        }
        // A station that is played now and then among episodes is not the usual item.
        for day in 20..<50 {
            episodes.learn(play(day % 4 == 0 ? "station" : "episode-\(day)", day: day))
            #expect(choice(episodes, day: day + 1) == nil, "\(day)")
        }
    }

    @Test("Plays within half an hour on one device are one sitting")
    func sittings() throws {
        var habits = ItemHabits()
        for day in 0..<4 {
            habits.learn(play("gym", day: day))
            for track in 0..<9 { habits.learn(play("track-\(track * 7 % 9)", day: day, after: 1 + 4 * track)) }
        }
        let gym = try #require(choice(habits, day: 4))
        #expect(gym.share > 0.8 && gym.explanation.texts.first == "4 of 4 times after connecting Gym Buds", "\(gym)")
        habits.learn(play("gym", day: 4))
        habits.learn(play("late", day: 4, hour: 18))
        #expect(
            try #require(choice(habits, day: 5)).explanation.texts.contains("5 of 6 times after connecting Gym Buds"))
    }

    @Test("A changed habit is followed")
    func change() throws {
        var habits = ItemHabits()
        var wrong = 0
        for day in 0..<40 {
            let wanted = day < 20 ? "old" : "new"
            if day > 20, choice(habits, day: day)?.donation.mediaItem == "old" { wrong += 1 }
            habits.learn(play(wanted, day: day))
            habits.learn(news(day: day))
        }
        #expect(try #require(choice(habits, day: 40)).donation.mediaItem == "new")
        #expect(wrong < 6, "\(wrong)")
    }

    @Test("The hour separates items of one device")
    func hours() throws {
        var habits = ItemHabits()
        for day in 0..<21 {
            habits.learn(play("news", day: day, hour: 7))
            habits.learn(play("gym", day: day, hour: 17))
        }
        #expect(try #require(choice(habits, day: 21, hour: 7)).donation.mediaItem == "news")
        // The headphones are a reason to suggest now. The hour is the reason for this item, and so the strongest.
        let gym = try #require(choice(habits, day: 21, hour: 17)).explanation
        #expect(
            gym.texts.contains { $0 == "8 of 16 times after connecting Gym Buds" || $0.contains("of 42 times after") },
            "\(gym)")
        let weights = gym.reasons.map { $0.weight ?? 0 }
        #expect(weights == weights.sorted(by: >) && weights[0] > 0, "\(gym)")
        #expect(gym.reasons.contains { $0.text.hasSuffix("around 17:00") && ($0.weight ?? 0) > 0 }, "\(gym)")
        #expect((0.1..<12).contains(try #require(gym.margin)), "\(gym)")
        #expect(try #require(choice(habits, day: 21, hour: 17)).donation.mediaItem == "gym")
    }

    @Test("Actions other than plays and large donations are ignored")
    func others() {
        var habits = ItemHabits()
        for day in 0..<9 {
            var other = play("page", day: day)
            other.kind = .openItem
            habits.learn(other)
            habits.learn(play(String(repeating: "x", count: 9_000), day: day))
            #expect(habits.latest(of: "player") == nil)
        }
        #expect(habits.choices(Context(trigger: .device("gym")), at: start) == [:])
    }

    @Test("Memory stays bounded and a recurring item is still found")
    func bounds() throws {
        var habits = ItemHabits()
        for number in 0..<3_000 {
            let (day, app) = (number / 10, "app-\(number % 700)")
            habits.learn(
                play("track-\(number)", day: day, device: "d\(number)", trigger: .device("d\(number)"), app: AppID(app))
            )
            if number % 10 == 0 {
                habits.learn(play("gym", day: day))
                habits.learn(news(day: day))
            }
        }
        #expect(try #require(choice(habits, day: 301)).donation.mediaItem == "gym")
        #expect(habits.size.items <= 512 && habits.size.apps <= 256 && habits.size.places <= 256, "\(habits.size)")
    }
}
