import Synchronization

/// An interface that an object of this process has: its members, their types, and what answers them.
///
///     ExportedInterface("org.example.Calculator1", [
///         .method("Add", arguments: ["a", "b"], results: ["sum"]) { (_, a: Int32, b: Int32) -> Int32 in a &+ b },
///         .property("Version") { UInt32(1) },
///     ])
public struct ExportedInterface: Sendable {
    /// Its name.
    public let name: InterfaceName
    private let content: Content

    /// Describes an interface. Of methods with the same name, the first one counts.
    public init(_ name: InterfaceName, _ members: [ExportedMember]) {
        self.name = name
        content = Content { members }
    }

    /// Describes an interface whose members are created on first use, for objects that are rarely looked at.
    ///
    /// - Parameter members: called once, at the first call, property read or introspection.
    public init(_ name: InterfaceName, lazily members: @escaping @Sendable () -> [ExportedMember]) {
        self.name = name
        content = Content(members)
    }

    var members: [ExportedMember] { content.known.members }
    var methods: [MemberName: ExportedMember.Method] { content.known.methods }
    var properties: [ExportedMember.Property] { content.known.properties }

    func property(_ name: String) -> ExportedMember.Property? { properties.first { $0.name.text == name } }
}

/// The members of an interface, made when they are first needed.
private final class Content: Sendable {
    struct Known {
        let members: [ExportedMember]
        let methods: [MemberName: ExportedMember.Method]
        let properties: [ExportedMember.Property]
    }

    private let make: @Sendable () -> [ExportedMember]
    private let made = Mutex<Known?>(nil)

    init(_ make: @escaping @Sendable () -> [ExportedMember]) { self.make = make }

    var known: Known {
        made.withLock { made in
            if let made { return made }
            let known = Known(make())
            made = known
            return known
        }
    }
}

extension Content.Known {
    fileprivate init(_ members: [ExportedMember]) {
        self.members = members
        var methods: [MemberName: ExportedMember.Method] = [:]
        var properties: [ExportedMember.Property] = []
        for member in members {
            switch member.content {
            case .method(let method): methods[method.name] = methods[method.name] ?? method
            case .property(let property): properties.append(property)
            case .signal: break
            }
        }
        self.methods = methods
        self.properties = properties
    }
}

/// A method, property or signal of an exported interface.
public struct ExportedMember: Sendable {
    /// How changes of a property are told.
    public enum ChangeNotice: String, Sendable {
        /// `PropertiesChanged` brings the new value.
        case value = "true"
        /// `PropertiesChanged` says that it changed.
        case invalidation = "invalidates"
        /// It never changes.
        case constant = "const"
        /// Changes are not told.
        case none = "false"
    }

    struct Argument: Sendable {
        let name: String
        let type: ValueType
    }

    typealias ImmediateBody = @Sendable (IncomingCall, [Value]) throws -> [Value]
    typealias SuspendingBody = nonisolated(nonsending) @Sendable (IncomingCall, [Value]) async throws -> [Value]
    typealias Getter = nonisolated(nonsending) @Sendable () async throws -> Value
    typealias Setter = nonisolated(nonsending) @Sendable (IncomingCall, Value) async throws -> Void

    struct Method: Sendable {
        enum Body: Sendable {
            /// Answers on the spot.
            case immediate(ImmediateBody)
            /// Needs a task of its own.
            case suspending(SuspendingBody)
        }

        let name: MemberName
        let inputs: [Argument]
        let outputs: [Argument]
        let body: Body
    }

    struct Property: Sendable {
        let name: MemberName
        let type: ValueType
        let notice: ChangeNotice
        let get: Getter
        let set: Setter?
    }

    struct Signal: Sendable {
        let name: MemberName
        let arguments: [Argument]
    }

    enum Content: Sendable {
        case method(Method)
        case property(Property)
        case signal(Signal)
    }

    let content: Content

