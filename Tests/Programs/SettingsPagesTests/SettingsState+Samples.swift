import AgentInterface
import HunchModel

@testable import SettingsPages

extension SettingsState {
    /// A state with an agent that answers.
    static func running(_ change: (inout AgentStatus) -> Void = { _ in }) -> SettingsState {
        var status = AgentStatus()
        status.isEnabled = true
        status.donations = 0
        change(&status)
        var state = SettingsState()
        state.agent = .running(status)
        return state
    }
}

extension Page {
    /// The row with an identifier, in any section or expanded row.
    func row(_ id: Row.ID) -> Row? {
        let rows = sections.flatMap(\.rows)
        return (rows + rows.flatMap(\.children)).first { $0.id == id }
    }
}
