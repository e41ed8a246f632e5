/// What a feed may hold at most. What is larger is refused with one error.
public enum TransitFeedLimits {
    /// Bytes of a table, unpacked: 1 GiB. So an archive that unpacks to a thousand times its size ends there.
    public static let tableSize = 1 << 30
    /// Bytes of `stop_times.txt`, unpacked: 8 GiB.
    public static let stopTimesSize = 8 << 30
    /// Records of a table.
    public static let records = 200_000_000
    /// Trips that run, and stops.
    public static let identifiers = 20_000_000
}
