import Prediction

/// A report as `hunch evaluate --json` writes it: every key always there.
struct EvaluationFields: Encodable {
    struct Method: Encodable {
        let micro: Rates
        let macro: Rates
    }

    struct Rates: Encodable {
        let hr1: Double
        let hr3: Double
        let hr4: Double
        let hr5: Double
        let mrr10: Double

        init(_ rates: HitRates) {
            hr1 = rates.first
            hr3 = rates.firstThree
            hr4 = rates.firstFour
            hr5 = rates.firstFive
            mrr10 = rates.reciprocalRank
        }
    }

    let users: Int
    let events: Int
    let predicted: Int
    let learned: Int
    let unseen: Int
    let offers: Int
    let falseOffers: Int
    let falseOfferRate: Double
    let methods: [String: Method]
    let microsecondsPerPrediction: Double
    let microsecondsPerUpdate: Double
    let bytesPerUser: Int
    let greatestBytesPerUser: Int

    init(_ report: EvaluationReport) {
        users = report.users
        events = report.events
        predicted = report.predicted
        learned = report.learned
        unseen = report.unseen
        offers = report.offers
        falseOffers = report.falseOffers
        falseOfferRate = Double(report.falseOffers) / Double(max(report.offers, 1))
        let fields = report.methods.map { method, rates in
            (method.rawValue, Method(micro: Rates(rates.micro), macro: Rates(rates.macro)))
        }
        methods = Dictionary(uniqueKeysWithValues: fields)
        microsecondsPerPrediction = report.microsecondsPerPrediction
        microsecondsPerUpdate = report.microsecondsPerUpdate
        bytesPerUser = report.bytesPerUser
        greatestBytesPerUser = report.greatestBytesPerUser
    }
}

/// A ranking as `hunch evaluate --ranked` writes it.
struct RankedLine: Encodable {
    let line: Int
    let ranked: [String]
}