    /// A method that answers at once. What it throws becomes an error reply: a ``DBusError`` as it is, anything else as
    /// the server's error mapping says. A call with other arguments gets `…InvalidArgs` and does not reach the closure.
    ///
    /// - Parameters:
    ///   - arguments: names of the arguments, as many as the closure takes after the call; another number traps.
    ///   - results: names of the results, as many as it returns; another number traps.
    ///   - body: runs on the connection's loop, where nothing else runs meanwhile.
    public static func method<each Input: DBusRepresentable, each Output: DBusRepresentable>(
        _ name: MemberName, arguments: [String] = [], results: [String] = [],
        _ body: @escaping @Sendable (IncomingCall, repeat each Input) throws -> (repeat each Output)
    ) -> ExportedMember {
        let inputs = PackedValues.types(of: repeat (each Input).self)
        let outputs = PackedValues.types(of: repeat (each Output).self)
        return method(
            name, named(arguments, inputs), named(results, outputs),
            .immediate { (call: IncomingCall, values: [Value]) in
                let items: (repeat each Input) = try PackedValues.read(values, as: repeat (each Input).self)
                let answer: (repeat each Output) = try body(call, repeat each items)
                return PackedValues.write(repeat each answer)
            })
    }

    /// A method that may suspend. Each call runs in a task of its own; otherwise as the other `method`.
    ///
    /// - Parameters:
    ///   - arguments: names of the arguments, as many as the closure takes after the call; another number traps.
    ///   - results: names of the results, as many as it returns; another number traps.
    ///   - body: runs on the connection's loop, where other work runs while it is suspended.
    public static func method<each Input: DBusRepresentable, each Output: DBusRepresentable>(
        _ name: MemberName, arguments: [String] = [], results: [String] = [],
        _ body:
            nonisolated(nonsending) @escaping @Sendable (IncomingCall, repeat each Input) async throws -> (
                repeat each Output
            )
    ) -> ExportedMember {
        let inputs = PackedValues.types(of: repeat (each Input).self)
        let outputs = PackedValues.types(of: repeat (each Output).self)
        return method(
            name, named(arguments, inputs), named(results, outputs),
            .suspending { (call: IncomingCall, values: [Value]) in
                let items: (repeat each Input) = try PackedValues.read(values, as: repeat (each Input).self)
                let answer: (repeat each Output) = try await body(call, repeat each items)
                return PackedValues.write(repeat each answer)
            })
    }

    private static func method(
        _ name: MemberName, _ inputs: [Argument], _ outputs: [Argument], _ body: Method.Body
    ) -> ExportedMember {
        ExportedMember(content: .method(Method(name: name, inputs: inputs, outputs: outputs, body: body)))
    }

    /// A property that others may read, and set if there is a setter.
    ///
    /// - Parameters:
    ///   - notice: how changes are told; it is up to the program to call
    ///     ``ObjectServer/propertiesChanged(_:_:_:)``, also after a change by the setter.
    ///   - get: the present value; runs on the connection's loop.
    ///   - set: takes a new value; what it throws becomes the error reply. A value of another type does not reach it.
    public static func property<Held: DBusRepresentable>(
        _ name: MemberName, notice: ChangeNotice = .value,
        get: nonisolated(nonsending) @escaping @Sendable () async throws -> Held,
        set: (nonisolated(nonsending) @Sendable (IncomingCall, Held) async throws -> Void)? = nil
    ) -> ExportedMember {
        var setter: Setter?
        if let set {
            setter = { call, value in try await set(call, Held(dbusValue: value)) }
        }
        let getter: Getter = { try await get().dbusValue }
        return ExportedMember(
            content: .property(
                Property(name: name, type: Held.dbusType, notice: notice, get: getter, set: setter)))
    }

    /// A signal, for introspection; ``ObjectServer/emit(_:_:_:_:)`` sends it.
    public static func signal<each Item: DBusRepresentable>(
        _ name: MemberName, arguments: [String], _ types: repeat (each Item).Type
    ) -> ExportedMember {
        ExportedMember(
            content: .signal(
                Signal(name: name, arguments: named(arguments, PackedValues.types(of: repeat each types)))))
    }

    private static func named(_ names: [String], _ types: [ValueType]) -> [Argument] {
        precondition(names.count == types.count, "every argument needs a name: \(names) for \(types)")
        return zip(names, types).map { Argument(name: $0, type: $1) }
    }
}

/// A method call that came in.
public struct IncomingCall: Sendable {
    /// Unique name of the caller.
    public let sender: BusName
    /// The object that is called.
    public let path: ObjectPath
    /// The interface.
    public let interface: InterfaceName
    /// The method.
    public let member: MemberName
    /// The connection that it came through.
    public let connection: Connection

    /// Who calls.
    ///
    /// - Throws: ``DBusError`` with the name `…NameHasNoOwner` when the caller has gone and nothing is remembered of it.
    public func caller() async throws -> CallerIdentity {
        try await connection.identity(of: sender)
    }
}
