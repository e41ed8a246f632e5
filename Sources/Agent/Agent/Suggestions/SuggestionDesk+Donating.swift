internal import History
internal import HunchModel
internal import Learning
internal import Prediction
internal import Suggestions

/// Recording that the user opened directions or began a call.
extension SuggestionDesk {
    /// The number of suggestions with donations from which on those that ended are dropped.
    private static let donationLimit = 256

    /// Whether the user opened directions with the app of a suggestion before.
    func isHabit(_ suggestion: Suggestion) async -> Bool {
        let choices = await habits.routes.choices(for: opened[suggestion.id] ?? [:], await present.now())
        return choices[suggestion.application] != nil
    }

    /// Records that directions were opened or a call was begun.
    func donate(_ kind: Donation.Kind, _ suggestion: Suggestion) async {
        guard let parameters = opened[suggestion.id],
            let names = KindDeclaration.standard[kind]?.combinations.first(where: { names in
                names.allSatisfy { parameters[$0] != nil }
            })
        else { return }
        // It belongs to the trigger of the suggestion, unless that was an activity or an appointment.
        let trigger: Trigger? = suggestion.context.trigger.flatMap {
            switch $0 {
            case .activity, .appointment: nil
            default: $0
            }
        }
        let donation = Donation(
            application: suggestion.application, kind: kind, parameters: parameters, date: configuration.now(),
            context: await present.now(trigger: trigger), combination: names.sorted())
        do {
            try await habits.record(donation)
        } catch {
            problems.report("the opened directions or the call could not be recorded: \(error)")
        }
    }

    /// Sets the donations to record when upcoming suggestions are carried out: for each its parameters.
    func setDonations(_ donations: [Suggestion.ID: [String: String]]) {
        // Others may be about to be offered.
        if opened.count >= Self.donationLimit { dropUnusedDonations() }
        opened.merge(donations.filter { !$0.value.isEmpty }) { $1 }
    }

    /// Drops the donations of suggestions that are not on the board: they were never made, or are over.
    func dropUnusedDonations() {
        let current = Set(board.lives.map(\.id))
        opened = opened.filter { current.contains($0.key) }
    }
}
