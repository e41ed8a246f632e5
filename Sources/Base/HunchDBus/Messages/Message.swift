/// A received message, decoded.
public struct Message: Sendable {
    /// The type of a message.
    public enum Kind: Hashable, Sendable {
        /// A method call.
        case methodCall
        /// A method's reply.
        case methodReturn
        /// An error reply.
        case error
        /// A signal.
        case signal
    }

    /// The type of the message.
    public let kind: Kind
    /// The serial number that the sender assigned.
    public let serial: UInt32
    /// The unique name of the sender; `nil` on a connection without a bus.
    public let sender: BusName?
    /// The object that the message is sent to or emitted by.
    public let path: ObjectPath?
    /// The interface of the member.
    public let interface: InterfaceName?
    /// The method or signal.
    public let member: MemberName?
    /// The arguments.
    public let body: [Value]
    /// The position of the message among all messages that this connection received, from 1.
    public let arrival: UInt64
    /// Whether the sender expects a reply.
    public let expectsReply: Bool
    /// The error in an error reply; `nil` in other messages.
    public let error: DBusError?
    /// The memory that ``body`` uses, in bytes; an upper bound.
    let cost: Int

    /// Returns this message, or throws the error of an error reply.
    func checked() throws(DBusError) -> Message {
        if let error { throw error }
        return self
    }

    /// Returns the arguments as Swift values.
    ///
    ///     let (name, owner) = try reply.arguments(String.self, String.self)
    ///
    /// - Throws: ``DBusError`` with the name `…InvalidArgs` if the number or types differ.
    public func arguments<each Item: DBusRepresentable>(
        _ types: repeat (each Item).Type
    ) throws(DBusError) -> (repeat each Item) {
        try PackedValues.read(body, as: repeat each types)
    }
}

/// A method call to send.
public struct MethodCall: Sendable {
    /// The bus name of the callee.
    public var destination: BusName
    /// The object.
    public var path: ObjectPath
    /// The interface.
    public var interface: InterfaceName
    /// The method.
    public var member: MemberName
    /// The arguments.
    public var body: [Value]
    /// Whether the bus may start the service if the name has no owner.
    public var startsService: Bool

    /// Makes a method call.
    public init(
        _ destination: BusName, _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName,
        body: [Value] = [], startsService: Bool = true
    ) {
        self.destination = destination
        self.path = path
        self.interface = interface
        self.member = member
        self.body = body
        self.startsService = startsService
    }
}

/// The limits of a connection. It refuses what exceeds them with `…LimitsExceeded` and stays open.
public struct ConnectionLimits: Sendable {
    /// The maximum memory for the decoded values of a received message, in bytes.
    public var decodedBytes = 32 << 20
    /// The maximum body length of a sent message, in bytes. D-Bus allows 2²⁷ for the whole message.
    public var sentBytes = 32 << 20
    /// The maximum number of bytes that may wait to be written. Beyond that, sending fails.
    public var queuedBytes = 64 << 20
    /// The maximum number of incoming method calls in progress, including waiting ones.
    public var concurrentCalls = 8_192
    /// The maximum memory for the arguments of all incoming calls in progress, in bytes.
    public var concurrentBytes = 128 << 20
    /// The maximum number of calls of one caller in progress, including waiting ones.
    public var callsOfCaller = 1_024
    /// The maximum number of calls of one caller that run at once. Further calls wait, in order.
    public var runningCallsOfCaller = 32
    /// The maximum memory for the arguments of one caller's calls in progress, in bytes.
    public var bytesOfCaller = 64 << 20
    /// The maximum number of callers that are notified of changes of private objects. Beyond that, the callers that
    /// asked first are no longer notified.
    public var followers = 256
    /// The maximum memory for the signals that wait in one stream, in bytes. Signals beyond that are lost.
    public var bufferedBytes = 32 << 20

    /// Makes the default limits.
    public init() {}
}
