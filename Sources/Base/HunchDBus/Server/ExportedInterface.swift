import Synchronization

/// An interface of an exported object: its members, their types and the closures that implement them.
///
///     ExportedInterface("org.example.Calculator1", [
///         .method("Add", arguments: ["a", "b"], results: ["sum"]) { (_, a: Int32, b: Int32) -> Int32 in a &+ b },
///         .property("Version") { UInt32(1) },
///     ])
public struct ExportedInterface: Sendable {
    /// The name of the interface.
    public let name: InterfaceName
    private let content: Content

    /// Creates an interface. Of methods or properties with the same name, the first one counts.
    public init(_ name: InterfaceName, _ members: [ExportedMember]) {
        self.name = name
        content = Content { members }
    }

    /// Makes an interface whose members are created on first use, for objects that are rarely used.
    ///
    /// - Parameter members: a closure that is called once, at the first call, property read or introspection.
    public init(_ name: InterfaceName, lazily members: @escaping @Sendable () -> [ExportedMember]) {
        self.name = name
        content = Content(members)
    }

    /// Returns the interfaces with those of the same name as one, which has the members of all.
    public static func merged(_ interfaces: [ExportedInterface]) -> [ExportedInterface] {
        var parts: [InterfaceName: [ExportedInterface]] = [:]
        for interface in interfaces { parts[interface.name, default: []].append(interface) }
        return interfaces.compactMap { interface in
            guard let same = parts.removeValue(forKey: interface.name) else { return nil }
            return same.count == 1
                ? interface : ExportedInterface(interface.name, lazily: { same.flatMap(\.members) })
        }
    }

    var members: [ExportedMember] { content.known.members }
    var methods: [MemberName: ExportedMember.Method] { content.known.methods }
    var properties: [ExportedMember.Property] { content.known.properties }

    func property(_ name: String) -> ExportedMember.Property? { properties.first { $0.name.text == name } }
}

/// The members of an interface, created when first needed.
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
        var names: Set<String> = []
        let members = members.filter { names.insert($0.key).inserted }
        self.members = members
        var methods: [MemberName: ExportedMember.Method] = [:]
        var properties: [ExportedMember.Property] = []
        for member in members {
            switch member.content {
            case .method(let method): methods[method.name] = method
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
    /// The method of announcing a property's changes.
    public enum ChangeNotice: String, Sendable {
        /// `PropertiesChanged` contains the new value.
        case value = "true"
        /// `PropertiesChanged` names the property without its value.
        case invalidation = "invalidates"
        /// The property never changes.
        case constant = "const"
        /// Changes are not announced.
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
            /// The closure returns the reply without suspending.
            case immediate(ImmediateBody)
            /// The closure may suspend and runs in its own task.
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

    /// The member's kind and name.
    fileprivate var key: String {
        switch content {
        case .method(let method): "method \(method.name)"
        case .property(let property): "property \(property.name)"
        case .signal(let signal): "signal \(signal.name)"
        }
    }

    /// Makes a method that replies at once.
    ///
    /// A ``DBusError`` that the closure throws becomes the error reply. Other errors go through the server's error
    /// mapping. A call with wrong arguments gets `…InvalidArgs` and does not reach the closure.
    ///
    /// - Parameters:
    ///   - arguments: the names of the arguments after the call. Traps if their number differs from the closure's.
    ///   - results: the names of the results. Traps if their number differs from the closure's.
    ///   - body: a closure that runs on the connection's loop, without interruption.
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

    /// Makes a method that may suspend. Each call runs in its own task. Otherwise it is like the other `method`.
    ///
    /// - Parameters:
    ///   - arguments: the names of the arguments after the call. Traps if their number differs from the closure's.
    ///   - results: the names of the results. Traps if their number differs from the closure's.
    ///   - body: a closure that runs on the connection's loop. Other work runs while it is suspended.
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

    /// Returns the method with a last argument `options` of the type `a{sv}`, so that it can take further values later. A
    /// call may leave this argument out. A method keeps its arguments if the last one has this type, under whatever name.
    /// Properties and signals stay as they are.
    ///
    /// - Parameter check: checks the argument that was added.
    public func takingOptions(_ check: @escaping @Sendable (VariantMap) throws -> Void) -> ExportedMember {
        guard case .method(let method) = content else { return self }
        let options = Argument(name: "options", type: VariantMap.dbusType)
        let isAdded = method.inputs.last?.type != options.type
        guard isAdded || method.inputs.last?.name == options.name else { return self }
        let inputs = isAdded ? method.inputs + [options] : method.inputs
        let values: @Sendable ([Value]) throws -> [Value] = { given in
            switch (given.count, isAdded) {
            // A wrong argument before it is the fault to report.
            case (inputs.count, true)
            where zip(given, method.inputs).allSatisfy { $0.converted(to: $1.type) != nil }:
                try check(PackedValues.read([given[inputs.count - 1]], as: VariantMap.self))
                return given.dropLast()
            case (inputs.count - 1, false): return given + [VariantMap().dbusValue]
            default: return given
            }
        }
        return switch method.body {
        case .immediate(let body):
            Self.method(method.name, inputs, method.outputs, .immediate { try body($0, values($1)) })
        case .suspending(let body):
            Self.method(method.name, inputs, method.outputs, .suspending { try await body($0, values($1)) })
        }
    }

    /// Makes a property that other programs can read, and can set if it has a setter.
    ///
    /// - Parameters:
    ///   - notice: the method of announcing changes. The program must call ``ObjectServer/propertiesChanged(_:_:_:)``,
    ///     even after a change by the setter.
    ///   - get: a closure that returns the current value, on the connection's loop.
    ///   - set: a closure that sets a value of the right type. An error that it throws becomes the error reply.
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

    /// Creates a signal for introspection. ``ObjectServer/emit(_:_:_:_:)`` sends it.
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

/// An incoming method call.
public struct IncomingCall: Sendable {
    /// The unique name of the caller.
    public let sender: BusName
    /// The path of the called object.
    public let path: ObjectPath
    /// The interface.
    public let interface: InterfaceName
    /// The method.
    public let member: MemberName
    /// The connection that received the call.
    public let connection: Connection

    /// Returns the process of the caller.
    ///
    /// - Throws: ``DBusError`` with the name `…NameHasNoOwner` if the caller has gone and is not cached.
    public func caller() async throws -> CallerIdentity {
        try await connection.identity(of: sender)
    }
}
