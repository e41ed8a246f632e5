internal import HunchDBus
internal import HunchModel

/// The error of an invalid setting in the environment.
package struct InvalidSetting: Error, CustomStringConvertible {
    package let description: String
}

extension AgentConfiguration {
    /// The variable with the time limit of preparing, in seconds.
    static let preparationVariable = "HUNCH_PREPARE_SECONDS"
    private static let preparationRange = 0.1...10.0

    /// Creates the configuration from an environment, including the settings that a user may make there.
    ///
    /// - Throws: ``InvalidSetting``, naming the variable.
    package init(settings environment: [String: String]) throws(InvalidSetting) {
        self.init(environment: environment)
        guard let text = environment[Self.preparationVariable] else { return }
        guard let seconds = Double(text), Self.preparationRange.contains(seconds) else {
            let given = "\(Self.preparationVariable)=\(text.cut(to: 40))"
            throw InvalidSetting(description: "\(given) is not understood; give seconds from 0.1 to 10")
        }
        preparationTime = .clamping(seconds: seconds)
    }
}
