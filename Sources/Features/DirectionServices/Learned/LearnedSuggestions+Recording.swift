internal import Agent
internal import History
internal import HunchModel
internal import Learning
internal import Prediction
internal import Localization

/// Recording that the user opened directions or began a call from a suggestion.
extension LearnedSuggestions {
    /// Records the donation of a suggestion that was carried out.
    func record(_ suggestion: Suggestion, isAutomatic: Bool) async {
        let kind: Donation.Kind
        switch suggestion.action {
        case .play, .open, .openPage, .save, .remind: return
        case .openDirections:
            // Nothing is learned from an automatic choice, unless it is a habit of the user.
            if isAutomatic, await !isHabit(suggestion) { return }
            kind = .getDirections
        case .call: kind = .startCall
        }
        let parameters = suggestion.donation
        let names = KindDeclaration.standard[kind]?.combinations.first { names in
            names.allSatisfy { parameters[$0] != nil }
        }
        guard !parameters.isEmpty, let names else { return }
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
            problems.report(localized("the opened directions or the call could not be recorded: %1", "\(error)"))
        }
    }

    /// Whether the user opened directions with the app of a suggestion before.
    private func isHabit(_ suggestion: Suggestion) async -> Bool {
        let choices = await habits.routes.choices(for: suggestion.donation, await present.now())
        return choices[suggestion.application] != nil
    }
}
