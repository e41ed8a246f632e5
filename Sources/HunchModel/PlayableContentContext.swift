/// The context in which an app's content is about to be used: the limits for reading it, and the device.
///
/// In a car nobody is to read long lists: there the limits are enforced, and what is beyond them is not asked for.
/// Elsewhere the same numbers say what would be enforced.
public struct PlayableContentContext: Hashable, Sendable, Codable {
    /// The maximum number of items read of a list while limits are enforced, 1 to 1,000.
    public var enforcedItemCount: Int
    /// The maximum number of levels read while limits are enforced, including the root, 1 to 16.
    public var enforcedTreeDepth: Int
    /// Whether the limits are enforced now.
    public var areLimitsEnforced: Bool
    /// Whether a device is ready that the person listens with.
    public var isEndpointAvailable: Bool

    /// Makes a context. Numbers outside their ranges become the nearest within.
    public init(
        enforcedItemCount: Int = 12, enforcedTreeDepth: Int = 5, areLimitsEnforced: Bool = false,
        isEndpointAvailable: Bool = false
    ) {
        self.enforcedItemCount = min(max(enforcedItemCount, 1), 1_000)
        self.enforcedTreeDepth = min(max(enforcedTreeDepth, 1), 16)
        self.areLimitsEnforced = areLimitsEnforced
        self.isEndpointAvailable = isEndpointAvailable
    }

    /// Creates the context for a ready device; `nil` for none.
    public init(device: AudioDevice?) {
        self.init(areLimitsEnforced: device?.kind == .car, isEndpointAvailable: device != nil)
    }

    /// The number of items to read of a list.
    ///
    /// - Parameter limit: where limits are not enforced.
    public func itemCount(orElse limit: Int) -> Int { areLimitsEnforced ? enforcedItemCount : limit }

    /// The number of levels to read.
    ///
    /// - Parameter limit: where limits are not enforced.
    public func treeDepth(orElse limit: Int) -> Int { areLimitsEnforced ? enforcedTreeDepth : limit }
}
