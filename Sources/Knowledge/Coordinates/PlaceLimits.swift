/// The limits of inputs, in bytes of UTF-8.
package enum PlaceLimits {
    package static let input = 1_048_576
    package static let link = 16_384
    package static let text = 1_024
}
