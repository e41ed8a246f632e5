internal import HunchModel

/// An error in carrying out a suggestion that tells the user what to do.
package protocol SuggestionFailure: Error {
    /// Whether the suggestion cannot be retried.
    var isFinal: Bool { get }
    /// Whether a retry begins from the start.
    var playsAnew: Bool { get }
    /// A sentence for the log, without an app's own words: they may reveal what the user does.
    var logged: String { get }
}

extension SuggestionEvent {
    /// Creates the event for a failed suggestion. It can be retried, unless the user cancelled it or the error says otherwise.
    ///
    /// - Parameter sentence: the error in words for the user.
    package init(failure error: any Error, sentence: String) {
        let isFinal = error is CancellationError || (error as? any SuggestionFailure)?.isFinal == true
        self = isFinal ? .fail(reason: sentence) : .retry(reason: sentence)
    }
}
