internal import HunchModel

/// The stated order of two numbers: `Coordinates (lon, lat): 13.3777, 52.5163`.
package enum StatedOrder {
    private static let latitudes: Set<String> = ["lat", "latitude"]
    private static let longitudes: Set<String> = ["lon", "lng", "long", "longitude"]
    /// The maximum number of bytes of a text that are searched.
    private static let maximumLength = 96

    /// Returns the order that is stated in the text next to two numbers.
    ///
    /// - Returns: `nil` if no word for latitude is next to one for longitude.
    package static func order(in text: Substring) -> PlaceText.Order? {
        let words = text.cut(toBytes: maximumLength).lowercased().split { !$0.isLetter && !$0.isNumber }
            .filter { $0 != "and" }.map { String($0) }
        for (first, second) in zip(words, words.dropFirst()) {
            if latitudes.contains(first), longitudes.contains(second) { return .latitudeFirst }
            if longitudes.contains(first), latitudes.contains(second) { return .longitudeFirst }
        }
        return nil
    }

    /// Returns the order that is stated in a whole text.
    package static func order(in text: String) -> PlaceText.Order? { order(in: text[...]) }
}
