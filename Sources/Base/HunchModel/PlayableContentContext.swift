/// The limits on reading an app's content, and whether a device is ready to play it.
///
/// A user in a car should not read long lists. Hunch therefore enforces the limits in a car and requests no content
/// beyond them. Elsewhere they have no effect.
public struct PlayableContentContext: Hashable, Sendable, Codable {
    /// The maximum number of items that Hunch reads of a list while limits are enforced; 1 to 1,000.
    public var enforcedItemCount: Int
    /// The maximum number of levels of lists that Hunch reads while limits are enforced, counting the root's list; 1 to
    /// 16.
    public var enforcedTreeDepth: Int
    /// Whether Hunch enforces the limits now.
    public var areLimitsEnforced: Bool
    /// Whether a device is ready.
    public var isEndpointAvailable: Bool

    /// Creates a context. Numbers out of range are clamped.
    public init(
        enforcedItemCount: Int = 12, enforcedTreeDepth: Int = 5, areLimitsEnforced: Bool = false,
        isEndpointAvailable: Bool = false
    ) {
        self.enforcedItemCount = min(max(enforcedItemCount, 1), 1_000)
        self.enforcedTreeDepth = min(max(enforcedTreeDepth, 1), 16)
        self.areLimitsEnforced = areLimitsEnforced
        self.isEndpointAvailable = isEndpointAvailable
    }

    /// Creates the context for a device that is ready; `nil` for no device. Only a car enforces the limits.
    public init(device: AudioDevice?) {
        self.init(areLimitsEnforced: device?.kind == .car, isEndpointAvailable: device != nil)
    }

    /// Returns the maximum number of items to read of a list.
    ///
    /// - Parameter limit: the result if limits are not enforced.
    public func itemCount(orElse limit: Int) -> Int { areLimitsEnforced ? enforcedItemCount : limit }

    /// Returns the maximum number of levels of lists to read.
    ///
    /// - Parameter limit: the result if limits are not enforced.
    public func treeDepth(orElse limit: Int) -> Int { areLimitsEnforced ? enforcedTreeDepth : limit }
}
