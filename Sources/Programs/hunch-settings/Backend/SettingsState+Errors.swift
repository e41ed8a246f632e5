import HunchDBus
import SettingsPages

extension SettingsState.Agent {
    /// Creates the state of an agent that did not answer, from the error of the call.
    init(_ error: any Error) {
        self =
            switch (error as? DBusError)?.name {
            case .serviceUnknown?: .notInstalled
            case .accessDenied?: .refused((error as? DBusError)?.message ?? "")
            case .nameHasNoOwner?: .stopped
            case .disconnected?: .noBus
            default: .unresponsive
            }
    }
}
