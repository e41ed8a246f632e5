/// How often what invented people want is offered to them, and how often something else.
struct OfferRates: CustomStringConvertible {
    var wanted = 0
    var offered = 0
    var taken = 0

    /// Of what was wanted.
    var hits: Double { Double(taken) / Double(max(wanted, 1)) }
    /// Of what was offered.
    var falseOffers: Double { Double(offered - taken) / Double(max(offered, 1)) }

    static func += (rates: inout OfferRates, other: OfferRates) {
        rates.wanted += other.wanted
        rates.offered += other.offered
        rates.taken += other.taken
    }

    var description: String {
        let percent = [hits, falseOffers].map { Int(($0 * 100).rounded()) }
        return "\(percent[0]) % of \(wanted) hit, \(percent[1]) % of \(offered) offers false"
    }
}
