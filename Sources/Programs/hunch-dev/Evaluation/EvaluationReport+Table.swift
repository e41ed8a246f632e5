import CommandSupport
internal import HunchModel
import Prediction

extension EvaluationReport {
    /// The report for a user: a table of the methods, and the time and memory used.
    func lines(for terminal: Terminal) -> [String] {
        var table = Table(
            "Method", "HR@1", "HR@3", "HR@4", "HR@5", "MRR@10", "HR@1 a user", "HR@3 a user", "HR@5 a user",
            "MRR@10 a user")
        for method in EvaluationMethod.allCases {
            guard let rates = methods[method] else { continue }
            let (micro, macro) = (rates.micro, rates.macro)
            table.add(
                method.name, share(micro.first), share(micro.firstThree), share(micro.firstFour),
                share(micro.firstFive), share(micro.reciprocalRank), share(macro.first), share(macro.firstThree),
                share(macro.firstFive), share(macro.reciprocalRank))
        }
        let people = users == 1 ? "1 user" : "\(users) users"
        return table.lines(for: terminal) + [
            "\(events) events of \(people): \(predicted) predicted, \(unseen) of them done for the first time",
            suggested,
            "\(tenths(microsecondsPerPrediction)) µs a prediction, \(tenths(microsecondsPerUpdate)) µs an update, "
                + "\((bytesPerUser + 512) / 1_024) kB a user",
        ]
    }

    private var suggested: String {
        guard offers > 0 else { return "Hunch would have suggested nothing: it was never sure enough" }
        let share = Int(clamping: falseOfferRate * 100)
        let times = offers == 1 ? "once" : "\(offers) times"
        return "Hunch would have suggested something \(times); \(share) % of the suggestions were wrong"
    }

    /// Returns a share with three decimals.
    private func share(_ share: Double) -> String {
        let thousandths = Int(clamping: share * 1_000)
        let digits = "\(thousandths % 1_000)"
        return "\(thousandths / 1_000)." + String(repeating: "0", count: 3 - digits.count) + digits
    }

    private func tenths(_ number: Double) -> String {
        let tenths = Int(clamping: number * 10)
        return "\(tenths / 10).\(tenths % 10)"
    }
}
