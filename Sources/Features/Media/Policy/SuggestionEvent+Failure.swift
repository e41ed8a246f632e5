internal import HunchModel
package import Suggestions

extension SuggestionEvent {
    /// Creates the event for a failed suggestion. It can be retried, unless the user cancelled it or its device
    /// disconnected.
    ///
    /// - Parameter sentence: the error in words for the user.
    package init(failure error: any Error, sentence: String) {
        let isFinal = error is CancellationError || (error as? MediaError)?.code == .deviceGone
        self = isFinal ? .fail(reason: sentence) : .retry(reason: sentence)
    }
}
