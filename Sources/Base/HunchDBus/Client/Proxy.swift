/// A remote object.
public struct Proxy: Sendable {
    /// The connection through which the object is reached.
    public let connection: Connection
    /// The bus name of the service that exports the object.
    public let service: BusName
    /// The path of the object.
    public let path: ObjectPath

    /// Creates a proxy. Sends nothing.
    public init(_ connection: Connection, _ service: BusName, _ path: ObjectPath) {
        self.connection = connection
        self.service = service
        self.path = path
    }

    /// Calls a method of the object.
    ///
    /// - Throws: the errors of ``Connection/call(_:_:_:_:_:timeout:startsService:)``.
    public nonisolated(nonsending) func call<each Argument: DBusRepresentable, each Result: DBusRepresentable>(
        _ interface: InterfaceName, _ member: MemberName, _ arguments: repeat each Argument,
        timeout: Duration = .seconds(25), startsService: Bool = true
    ) async throws -> (repeat each Result) {
        try await connection.call(
            service, path, interface, member, repeat each arguments, timeout: timeout, startsService: startsService)
    }

    /// Reads a property.
    ///
    /// - Throws: ``DBusError``, with the name `…InvalidArgs` if the property has another type.
    public nonisolated(nonsending) func property<Result: DBusRepresentable>(
        _ interface: InterfaceName, _ name: MemberName, as type: Result.Type = Result.self,
        timeout: Duration = .seconds(25)
    ) async throws -> Result {
        let value: Value = try await call(
            .properties, "Get", interface.text, name.text, timeout: timeout, startsService: false)
        return try Result(dbusValue: value)
    }

    /// Sets a property.
    public func setProperty(
        _ interface: InterfaceName, _ name: MemberName, to value: some DBusRepresentable,
        timeout: Duration = .seconds(25)
    ) async throws {
        let () = try await call(
            .properties, "Set", interface.text, name.text, value.dbusValue, timeout: timeout, startsService: false)
    }

    /// Reads all properties of an interface.
    public func properties(
        _ interface: InterfaceName, timeout: Duration = .seconds(25)
    ) async throws -> VariantMap {
        try await call(.properties, "GetAll", interface.text, timeout: timeout, startsService: false)
    }
}
