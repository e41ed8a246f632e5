import Appointments
import FoundationEssentials
import HunchModel
import Suggestions
import Testing

/// A day with seven appointments, two of them close to each other, while headphones connect ten times.
@Suite("Day of appointments") struct AppointmentDayTests {
    /// The answer of the user to each suggestion.
    enum Answer: CaseIterable {
        case ignored, closed, accepted
    }

    /// The minutes at which the suggestions of the day are due.
    private static let due: [String: Double] = [
        "Standup": 58, "Review": 68, "Dentist": 130, "Call": 238, "Weekly": 245, "Lunch": 250, "Bar": 260,
    ]
    private static let headphones = [20, 31, 42, 53, 57.5, 58.5, 129, 130.5, 239, 249]

    private static let plans = [
        call("Standup", 60), call("Review", 70), place("Dentist", 180), call("Call", 240), call("Weekly", 247),
        place("Lunch", 300), place("Bar", 310),
    ]

    private static func date(_ minute: Double) -> Date {
        Date(timeIntervalSince1970: 1_795_514_400 + minute * 60)
    }

    private static func call(_ title: String, _ minute: Double) -> AppointmentPlan {
        AppointmentPlan(
            event: CalendarEvent(title: title, start: date(minute), meetingURL: "https://meet.example/\(title)"),
            route: .none)
    }

    /// Half an hour away.
    private static func place(_ title: String, _ minute: Double) -> AppointmentPlan {
        AppointmentPlan(
            event: CalendarEvent(title: title, start: date(minute), place: MapItem(name: title)),
            route: .known(distance: 8_000, seconds: 30 * 60, by: .car))
    }

    @Test(
        "Each appointment is suggested once, when it is due, whatever became of others",
        arguments: Answer.allCases)
    func day(answer: Answer) throws {
        var day = Day(answer: answer)
        for half in 0...700 {
            let minute = Double(half) / 2
            if Self.headphones.contains(minute) { try day.connectHeadphones(at: Self.date(minute)) }
            try day.pass(Self.plans, to: Self.date(minute))
        }
        for (title, minute) in Self.due {
            #expect(day.shown[title]?.first == Self.date(minute), "\(title)")
        }
        #expect(day.shown["music"]?.isEmpty == false)
        #expect(day.shown.filter { $0.key != "music" }.values.allSatisfy { $0.count == 1 }, "none is repeated")
    }

    /// The board and the policy, connected as in the agent.
    private struct Day {
        let answer: Answer
        /// The dates at which each title was shown.
        var shown: [String: [Date]] = [:]
        private var board = SuggestionBoard()
        private var policy = AppointmentPolicy()
        private var replaced: Set<Suggestion.ID> = []
        private var count = 0

        init(answer: Answer) { self.answer = answer }

        private var open: Set<Suggestion.ID> { Set(board.lives.filter(\.state.isOpen).map(\.id)) }

        mutating func connectHeadphones(at now: Date) throws {
            count += 1
            _ = try offer(
                Suggestion(
                    id: "music\(count)", title: "music", subtitle: "", application: "player", applicationName: "Player",
                    source: "", score: 0.95, explanation: [], context: Context(trigger: .device("AA")),
                    expiry: now.addingTimeInterval(600),
                    action: .play(item: "e41", info: NowPlayingInfo(title: "e41"), context: PlaybackContext())),
                at: now)
        }

        mutating func pass(_ plans: [AppointmentPlan], to now: Date) throws {
            _ = board.expire(at: now)
            #expect(policy.update(plans, open: open, replaced: replaced, at: now).isEmpty)
            while let candidate = policy.due(at: now) {
                let open = open
                if let end = policy.wait(of: candidate, for: open, at: now) {
                    policy.postpone(candidate, until: end, at: now)
                } else if try offer(suggestion(candidate), at: now) {
                    policy.noteMade(candidate, replacing: open.subtracting(self.open), at: now)
                } else {
                    policy.postpone(candidate, at: now)
                }
            }
        }

        private func suggestion(_ candidate: AppointmentCandidate) -> Suggestion {
            let action: Suggestion.Action =
                candidate.step == .join
                ? .openPage(uri: "https://meet.example", .join)
                : .openDirections(DirectionsLaunch(desktopID: "browser", uri: "geo:1,2"))
            return Suggestion(
                id: candidate.id, title: candidate.plan.event.title, subtitle: "", application: "browser",
                applicationName: "Browser", source: "", score: 0.8, explanation: [],
                context: Context(trigger: .appointment), expiry: candidate.end, action: action)
        }

        private mutating func offer(_ suggestion: Suggestion, at now: Date) throws -> Bool {
            let former = board.standing
            guard case .offered = board.offer(suggestion, at: now) else { return false }
            let ended = former.filter { board.life(of: $0.id) == nil }
            #expect(ended.filter(\.suggestion.isUrgent).isEmpty, "\(suggestion.title) replaced it")
            replaced.formUnion(ended.map(\.id))
            shown[suggestion.title, default: []].append(now)
            _ = try board.apply(.show, to: suggestion.id, at: now)
            switch answer {
            case .ignored: break
            case .closed: _ = try board.apply(.dismiss(reason: "closed"), to: suggestion.id, at: now)
            case .accepted:
                _ = try board.apply(.accept, to: suggestion.id, at: now)
                _ = try board.apply(.finish, to: suggestion.id, at: now)
            }
            return true
        }
    }
}
