/// Where an app's content is about to be used: how much of it is read there, and whether there is anything to use it with.
///
/// In a car nobody is to read long lists: there the limits are enforced, and what is beyond them is not asked for.
/// Elsewhere the same numbers say what would be enforced.
public struct PlayableContentContext: Hashable, Sendable, Codable {
    /// How many items of a list are read at most while limits are enforced; 1 to 1,000.
    public var enforcedItemCount: Int
    /// How many levels of lists are read at most while limits are enforced, the root's being the first; 1 to 16.
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

    /// What applies to a device that is ready; `nil`: none is.
    public init(device: AudioDevice?) {
        self.init(areLimitsEnforced: device?.kind == .car, isEndpointAvailable: device != nil)
    }

    /// How many items of a list are read here.
    ///
    /// - Parameter limit: where limits are not enforced.
    public func itemCount(orElse limit: Int) -> Int { areLimitsEnforced ? enforcedItemCount : limit }

    /// How many levels of lists are read here.
    ///
    /// - Parameter limit: where limits are not enforced.
    public func treeDepth(orElse limit: Int) -> Int { areLimitsEnforced ? enforcedTreeDepth : limit }
}
