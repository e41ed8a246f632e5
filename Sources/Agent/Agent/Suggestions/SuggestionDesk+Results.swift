package import FoundationEssentials
package import HunchModel

/// The results of triggers.
extension SuggestionDesk {
    /// Notes the result of a trigger.
    ///
    /// - Parameter occasion: the date of the trigger, if the decision was postponed.
    package func note(
        _ trigger: Trigger?, after occasion: Date? = nil, isTakenUp: Bool = false, wasOffered: Bool = false, hold: Hold?
    ) {
        guard let trigger else { return }
        log.note(
            TriggerResult(
                trigger, at: configuration.now(), after: occasion, isTakenUp: isTakenUp, wasOffered: wasOffered,
                hold: hold))
    }

    /// Discards the results of earlier triggers.
    package func forgetTriggers() { log = TriggerLog() }

    /// Discards the results of earlier triggers because the user forgot something, or excluded an app or a folder.
    package func dropTriggers(excluding excluded: AppID? = nil) {
        forgetTriggers()
        dropped = (configuration.now(), excluded)
    }
}
