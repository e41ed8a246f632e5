internal import FoundationEssentials
public import HunchModel

extension Activity {
    /// Values with which the app continues, as an object of JSON in ``HunchModel/Activity/payload``; empty if the payload is
    /// something else.
    public var userInfo: [String: String] {
        get { (try? JSONDecoder().decode([String: String].self, from: Data(payload))) ?? [:] }
        set {
            let encoder = JSONEncoder()
            // Equal values are equal payloads, which are not sent again.
            encoder.outputFormatting = .sortedKeys
            // Texts always have a form in JSON.
            payload = newValue.isEmpty ? [] : (try? encoder.encode(newValue)).map(Array.init) ?? []
        }
    }
}
