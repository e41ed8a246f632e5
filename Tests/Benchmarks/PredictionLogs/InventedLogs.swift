import FoundationEssentials
import Glibc
import HunchModel
import Prediction
import SeededRandom

/// Logs of simulated users.
enum InventedLogs {
    static func action(_ number: Int) -> Action {
        Action(application: "a\(number)", kind: Donation.Kind(rawValue: "logged"))
    }

    /// App launches in context, without a clock: all actions of a context are predicted before any is learned.
    static func contexts(users: Int) -> [LoggedEvent] {
        var random = SplitMix64(seed: 1)
        let names = ["daytime", "weekday", "isweekend", "homework", "weather", "country", "city"]
        let sizes = [7, 7, 2, 3, 8, 2, 4]
        return (0..<users).flatMap { user -> [LoggedEvent] in
            let apps = Int.random(in: 8...40, using: &random)
            let popularity = (0..<apps).map { 2.5 / Double($0 + 1).squareRoot() }
            // Some apps go with a value of a context, and a few with two together.
            let affinities = (0..<apps).map { _ in
                (0..<2).map { _ -> (Int, Int, Double) in
                    let name = Int.random(in: 0..<names.count, using: &random)
                    return (
                        name, Int.random(in: 0..<sizes[name], using: &random), Double.random(in: 0...3, using: &random)
                    )
                }
            }
            return (0..<Int.random(in: 15...60, using: &random)).flatMap { _ -> [LoggedEvent] in
                var values = sizes.map { Int.random(in: 0..<$0, using: &random) }
                values[2] = values[1] > 4 ? 1 : 0
                values[5] = Double.random(in: 0...1, using: &random) < 0.95 ? 0 : 1
                values[6] = Double.random(in: 0...1, using: &random) < 0.8 ? 0 : values[6]
                let weights = (0..<apps).map { app in
                    exp2(popularity[app] * 2 + affinities[app].reduce(0) { $0 + (values[$1.0] == $1.1 ? $1.2 : 0) })
                }
                var chosen: Set<Int> = []
                for _ in 0..<Int.random(in: 1...4, using: &random) { chosen.insert(pick(weights, &random)) }
                let circumstances = Circumstances(
                    values: Dictionary(uniqueKeysWithValues: zip(names, values.map { "\($0)" })))
                return [LoggedEvent.Phase.predict, .learn].flatMap { phase in
                    chosen.sorted().shuffled(using: &random).map {
                        LoggedEvent(user: "\(user)", action: action($0), circumstances: circumstances, phase: phase)
                    }
                }
            }
        }
    }

    /// Streams of commands: habits of two to six in a row, restarted, interrupted and mixed with others; they change.
    static func sequences(users: Int, events: Int) -> [LoggedEvent] {
        var random = SplitMix64(seed: 2)
        return (0..<users).flatMap { user -> [LoggedEvent] in
            let commands = Int.random(in: 80...400, using: &random)
            let weights = (0..<commands).map { 1 / Double($0 + 1) }
            var habits: [[Int]] = []
            var stream: [Int] = []
            while stream.count < events {
                if habits.isEmpty || Int.random(in: 0..<200, using: &random) == 0 {
                    habits =
                        (habits.shuffled(using: &random).prefix(8)
                            + (0..<8).map { _ in
                                (0..<Int.random(in: 2...6, using: &random)).map { _ in pick(weights, &random) }
                            })
                }
                if Double.random(in: 0...1, using: &random) < 0.5 {
                    stream.append(pick(weights, &random))
                } else {
                    for command in habits[Int.random(in: 0..<habits.count, using: &random)] {
                        if Double.random(in: 0...1, using: &random) < 0.1 { break }
                        stream.append(command)
                        if Double.random(in: 0...1, using: &random) < 0.15 { stream.append(command) }
                    }
                }
            }
            return stream.map { LoggedEvent(user: "\(user)", action: action($0)) }
        }
    }

