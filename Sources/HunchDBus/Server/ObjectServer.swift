internal import CDBus

/// The objects that this process offers on a connection.
///
/// Every call of a method runs in a task of its own on the connection's loop; calls that do not suspend are answered in
/// the order in which they came. There is one server for a connection.
public actor ObjectServer {
    struct Object {
        var interfaces: [ExportedInterface]
        var isManager = false
    }

    let connection: Connection
    let mapError: @Sendable (any Error) -> DBusError
    var objects: [ObjectPath: Object] = [:]
    private var running = 0

    /// The loop's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { connection.unownedExecutor }

    /// Makes the server of a connection, with no objects yet.
    ///
    /// - Parameter mapError: the error reply for what a handler throws and that is no ``DBusError``.
    public init(
        on connection: Connection,
        mapError: @escaping @Sendable (any Error) -> DBusError = { DBusError(.failed, "\($0)") }
    ) async {
        self.connection = connection
        self.mapError = mapError
        await connection.setCallHandler { [weak self] message, connection in
            guard let self else { return false }
            return self.assumeIsolated { $0.receive(message, connection) }
        }
    }

    // MARK: Objects

    /// Offers an object, or further interfaces of it. Managers above it announce them.
    ///
    /// - Throws: ``DBusError`` when the announcement cannot be sent.
    public func export(_ path: ObjectPath, _ interfaces: [ExportedInterface]) async throws {
        objects[path, default: Object(interfaces: [])].interfaces += interfaces
        try await announce(path, interfaces)
    }

    /// Makes an object the manager of all objects below it.
    public func manage(_ path: ObjectPath) {
        objects[path, default: Object(interfaces: [])].isManager = true
    }

    /// Takes an object back. Managers above it announce that.
    ///
    /// - Throws: ``DBusError`` when the announcement cannot be sent.
    public func unexport(_ path: ObjectPath) async throws {
        guard let object = objects.removeValue(forKey: path) else { return }
        let names = object.interfaces.map(\.name.text)
        for manager in managers(above: path) {
            try await connection.emit(
                manager, .objectManager, "InterfacesRemoved", body: [path.dbusValue, names.dbusValue])
        }
    }

    private func announce(_ path: ObjectPath, _ interfaces: [ExportedInterface]) async throws {
        let managers = managers(above: path)
        guard !managers.isEmpty else { return }
        var content: [String: VariantMap] = [:]
        for interface in interfaces { content[interface.name.text] = try await values(of: interface) }
        // Taken back while the values were read: its going has been told, and its coming must not follow.
        guard objects[path] != nil else { return }
        for manager in managers {
            try await connection.emit(
                manager, .objectManager, "InterfacesAdded", body: [path.dbusValue, content.dbusValue])
        }
    }

    private func managers(above path: ObjectPath) -> [ObjectPath] {
        objects.filter { $1.isManager && $0 != path && path.isWithin($0) }.keys.sorted()
    }

    // MARK: Signals

    /// Emits a signal of an object.
    ///
    /// - Throws: ``DBusError`` when it cannot be sent.
    public func emit<each Item: DBusRepresentable>(
        _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName, _ items: repeat each Item
    ) async throws {
        try await connection.emit(path, interface, member, body: PackedValues.write(repeat each items))
    }

    /// Tells that properties changed, with their present values where the interface says so.
    ///
    /// - Throws: ``DBusError`` when a value cannot be read or the signal not be sent.
    public func propertiesChanged(
        _ path: ObjectPath, _ interface: InterfaceName, _ names: [MemberName]
    ) async throws {
        guard let exported = objects[path]?.interfaces.first(where: { $0.name == interface }) else { return }
        var changed: VariantMap = [:]
        var invalidated: [String] = []
        for property in exported.properties where names.contains(property.name) {
            switch property.notice {
            case .value: changed[property.name.text] = try await property.get()
            case .invalidation: invalidated.append(property.name.text)
            case .constant, .none: break
            }
        }
        guard !changed.isEmpty || !invalidated.isEmpty else { return }
        try await connection.emit(
            path, .properties, "PropertiesChanged",
            body: [interface.text.dbusValue, changed.dbusValue, invalidated.dbusValue])
    }

    func values(of interface: ExportedInterface) async throws -> VariantMap {
        var values: VariantMap = [:]
        for property in interface.properties { values[property.name.text] = try await property.get() }
        return values
    }

    // MARK: Calls

    private func receive(_ message: Confined, _ connection: Connection) -> Bool {
        let decoded: Message
        do {
            decoded = try connection.assumeIsolated { try $0.decode(message.pointer) }
        } catch {
            refuse(message.pointer, connection, error as? DBusError ?? DBusError(.failed, "\(error)"))
            return true
        }
        guard running < connection.limits.concurrentCalls else {
            refuse(
                message.pointer, connection, DBusError(.limitsExceeded, "too many calls are under way; try again later")
            )
            return true
        }
        running += 1
        Task(executorPreference: connection.loop) { [weak self] in
            await self?.answer(decoded)
        }
        return true
    }

    private func refuse(_ message: OpaquePointer, _ connection: Connection, _ error: DBusError) {
        guard dbus_message_get_no_reply(message) == 0, let sender = dbus_message_get_sender(message) else { return }
        let name = BusName(unchecked: String(cString: sender))
        let serial = dbus_message_get_serial(message)
        connection.assumeIsolated { $0.reply(toSerial: serial, of: name, with: .failure(error)) }
    }

    private func answer(_ message: Message) async {
        defer { running -= 1 }
        var result: Result<[Value], DBusError>
        do {
            result = .success(try await perform(message))
        } catch let error as DBusError {
            result = .failure(error)
        } catch {
            result = .failure(mapError(error))
        }
        guard message.expectsReply, let sender = message.sender else { return }
        await connection.reply(toSerial: message.serial, of: sender, with: result)
    }

    private func perform(_ message: Message) async throws -> [Value] {
        guard let sender = message.sender, let path = message.path, let member = message.member else {
            throw DBusError(.inconsistentMessage, "a method call needs a path and a member")
        }
        let standard = message.interface.map { [.properties, .introspectable, .objectManager].contains($0) } ?? false
        if standard || (message.interface == nil && Self.standardMembers.contains(member)) {
            return try await performStandard(message, path, member, sender)
        }
        guard let object = objects[path] else { throw unknownObject(path) }
        let interfaces = object.interfaces.filter { message.interface == nil || $0.name == message.interface }
        guard !interfaces.isEmpty else {
            throw DBusError(.unknownInterface, "\(path) has no interface \(message.interface?.text ?? "")")
        }
        for interface in interfaces {
            guard let method = interface.method(member) else { continue }
            let call = IncomingCall(
                sender: sender, path: path, interface: interface.name, member: member, connection: connection)
            return try await method.body(call, message.body)
        }
        throw DBusError(.unknownMethod, "\(interfaces[0].name) has no method \(member)")
    }

    func unknownObject(_ path: ObjectPath) -> DBusError {
        DBusError(.unknownObject, "there is no object \(path)")
    }
}
