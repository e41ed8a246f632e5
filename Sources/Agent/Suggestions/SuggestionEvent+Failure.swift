internal import HunchModel
internal import Media
internal import Suggestions

extension SuggestionEvent {
    /// The event that follows when a suggestion could not be carried out: it may be taken again, unless the person took it
    /// back or its device has gone.
    init(failure error: any Error) {
        let words = ErrorMapping.sentence(error)
        let isFinal = error is CancellationError || (error as? MediaError)?.code == .deviceGone
        self = isFinal ? .fail(reason: words) : .retry(reason: words)
    }
}
