// Fills a new history with synthetic donations, the same in every run except for their dates: history-fill PATH COUNT.
//
// They simulate a user who plays new episodes and songs every day in 40 apps on six devices, and asks for directions
// now and then. The history is enabled afterwards.
import FoundationEssentials
import Glibc
import History
import HunchModel

/// Small numbers come often, as favourites do: about as one over their rank.
func rank(below count: Int, _ random: inout LinearCongruentialGenerator) -> Int {
    let spread = Double(UInt32.max)
    let uniform = Double(random.next() >> 32) / spread
    return min(count - 1, Int(pow(Double(count), uniform)) - 1)
}

/// Knuth's MMIX generator.
struct LinearCongruentialGenerator: RandomNumberGenerator {
    var state: UInt64 = 1
    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state
    }
}

func donation(_ number: Int, of count: Int, now: Date, _ random: inout LinearCongruentialGenerator) -> Donation {
    // Over the last 100 days, the newest an hour ago: nothing is old enough to be thrown away.
    let date = now.addingTimeInterval(-3_600 - Double(count - number) * 100 * 86_400 / Double(count))
    let hours = Int(date.timeIntervalSince1970 / 3_600)
    let device = rank(below: 6, &random)
    let context = Context(
        trigger: device == 0 ? nil : .device("00:11:22:33:44:0\(device)"),
        device: device == 0 ? nil : "00:11:22:33:44:0\(device)", hour: hours % 24, weekday: 1 + (hours / 24 + 4) % 7)
    if rank(below: 20, &random) == 19 {
        return Donation(
            application: "org.example.Maps\(rank(below: 5, &random))", kind: .getDirections,
            parameters: ["mode": "car", "to": "place \(rank(below: 500, &random))"], date: date, context: context)
    }
    let application = rank(below: 40, &random)
    let item = "https://media.example/\(application)/\(number / (1 + rank(below: 8, &random)))"
    return Donation(
        application: "org.example.Player\(application)", kind: .playMedia,
        parameters: ["item": item, "title": "Episode \(number)"], date: date, context: context)
}

do {
    guard CommandLine.arguments.count == 3, let count = Int(CommandLine.arguments[2]), count > 0 else { exit(2) }
    let now = Date()
    let store = try HistoryStore.open(at: CommandLine.arguments[1], now: now).store
    try store.setEnabled(true)
    var random = LinearCongruentialGenerator()
    for start in stride(from: 0, to: count, by: HistoryLimits.batch) {
        let batch = (start..<min(count, start + HistoryLimits.batch)).map { donation($0, of: count, now: now, &random) }
        guard try store.record(batch, now: now).allSatisfy(\.isRecorded) else { exit(1) }
    }
    print("\(try store.counts().donations) donations")
    try store.close()
} catch {
    print("history-fill: \(error)")
    exit(1)
}
