internal import Coordinates
internal import HunchModel
internal import Localization

/// The fields of a link's query, each at most once.
struct LinkFields {
    private var values: [String: String] = [:]

    /// - Parameter query: the text after the scheme. A leading `?` and a fragment are ignored.
    init(query: Substring) throws(DirectionsError) {
        let query = (query.hasPrefix("?") ? query.dropFirst() : query).prefix { $0 != "#" }
        for field in query.split(separator: "&") {
            let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name: String
            let value: String
            do throws(PlaceError) {
                name = try PercentEncoding.decode(parts[0])
                value = try PercentEncoding.decode(parts.count > 1 ? parts[1] : "")
            } catch {
                throw DirectionsError(
                    .malformedLink, localized("the percent-encoding of the directions: link is broken"),
                    underlying: error)
            }
            guard values.updateValue(value, forKey: name) == nil else {
                throw DirectionsError(.malformedLink, localized("the directions: link has \"%1\" twice", name))
            }
        }
    }

    subscript(name: String) -> String? { values[name] }
}
