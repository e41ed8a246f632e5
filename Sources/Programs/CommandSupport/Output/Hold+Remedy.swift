package import HunchModel
import Localization

extension Hold {
    /// Returns the reason as one clause, with the command that undoes it if the user caused it.
    package func withRemedy(_ apps: inout AppNames) -> String {
        let clause = clause { apps.name(of: $0) }
        let words = clause.hasSuffix(".") ? String(clause.dropLast()) : clause
        let command: String? =
            switch self {
            case .suggestionsOff(let device): "hunch device \(ShellWord(device)) --suggest on"
            case .excluded(let app): "hunch exclude --undo \(ShellWord(app.rawValue))"
            case .muted(let pair):
                "hunch muted --undo \(ShellWord(pair.subject?.name ?? apps.name(of: pair.application)))"
            default: nil
            }
        return command.map { localized("%1 (“%2” undoes that)", words, $0) } ?? words
    }
}
