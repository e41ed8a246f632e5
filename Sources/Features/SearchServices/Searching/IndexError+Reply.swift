package import Agent
internal import AgentInterface
package import HunchDBus
package import HunchModel
package import SearchIndexes

extension CodedError: FeatureError where Subject == Indexing {
    package var reply: DBusError {
        switch code {
        case .invalidInput: DBusError(.invalidInput, message)
        case .tooLarge: DBusError(.limitsExceeded, message)
        case .busy: DBusError(.busy, message)
        default: DBusError(.storeFailed, message)
        }
    }
}
