/// A received message, decoded.
public struct Message: Sendable {
    /// The sort of message.
    public enum Kind: Hashable, Sendable {
        /// A call of a method.
        case methodCall
        /// What a method returned.
        case methodReturn
        /// Why a method failed.
        case error
        /// Something that happened.
        case signal
    }

    /// The sort of message.
    public let kind: Kind
    /// Number that the sender gave it.
    public let serial: UInt32
    /// Unique name of the sender; `nil` without a bus in between.
    public let sender: BusName?
    /// The object that it is for or from.
    public let path: ObjectPath?
    /// The interface of the member.
    public let interface: InterfaceName?
    /// The method or signal.
    public let member: MemberName?
    /// The arguments.
    public let body: [Value]
    /// Position among all messages that this connection received, from 1: tells which of two came first.
    public let arrival: UInt64
    /// Whether the sender waits for a reply.
    public let expectsReply: Bool
    /// The error that an error reply tells; `nil` in other messages.
    public let error: DBusError?
    /// The memory that ``body`` takes, in bytes; an upper bound.
    let cost: Int

    /// This message, unless it is an error reply, which is thrown.
    func checked() throws(DBusError) -> Message {
        if let error { throw error }
        return self
    }

    /// The arguments as Swift values.
    ///
    ///     let (name, owner) = try reply.arguments(String.self, String.self)
    ///
    /// - Throws: ``DBusError`` with the name `…InvalidArgs` when number or types differ.
    public func arguments<each Item: DBusRepresentable>(
        _ types: repeat (each Item).Type
    ) throws(DBusError) -> (repeat each Item) {
        try PackedValues.read(body, as: repeat each types)
    }
}

/// A method call to be sent.
public struct MethodCall: Sendable {
    /// The bus name that is called.
    public var destination: BusName
    /// The object.
    public var path: ObjectPath
    /// The interface.
    public var interface: InterfaceName
    /// The method.
    public var member: MemberName
    /// The arguments.
    public var body: [Value]
    /// Whether the bus may start the service when nobody owns the name.
    public var startsService: Bool

    /// Describes a call.
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

/// Sizes that a connection enforces. What is larger is refused with `…LimitsExceeded`; the connection stays.
public struct ConnectionLimits: Sendable {
    /// The most memory that the values of one received message may take when decoded, in bytes.
    public var decodedBytes = 32 << 20
    /// The longest body of a message that is sent, in bytes; D-Bus allows 2²⁷ for the whole message.
    public var sentBytes = 32 << 20
    /// The most bytes that may wait to be written before sending fails.
    public var queuedBytes = 64 << 20
    /// The most incoming method calls that may be under way at once, those that wait included.
    public var concurrentCalls = 8_192
    /// The most memory that the arguments of all incoming calls under way may take, in bytes.
    public var concurrentBytes = 128 << 20
    /// The most calls of one caller that may be under way at once, those that wait included.
    public var callsOfCaller = 1_024
    /// The most calls of one caller that run at once. Further ones wait for these, in order.
    public var runningCallsOfCaller = 32
    /// The most memory that the arguments of one caller's calls under way may take, in bytes.
    public var bytesOfCaller = 64 << 20
    /// The most callers that are told of changes of objects that not everybody sees; beyond, those who asked first are
    /// told no more.
    public var followers = 256
    /// The most memory that the signals waiting in one stream may take, in bytes; what comes beyond is lost.
    public var bufferedBytes = 32 << 20

    /// The defaults above.
    public init() {}
}
