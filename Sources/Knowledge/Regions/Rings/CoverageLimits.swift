/// The limits of a coverage file. A larger file is refused with one error.
public enum CoverageLimits {
    /// Size of a file, in bytes: 64 MiB.
    public static let fileSize = 64 << 20
    /// Features in one file.
    public static let features = 10_000
    /// Positions in one file.
    public static let positions = 4_000_000
    /// The largest longitude, in degrees. Values beyond the antimeridian are allowed.
    public static let longitude = 540.0
    /// Files read from one folder.
    public static let filesPerFolder = 10_000
    /// Faults reported per feature. The rest of the feature is not checked.
    public static let problemsPerFeature = 20
}
