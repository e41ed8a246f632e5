internal import History
internal import HunchModel
internal import Prediction
internal import Suggestions

/// Recording that the person opened directions or began a call.
extension SuggestionDesk {
    /// Whether the person opened directions with the app of a suggestion before.
    func isHabit(_ suggestion: Suggestion) async -> Bool {
        let choices = await habits.routes.choices(for: opened[suggestion.id] ?? [:], await present.now())
        return choices[suggestion.application] != nil
    }

    /// Writes down that directions were opened, or that a call was begun.
    func donate(_ kind: Donation.Kind, _ suggestion: Suggestion) async {
        guard let parameters = opened[suggestion.id],
            let names = KindDeclaration.standard[kind]?.combinations.first(where: { names in
                names.allSatisfy { parameters[$0] != nil }
            })
        else { return }
        // It belongs to the moment at which it was offered, unless that was what an app had on the screen.
        let trigger: Trigger? = suggestion.context.trigger.flatMap {
            if case .activity = $0 { nil } else { $0 }
        }
        let donation = Donation(
            application: suggestion.application, kind: kind, parameters: parameters, date: configuration.now(),
            context: await present.now(trigger: trigger), combination: names.sorted())
        do {
            try await habits.record(donation)
        } catch {
            await note?("what was opened could not be recorded: \(error)")
        }
    }

    /// Says what will have been done once suggestions were carried out that are about to be offered: for each the parameters
    /// of a donation.
    func setDonations(_ donations: [Suggestion.ID: [String: String]]) {
        let standing = Set(board.lives.map(\.id))
        opened = opened.filter { standing.contains($0.key) }
        opened.merge(donations.filter { !$0.value.isEmpty }) { $1 }
    }
}
