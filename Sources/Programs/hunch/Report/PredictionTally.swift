internal import HunchModel
import Localization
import Prediction

/// The right and wrong predictions of a history, by week and by confidence.
struct PredictionTally {
    /// The predictions of a week.
    struct Week {
        var predicted = 0
        /// The number of times that the right action was first.
        var first = 0
        /// The number of times that it was among the first three.
        var firstThree = 0
    }

    /// The predictions whose confidence lies within a tenth.
    struct Bin {
        var predicted = 0
        var right = 0
        /// The sum of the confidences.
        var confidence = 0.0
    }

    /// The weeks with predictions, by their Mondays.
    private(set) var weeks: [LocalDay: Week] = [:]
    /// The ten ranges of confidence, the lowest first.
    private(set) var bins = Array(repeating: Bin(), count: 10)

    /// Counts a prediction.
    mutating func add(_ event: EvaluatedEvent, on day: LocalDay) {
        weeks[day.monday, default: Week()].predicted += 1
        if let rank = event.rank {
            if rank == 0 { weeks[day.monday, default: Week()].first += 1 }
            if rank < 3 { weeks[day.monday, default: Week()].firstThree += 1 }
        }
        guard !event.ranked.isEmpty else { return }
        let bin = min(max(Int(clamping: event.confidence * 10, .down), 0), bins.count - 1)
        bins[bin].predicted += 1
        bins[bin].confidence += event.confidence
        if event.rank == 0 { bins[bin].right += 1 }
    }
}
