internal import CBuild

/// The version of all programs, which are released together.
public enum HunchVersion {
    /// The version in semantic versioning.
    public static let text = "0.2.0"

    /// The version with the commit of a build by `make release`: `0.2.0 (1a2b3c4d5e6f)`.
    public static let full: String = {
        let commit = String(cString: hunch_commit)
        return commit.isEmpty ? text : "\(text) (\(commit))"
    }()
}
