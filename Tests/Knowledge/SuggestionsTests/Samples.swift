import FoundationEssentials
import HunchModel
import Suggestions

/// 2025-06-02 09:30:00 UTC.
let start = Date(timeIntervalSince1970: 1_748_856_600)

func after(_ seconds: Double) -> Date { start.addingTimeInterval(seconds) }

extension Suggestion {
    static func sample(
        _ id: String = "s1", app: AppID = "org.example.Player", trigger: Trigger? = .device("AA"), score: Double = 0.5,
        expiring seconds: Double = 600
    ) -> Suggestion {
        Suggestion(
            id: id, title: "Resume “Episode 41”", subtitle: "Podcasts", application: app, applicationName: "Player",
            source: "From Player", score: score, explanation: ["4 of 4 times after connecting WH-1000XM4"],
            context: Context(trigger: trigger), expiry: after(seconds),
            action: .play(item: "e41", info: NowPlayingInfo(title: "Episode 41"), context: PlaybackContext()))
    }
}

extension SuggestionBoard {
    /// Offers and shows; true when it was not held.
    mutating func offerAndShow(_ suggestion: Suggestion, at date: Date) throws -> Bool {
        guard case .offered = offer(suggestion, at: date) else { return false }
        _ = try apply(.show, to: suggestion.id, at: date)
        return true
    }
}

extension [SuggestionEffect] {
    var engagements: [Engagement] { compactMap { if case .engaged(let engagement) = $0 { engagement } else { nil } } }
    var outcomes: [Engagement.Outcome] { engagements.map(\.outcome) }
    var muted: [SuggestionPair] { compactMap { if case .muted(let muted) = $0 { muted.pair } else { nil } } }
    var states: [String] { compactMap { if case .changed(let life) = $0 { life.state.name } else { nil } } }
}