    /// Habits in a row with a trigger before 4 % of the events, which decides in 90 % of these.
    static func rareTrigger(users: Int, events: Int) -> [LoggedEvent] {
        var random = SplitMix64(seed: 3)
        return (0..<users).flatMap { user -> [LoggedEvent] in
            let weights = (0..<25).map { 1 / Double($0 + 1) }
            let next = (0..<25).map { _ in pick(weights, &random) }
            let wanted = Int.random(in: 5..<25, using: &random)
            var last = 0
            return (0..<events).map { _ in
                let isTriggered = Double.random(in: 0...1, using: &random) < 0.04
                if isTriggered, Double.random(in: 0...1, using: &random) < 0.9 {
                    last = wanted
                } else {
                    last = Double.random(in: 0...1, using: &random) < 0.3 ? next[last] : pick(weights, &random)
                }
                return LoggedEvent(
                    user: "\(user)", action: action(last),
                    circumstances: Circumstances(trigger: isTriggered ? .device("headphones") : nil))
            }
        }
    }

    /// The first weeks of people with a habit for each of eight hours, kept four times in five; the weekday and the
    /// place carry no information.
    static func weeks(users: Int, events: Int) -> [LoggedEvent] {
        var random = SplitMix64(seed: 6)
        return (0..<users).flatMap { user -> [LoggedEvent] in
            let byHour = (0..<8).map { _ in Int.random(in: 0..<12, using: &random) }
            return (0..<events).map { _ in
                let hour = Int.random(in: 0..<8, using: &random)
                let isUsual = Int.random(in: 0..<5, using: &random) > 0
                return LoggedEvent(
                    user: "\(user)", action: action(isUsual ? byHour[hour] : Int.random(in: 0..<12, using: &random)),
                    circumstances: Circumstances(values: [
                        "hour": "\(hour)", "weekday": "\(Int.random(in: 1...7, using: &random))",
                        "place": Bool.random(using: &random) ? "home" : "work",
                    ]))
            }
        }
    }

    /// Days by the clock: what is done depends on hour and day, on the place, and on what was done before.
    static func days(users: Int, days: Int) -> [LoggedEvent] {
        var random = SplitMix64(seed: 4)
        return (0..<users).flatMap { user -> [LoggedEvent] in
            let apps = 30
            let base = (0..<apps).map { 1 / Double($0 + 1) }
            let byHour = (0..<24).map { _ in pick(base.map { $0.squareRoot() }, &random) }
            let next = (0..<apps).map { _ in pick(base, &random) }
            return (0..<days).flatMap { day -> [LoggedEvent] in
                let weekday = (day + 4) % 7 + 1
                return (7..<24).flatMap { hour -> [LoggedEvent] in
                    var last = 0
                    return (0..<Int.random(in: 0...2, using: &random)).map { index in
                        let draw = Double.random(in: 0...1, using: &random)
                        let isWeekend = weekday == 1 || weekday == 7
                        last =
                            draw < 0.4
                            ? byHour[isWeekend ? (hour + 7) % 24 : hour]
                            : draw < 0.7 && index > 0 ? next[last] : pick(base, &random)
                        let place = isWeekend || hour < 9 || hour > 17 ? "home" : "work"
                        return LoggedEvent(
                            user: "\(user)", action: action(last),
                            circumstances: Circumstances(
                                values: ["hour": "\(hour)", "weekday": "\(weekday)", "place": place]),
                            date: Date(timeIntervalSince1970: Double(day * 86_400 + hour * 3_600 + index * 300)))
                    }
                }
            }
        }
    }

    private static func exp2(_ number: Double) -> Double { Glibc.exp2(number) }

    private static func pick(_ weights: [Double], _ random: inout SplitMix64) -> Int {
        var rest = Double.random(in: 0..<weights.reduce(0, +), using: &random)
        for (index, weight) in weights.enumerated() {
            rest -= weight
            if rest < 0 { return index }
        }
        return weights.count - 1
    }
}
