/// The version of the agent and of the command `hunch`, which are released together.
public enum HunchVersion {
    /// The version in semantic versioning.
    public static let text = "0.1.0"
}
