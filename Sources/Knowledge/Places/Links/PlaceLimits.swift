/// The limits of inputs, in bytes of UTF-8.
enum PlaceLimits {
    static let input = 1_048_576
    static let link = 16_384
    static let text = 1_024
}
