/// Why media cannot be prepared or played here and now.
public struct MediaError: Error, Sendable, CustomStringConvertible {
    /// What went wrong. Open: later versions may add further ones.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The word shown in JSON output and on the bus, in camel case.
        public let rawValue: String
        /// Makes a code from its word.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The word.
        public var description: String { rawValue }

        /// The app does not run, and only a running one could do this.
        public static let notRunning = Code(rawValue: "notRunning")
        /// The app did not answer in time.
        public static let noReply = Code(rawValue: "noReply")
        /// The app answered with an error.
        public static let refused = Code(rawValue: "refused")
        /// The app's answer has wrong types or breaks a documented limit.
        public static let invalidReply = Code(rawValue: "invalidReply")
        /// Nothing is known that could be played.
        public static let nothingToPlay = Code(rawValue: "nothingToPlay")
        /// The app has no way to open this item.
        public static let cannotOpen = Code(rawValue: "cannotOpen")
        /// The app was asked to play, and did not.
        public static let didNotStart = Code(rawValue: "didNotStart")
        /// The app could not be launched, or offered no player in time.
        public static let launchFailed = Code(rawValue: "launchFailed")
        /// The session bus is gone.
        public static let disconnected = Code(rawValue: "disconnected")
        /// A picture is not a local regular file of a known kind within the limits.
        public static let unusableArtwork = Code(rawValue: "unusableArtwork")
        /// The cache folder cannot be read or written.
        public static let inputOutput = Code(rawValue: "inputOutput")
    }

    /// What went wrong, for programs.
    public let code: Code
    /// What went wrong and what to do, for people: one sentence without a full stop.
    public let message: String
    /// The error that caused this one.
    public let underlying: (any Error)?

    /// Makes an error.
    public init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }

    /// The message.
    public var description: String { message }
}
