/// A failure on the bus: an error reply, or a local failure with the error name that a reply would have.
public struct DBusError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A D-Bus error name. The set is open, because services define further names.
    public struct Name: RawRepresentable, Hashable, Sendable {
        /// The name, such as `org.freedesktop.DBus.Error.Failed`.
        public let rawValue: String
        /// Creates a name from its text.
        public init(rawValue: String) { self.rawValue = rawValue }

        private init(standard: String) { rawValue = "org.freedesktop.DBus.Error." + standard }

        /// An unspecified failure, which the message describes.
        public static let failed = Name(standard: "Failed")
        /// Memory is exhausted.
        public static let noMemory = Name(standard: "NoMemory")
        /// The arguments have the wrong types, number or values.
        public static let invalidArgs = Name(standard: "InvalidArgs")
        /// A signature is malformed.
        public static let invalidSignature = Name(standard: "InvalidSignature")
        /// A message is inconsistent.
        public static let inconsistentMessage = Name(standard: "InconsistentMessage")
        /// A documented limit is exceeded.
        public static let limitsExceeded = Name(standard: "LimitsExceeded")
        /// No reply arrived in time.
        public static let noReply = Name(standard: "NoReply")
        /// An operation of the bus timed out.
        public static let timedOut = Name(standard: "TimedOut")
        /// The name has no owner.
        public static let nameHasNoOwner = Name(standard: "NameHasNoOwner")
        /// No service provides the name.
        public static let serviceUnknown = Name(standard: "ServiceUnknown")
        /// The object does not exist.
        public static let unknownObject = Name(standard: "UnknownObject")
        /// The object already exists, or already has the interface.
        public static let objectPathInUse = Name(standard: "ObjectPathInUse")
        /// The object does not have the interface.
        public static let unknownInterface = Name(standard: "UnknownInterface")
        /// The interface does not have the method.
        public static let unknownMethod = Name(standard: "UnknownMethod")
        /// The interface does not have the property.
        public static let unknownProperty = Name(standard: "UnknownProperty")
        /// The property cannot be set.
        public static let propertyReadOnly = Name(standard: "PropertyReadOnly")
        /// The caller lacks permission.
        public static let accessDenied = Name(standard: "AccessDenied")
        /// The connection is closed.
        public static let disconnected = Name(standard: "Disconnected")
        /// No bus was found, or it could not be reached.
        public static let noServer = Name(standard: "NoServer")
        /// An address is malformed.
        public static let badAddress = Name(standard: "BadAddress")
        /// The feature is not supported.
        public static let notSupported = Name(standard: "NotSupported")
    }

    /// The error name.
    public let name: Name
    /// A sentence for people; empty if the peer sent none.
    public let message: String

    /// Creates an error.
    public init(_ name: Name, _ message: String) {
        self.name = name
        self.message = message
    }

    /// The name, followed by the message.
    public var description: String { message.isEmpty ? name.rawValue : "\(name.rawValue): \(message)" }
}

extension DBusError {
    /// Whether the service neither runs nor can be started, by the bus or by systemd.
    public var isServiceAbsent: Bool {
        [.serviceUnknown, .nameHasNoOwner].contains(name)
            || name.rawValue.hasPrefix("org.freedesktop.DBus.Error.Spawn.")
            || name.rawValue.hasPrefix("org.freedesktop.systemd1.")
    }
}
