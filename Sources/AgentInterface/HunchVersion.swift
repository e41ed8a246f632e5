/// The version of Hunch: of the agent and of the command, which are released together.
public enum HunchVersion {
    /// The version, in semantic versioning.
    public static let text = "0.1.0"
}
