/// The maximum sizes of a feed. A larger feed is refused with an error.
public enum TransitFeedLimits {
    /// The maximum size of an uncompressed table, in bytes: 1 GiB. It stops decompression bombs.
    public static let tableSize = 1 << 30
    /// The maximum size of the uncompressed `stop_times.txt`, in bytes: 8 GiB.
    public static let stopTimesSize = 8 << 30
    /// The maximum number of records of a table.
    public static let records = 200_000_000
    /// The maximum number of trips that run, and of stops.
    public static let identifiers = 20_000_000
}
