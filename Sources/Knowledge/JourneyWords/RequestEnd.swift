internal import HunchModel

/// An end of a route, without the words for a travel mode or a time next to it: “Hamburg by train”, “明日9時に大阪”.
struct RequestEnd {
    /// The words of the place.
    let name: String
    /// Whether other words are next to the place.
    let hasWords: Bool
    let modes: Set<TransportMode>
    let time: JourneyTime?
    let ignored: String?

    init(_ text: String) {
        let request = RequestWords(text)
        hasWords = request.time != nil || request.ignored != nil || request.hasPhrase && !request.modes.isEmpty
        let words = hasWords ? request.opening + request.places : []
        name = words.isEmpty ? text : words.joined(separator: " ")
        modes = hasWords && request.hasPhrase ? request.modes : []
        (time, ignored) = (request.time, request.ignored)
    }
}
