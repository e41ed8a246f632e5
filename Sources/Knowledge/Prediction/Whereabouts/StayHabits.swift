internal import FoundationEssentials
internal import HunchModel

/// The time that a user spends at each place in home hours and in work hours.
struct StayHabits: Sendable {
    private struct Habit: Sendable {
        var stays = 0
        /// The time from 20:00 to 8:00, in seconds.
        var atHomeTime = 0.0
        /// The time from 9:00 to 17:00 on Monday to Friday, in seconds.
        var atWorkTime = 0.0
        var last: Date
    }

    /// The longest part of a stay that is counted, in seconds.
    private static let longest = 72.0 * 3_600
    private static let leastStays = 3
    private static let leastTime = 6.0 * 3_600

    private let localTime: Whereabouts.LocalTime
    private var habits: [Int: Habit] = [:]

    init(localTime: @escaping Whereabouts.LocalTime) { self.localTime = localTime }

    mutating func add(_ stay: Stay) {
        var habit = habits[stay.place] ?? Habit(last: stay.end)
        habit.stays += 1
        habit.last = max(habit.last, stay.end)
        let length = min(stay.end.timeIntervalSince(stay.begin), Self.longest)
        for hour in stride(from: 0, to: length, by: 3_600) {
            let part = min(length - hour, 3_600)
            let time = localTime(stay.begin.addingTimeInterval(hour + part / 2))
            if time.hour >= 20 || time.hour < 8 {
                habit.atHomeTime += part
            } else if (2...6).contains(time.weekday), (9..<17).contains(time.hour) {
                habit.atWorkTime += part
            }
        }
        habits[stay.place] = habit
    }

    mutating func remove(_ place: Int) { habits[place] = nil }

    /// Returns the end of the last stay at a place; `nil` if there was none.
    func last(_ place: Int) -> Date? { habits[place]?.last }

    func home(among places: [Int]) -> Int? { most(\.atHomeTime, among: places) }
    func work(among places: [Int]) -> Int? { most(\.atWorkTime, among: places) }

    private func most(_ time: KeyPath<Habit, Double>, among places: [Int]) -> Int? {
        let known = places.compactMap { place in habits[place].map { (place: place, habit: $0) } }
        return known.filter { $0.habit.stays >= Self.leastStays && $0.habit[keyPath: time] >= Self.leastTime }
            .max { ($0.habit[keyPath: time], $1.place) < ($1.habit[keyPath: time], $0.place) }?.place
    }
}
