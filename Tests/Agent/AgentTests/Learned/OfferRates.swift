import FoundationEssentials
import HunchModel
import Suggestions

/// Measures suggestions to simulated people.
struct OfferRates: CustomStringConvertible {
    var wanted = 0
    var offered = 0
    var taken = 0

    /// As a share of the wanted actions.
    var hits: Double { Double(taken) / Double(max(wanted, 1)) }
    /// As a share of the suggestions.
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

extension SuggestionBoard {
    /// The engagement of a user who does not accept.
    enum Refusal {
        case turnedDown, ignored
    }

    /// Suggests an action of an app unless it is held. The user accepts or dismisses it.
    mutating func live(
        through identifier: String, of application: AppID, score: Double, _ context: Context, at date: Date,
        refusal: @autoclosure () -> Refusal?
    ) throws {
        let suggestion = Suggestion(
            id: identifier, title: "t", subtitle: "s", application: application, applicationName: "n", source: "f",
            score: score, explanation: [], context: context, expiry: date.addingTimeInterval(180),
            action: .play(item: "i", info: NowPlayingInfo(title: "t"), context: PlaybackContext()))
        guard case .offered = offer(suggestion, at: date) else { return }
        _ = try apply(.show, to: identifier, at: date)
        switch refusal() {
        case nil:
            _ = try apply(.accept, to: identifier, at: date)
            _ = try apply(.finish, to: identifier, at: date)
        case .turnedDown: _ = try apply(.dismiss(reason: "closed"), to: identifier, at: date)
        case .ignored: _ = expire(at: date.addingTimeInterval(181))
        }
    }
}
