/// The limits of a coverage file. A larger file is refused with one error.
public enum CoverageLimits {
    /// Size of a file, in bytes: 64 MiB.
    public static let fileSize = 64 << 20
    /// Features in one file.
    public static let features = 10_000
    /// Positions in one file.
    public static let positions = 4_000_000
    /// The maximum nesting of arrays and objects.
    public static let nesting = 64
    /// The maximum longitude as written, in degrees either side of the prime meridian.
    public static let longitude = 540.0
    /// Files read from one folder.
    public static let filesPerFolder = 10_000
    /// Faults told of one feature; a file full of faults is not worth more lines.
    public static let problemsPerFeature = 20
}
