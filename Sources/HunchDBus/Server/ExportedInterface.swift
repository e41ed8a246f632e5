/// An interface that an object of this process has: its members, their types, and what answers them.
///
///     ExportedInterface("org.example.Calculator1", [
///         .method("Add", arguments: ["a", "b"], results: ["sum"]) { (_, a: Int32, b: Int32) in a &+ b },
///         .property("Version") { UInt32(1) },
///     ])
public struct ExportedInterface: Sendable {
    /// Its name.
    public let name: InterfaceName
    let members: [ExportedMember]

    /// Describes an interface.
    public init(_ name: InterfaceName, _ members: [ExportedMember]) {
        self.name = name
        self.members = members
    }

    func method(_ name: MemberName) -> ExportedMember.Method? {
        for case .method(let method) in members.lazy.map(\.content) where method.name == name { return method }
        return nil
    }

    func property(_ name: String) -> ExportedMember.Property? {
        properties.first { $0.name.text == name }
    }

    var properties: [ExportedMember.Property] {
        members.compactMap { if case .property(let property) = $0.content { property } else { nil } }
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

    struct Method: Sendable {
        let name: MemberName
        let inputs: [Argument]
        let outputs: [Argument]
        let body: @Sendable (IncomingCall, [Value]) async throws -> [Value]
    }

    struct Property: Sendable {
        let name: MemberName
        let type: ValueType
        let notice: ChangeNotice
        let get: @Sendable () async throws -> Value
        let set: (@Sendable (IncomingCall, Value) async throws -> Void)?
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

    /// A method. What it throws becomes an error reply: a ``DBusError`` as it is, anything else as the server's error
    /// mapping says.
    ///
    /// - Parameters:
    ///   - arguments: names of the arguments, as many as the closure takes after the call.
    ///   - results: names of the results, as many as it returns.
    public static func method<each Input: DBusRepresentable, each Output: DBusRepresentable>(
        _ name: MemberName, arguments: [String] = [], results: [String] = [],
        _ body: @escaping @Sendable (IncomingCall, repeat each Input) async throws -> (repeat each Output)
    ) -> ExportedMember {
        let inputs = PackedValues.types(of: repeat (each Input).self)
        let outputs = PackedValues.types(of: repeat (each Output).self)
        return ExportedMember(
            content: .method(
                Method(
                    name: name, inputs: named(arguments, inputs), outputs: named(results, outputs),
                    body: { (call: IncomingCall, values: [Value]) async throws -> [Value] in
                        let items: (repeat each Input) = try PackedValues.read(values, as: repeat (each Input).self)
                        let answer: (repeat each Output) = try await body(call, repeat each items)
                        return PackedValues.write(repeat each answer)
                    })))
    }

    /// A property that others may read, and set if there is a setter.
    public static func property<Held: DBusRepresentable>(
        _ name: MemberName, notice: ChangeNotice = .value,
        get: @escaping @Sendable () async throws -> Held,
        set: (@Sendable (IncomingCall, Held) async throws -> Void)? = nil
    ) -> ExportedMember {
        var setter: (@Sendable (IncomingCall, Value) async throws -> Void)?
        if let set {
            setter = { call, value in try await set(call, Held(dbusValue: value)) }
        }
        let getter: @Sendable () async throws -> Value = { try await get().dbusValue }
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
    /// - Throws: ``DBusError`` with the name `…NameHasNoOwner` when the caller has gone.
    public func caller() async throws -> CallerIdentity {
        try await connection.identity(of: sender)
    }
}
