/// A program to start, with its arguments and environment.
public struct Command: Sendable {
    /// A name to be found in `PATH`, or a path with a slash.
    public var executable: String
    /// The arguments, without the program's own name.
    public var arguments: [String]
    /// The variables added to `Surroundings.environment`.
    public var environment: [String: String]
    /// The folder to start in; nil means that of the test run.
    public var directory: String?
    /// The event by which a daemon counts as started.
    public var readiness: Readiness

    /// Describes a program; nothing is started.
    public init(
        _ executable: String, _ arguments: [String] = [], environment: [String: String] = [:],
        directory: String? = nil, ready readiness: Readiness = .immediately
    ) {
        self.executable = executable
        self.arguments = arguments
        self.environment = environment
        self.directory = directory
        self.readiness = readiness
    }

    /// The last part of the executable's path.
    public var name: String { executable.split(separator: "/").last.map(String.init) ?? executable }

    /// Whether this package built the program.
    var isOurs: Bool { executable.hasPrefix(Surroundings.builtProducts + "/") }
}
