public import Coordinates
public import HunchModel
public import MapLinks

/// A rule of ``Places/PlaceParser`` for `directions:` links. The destination is the place.
public struct DirectionsRule: PlaceRule {
    /// `directions`.
    public let name = "directions"

    /// Creates the rule.
    public init() {}

    /// Returns the destination of a `directions:` link.
    public func place(in input: PlaceInput) throws(PlaceError) -> ParsedPlace? {
        guard input.scheme == DirectionsRequest.scheme else { return nil }
        do throws(DirectionsError) {
            let request = try DirectionsRequest(uri: input.text)
            let source: MapItem? = if case .place(let item) = request.source { item } else { nil }
            return ParsedPlace(
                item: request.destination, rule: name, source: source, modes: Set(request.modes), near: request.near)
        } catch {
            throw PlaceError(error.code == .tooLong ? .tooLong : .malformedLink, error.message, underlying: error)
        }
    }
}
