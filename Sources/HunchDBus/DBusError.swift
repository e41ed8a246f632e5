/// A failure on the bus: an error reply, or a fault on this side under the name that a reply would bear.
public struct DBusError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A D-Bus error name. Open: services define further ones.
    public struct Name: RawRepresentable, Hashable, Sendable {
        /// The name, such as `org.freedesktop.DBus.Error.Failed`.
        public let rawValue: String
        /// Makes a name from its text.
        public init(rawValue: String) { self.rawValue = rawValue }

        private init(standard: String) { rawValue = "org.freedesktop.DBus.Error." + standard }

        /// Something failed; the message tells what.
        public static let failed = Name(standard: "Failed")
        /// There is not enough memory.
        public static let noMemory = Name(standard: "NoMemory")
        /// Arguments have the wrong types, number or values.
        public static let invalidArgs = Name(standard: "InvalidArgs")
        /// A signature is malformed.
        public static let invalidSignature = Name(standard: "InvalidSignature")
        /// A message makes no sense.
        public static let inconsistentMessage = Name(standard: "InconsistentMessage")
        /// A documented limit is exceeded.
        public static let limitsExceeded = Name(standard: "LimitsExceeded")
        /// No reply came in time.
        public static let noReply = Name(standard: "NoReply")
        /// A timeout on the bus itself.
        public static let timedOut = Name(standard: "TimedOut")
        /// The name has no owner.
        public static let nameHasNoOwner = Name(standard: "NameHasNoOwner")
        /// Nothing provides the name.
        public static let serviceUnknown = Name(standard: "ServiceUnknown")
        /// There is no such object.
        public static let unknownObject = Name(standard: "UnknownObject")
        /// The object, or that interface of it, is there already.
        public static let objectPathInUse = Name(standard: "ObjectPathInUse")
        /// The object lacks the interface.
        public static let unknownInterface = Name(standard: "UnknownInterface")
        /// The interface lacks the method.
        public static let unknownMethod = Name(standard: "UnknownMethod")
        /// The interface lacks the property.
        public static let unknownProperty = Name(standard: "UnknownProperty")
        /// The property cannot be set.
        public static let propertyReadOnly = Name(standard: "PropertyReadOnly")
        /// The caller may not do this.
        public static let accessDenied = Name(standard: "AccessDenied")
        /// The connection is gone.
        public static let disconnected = Name(standard: "Disconnected")
        /// No bus could be found or reached.
        public static let noServer = Name(standard: "NoServer")
        /// An address is malformed.
        public static let badAddress = Name(standard: "BadAddress")
        /// The feature is not supported.
        public static let notSupported = Name(standard: "NotSupported")
    }

    /// Which error.
    public let name: Name
    /// One sentence for a person; empty when the other side sent none.
    public let message: String

    /// Makes an error.
    public init(_ name: Name, _ message: String) {
        self.name = name
        self.message = message
    }

    /// The message with the name in front.
    public var description: String { message.isEmpty ? name.rawValue : "\(name.rawValue): \(message)" }
}
