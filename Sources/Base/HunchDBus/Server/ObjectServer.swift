internal import EventLoops
internal import CDBus

/// The objects that this process exports on a connection.
///
/// Methods that may suspend run in their own tasks on the connection's loop. Other methods reply at once, in the order
/// of the calls. Only a few calls of one caller run at a time and the others wait, so that a flood from one caller does
/// not delay the rest; see ``ConnectionLimits/runningCallsOfCaller``. A connection has one server. The program must
/// retain it, because the connection does not.
///
///     let server = await ObjectServer(on: bus)
///     try await server.export("/org/example", [ExportedInterface("org.example.Hello1", [
///         .method("Greet", arguments: ["name"], results: ["text"]) { (_, name: String) in "Hello, \(name)" }
///     ])])
///
/// An object with a subject is private. It exists only for callers whose ``Sight`` permits the subject; neither replies
/// nor signals reveal it to others. Its signals are sent one by one to the callers that have asked for private objects.
public actor ObjectServer {
    /// A caller's view of private objects. Throws the error reply for a subject that the caller may not see.
    public typealias Sight = @Sendable (_ subject: String) throws(DBusError) -> Void

    struct Object {
        var interfaces: [ExportedInterface] = []
        var isManager = false
        /// The subject of a private object; `nil` for an object that every caller sees.
        var subject: String?

        func interface(_ name: InterfaceName) -> ExportedInterface? { interfaces.first { $0.name == name } }
    }

    /// The connection that the server uses.
    public nonisolated let connection: Connection
    let mapError: @Sendable (any Error) -> DBusError
    let sight: @Sendable (IncomingCall) async throws -> Sight
    /// The callers that have asked for private objects, the earliest first. The bus never reuses their unique names.
    private var followers: [(name: BusName, sight: Sight)] = []
    var objects: [ObjectPath: Object] = [:]
    /// The paths of the object managers, which are few among many objects.
    private var managerPaths: Set<ObjectPath> = []
    /// The number of announcements about objects and properties so far.
    private var revision = 0
    /// The exports that wait for property values.
    private var exportsUnderWay: [Int: ObjectPath] = [:]
    private var nextExport = 0
    private var shares = CallShares<CallInProgress>()

    /// The loop's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { connection.unownedExecutor }

    /// Creates the server of a connection, without objects. It replaces an earlier server.
    ///
    /// - Parameters:
    ///   - mapError: a closure that converts errors of handlers, except ``DBusError``, to error replies.
    ///   - sight: a closure that returns a caller's view. It runs once for each call of a private object and for each
    ///     listing that may contain one. By default, private objects are visible to no caller.
    public init(
        on connection: Connection,
        mapError: @escaping @Sendable (any Error) -> DBusError = { DBusError(.failed, "\($0)") },
        sight: @escaping @Sendable (IncomingCall) async throws -> Sight = { call in
            { (_: String) throws(DBusError) in throw DBusError(.accessDenied, "it is not for \(call.sender)") }
        }
    ) async {
        self.connection = connection
        self.mapError = mapError
        self.sight = sight
        await connection.setServer(self)
    }

    /// Returns the server of a connection, which several parts of a program can share. Creates it if there is none.
    public static func shared(on connection: Connection) async -> ObjectServer {
        if let server = await connection.objectServer { return server }
        return await ObjectServer(on: connection)
    }

    // MARK: Objects

    /// Exports an object, or adds interfaces to it.
    ///
    /// On return, the object exists and the managers above it have announced it, in one step. If it was unexported
    /// while its properties were read, neither happened.
    ///
    /// - Parameter subject: the subject that makes a new object private; `nil` if every caller sees it. Added
    ///   interfaces are as visible as the object.
    /// - Throws: ``DBusError`` with the name `…ObjectPathInUse` if the object already has one of the interfaces; errors
    ///   of property getters; ``DBusError`` if the announcement cannot be sent. Then nothing is exported.
    public func export(
        _ path: ObjectPath, _ interfaces: [ExportedInterface], about subject: String? = nil
    ) async throws {
        var content: [String: VariantMap] = [:]
        let audience = if let object = objects[path] { object.subject } else { subject }
        if isHeard(about: audience), !managers(above: path).isEmpty {
            nextExport += 1
            let export = nextExport
            exportsUnderWay[export] = path
            defer { exportsUnderWay[export] = nil }
            for interface in interfaces { content[interface.name.text] = try await values(of: interface) }
            // Return if the object was unexported while its values were read.
            guard exportsUnderWay[export] != nil else { return }
        }
        let former = objects[path]
        var names = Set((former?.interfaces ?? []).map { $0.name })
        for interface in interfaces where !names.insert(interface.name).inserted {
            throw DBusError(.objectPathInUse, "\(path) has the interface \(interface.name) already")
        }
        revision += 1
        objects[path, default: Object(subject: subject)].interfaces += interfaces
        do {
            let subject = objects[path]?.subject
            for manager in managers(above: path) {
                try transmit(
                    manager, .objectManager, "InterfacesAdded", [path.dbusValue, content.dbusValue], about: subject)
            }
        } catch {
            objects[path] = former
            throw error
        }
    }

    /// Makes an object the manager of all objects below it.
    public func manage(_ path: ObjectPath) {
        revision += 1
        objects[path, default: Object()].isManager = true
        managerPaths.insert(path)
    }

    /// Removes an object with all its interfaces, which the managers above announce. Does nothing if it does not exist.
    ///
    /// - Throws: ``DBusError`` if the announcement cannot be sent. The object is removed nevertheless.
    public func unexport(_ path: ObjectPath) async throws {
        for (export, exported) in exportsUnderWay where exported == path { exportsUnderWay[export] = nil }
        guard let object = objects.removeValue(forKey: path) else { return }
        revision += 1
        managerPaths.remove(path)
        guard isHeard(about: object.subject) else { return }
        let names = object.interfaces.map { $0.name.text }
        for manager in managers(above: path) {
            try transmit(
                manager, .objectManager, "InterfacesRemoved", [path.dbusValue, names.dbusValue], about: object.subject)
        }
    }

    /// Removes one interface of an object, which the managers above announce; the object itself if it has no other one.
    ///
    /// - Throws: ``DBusError`` if the announcement cannot be sent. The interface is removed nevertheless.
    public func unexport(_ path: ObjectPath, _ interface: InterfaceName) async throws {
        guard let object = objects[path], object.interface(interface) != nil else { return }
        guard object.interfaces.count > 1 || object.isManager else { return try await unexport(path) }
        revision += 1
        objects[path]?.interfaces.removeAll { $0.name == interface }
        guard isHeard(about: object.subject) else { return }
        for manager in managers(above: path) {
            try transmit(
                manager, .objectManager, "InterfacesRemoved", [path.dbusValue, [interface.text].dbusValue],
                about: object.subject)
        }
    }

    private func managers(above path: ObjectPath) -> [ObjectPath] {
        managerPaths.filter { $0 != path && path.isWithin($0) }.sorted()
    }

    // MARK: Signals

    /// Emits a signal of an object to the callers that see it.
    ///
    /// - Throws: ``DBusError`` if the signal cannot be sent; see ``Connection/emit(_:_:_:body:to:)``.
    public func emit<each Item: DBusRepresentable>(
        _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName, _ items: repeat each Item
    ) async throws {
        try transmit(
            path, interface, member, PackedValues.write(repeat each items), about: objects[path]?.subject)
    }

    /// Sends a signal. This need not suspend, because the connection runs on the same executor.
    private func transmit(
        _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName, _ body: [Value], about subject: String?
    ) throws {
        guard let subject else {
            return try connection.assumeIsolated { try $0.emit(path, interface, member, body: body) }
        }
        // A signal without a destination would reach every subscriber.
        for follower in followers where Self.sees(subject, follower.sight) {
            try connection.assumeIsolated { try $0.emit(path, interface, member, body: body, to: follower.name) }
        }
    }

    /// Returns whether any caller is notified of changes of an object. If not, its values need not be read.
    private func isHeard(about subject: String?) -> Bool {
        guard let subject else { return true }
        return followers.contains { Self.sees(subject, $0.sight) }
    }

    static func sees(_ subject: String?, _ sight: Sight?) -> Bool {
        guard let subject else { return true }
        return (try? sight?(subject)) != nil
    }

    /// Notifies a caller of changes from now on, within its view.
    func follow(_ caller: BusName, _ sight: @escaping Sight) async throws {
        let limit = connection.limits.followers
        if followers.count >= limit {
            // Followers are pruned only here. Subscribing to every program that leaves the bus would wake this one up.
            let present = Set(try await connection.names())
            followers.removeAll { !present.contains($0.name) }
            followers.removeFirst(max(0, followers.count - limit + 1))
        }
        followers.removeAll { $0.name == caller }
        followers.append((caller, sight))
    }

    /// Announces that properties changed, with their current values where the interface says so.
    ///
    /// The last announcement has the current state, even if getters suspend and several changes overlap. Unknown
    /// objects and properties are ignored.
    ///
    /// - Throws: errors of getters; ``DBusError`` if the signal cannot be sent.
    public func propertiesChanged(
        _ path: ObjectPath, _ interface: InterfaceName, _ names: [MemberName]
    ) async throws {
        guard let object = objects[path], let exported = object.interface(interface), isHeard(about: object.subject)
        else { return }
        let affected = exported.properties.filter { names.contains($0.name) }
        let invalidated = affected.filter { $0.notice == .invalidation }.map(\.name.text)
        let changed = try await consistently {
            var changed: VariantMap = [:]
            for property in affected where property.notice == .value {
                changed[property.name.text] = try await property.get()
            }
            return changed
        }
        guard !changed.isEmpty || !invalidated.isEmpty, objects[path]?.interface(interface) != nil else { return }
        revision += 1
        try transmit(
            path, .properties, "PropertiesChanged",
            [interface.text.dbusValue, changed.dbusValue, invalidated.dbusValue], about: objects[path]?.subject)
    }

    func values(of interface: ExportedInterface) async throws -> VariantMap {
        var values: VariantMap = [:]
        for property in interface.properties { values[property.name.text] = try await property.get() }
        return values
    }

    /// Reads properties, and reads them again if an announcement was sent while a getter was suspended. Readers assume
    /// that the last message is the newest.
    func consistently<Result>(_ read: () async throws -> Result) async throws -> Result {
        for _ in 0..<64 {
            let seen = revision
            let result = try await read()
            if revision == seen { return result }
        }
        throw DBusError(.failed, "the objects change faster than they can be read; try again later")
    }

    // MARK: Calls

    func receive(_ message: Message) {
        guard let sender = message.sender, let path = message.path, let member = message.member else { return }
        guard let object = objects[path], let (interface, method) = find(member, of: message.interface, in: object)
        else {
            return begin(message, sender) { (server: isolated ObjectServer) in
                try await server.performStandard(message, path, member, sender)
            }
        }
        let call = IncomingCall(
            sender: sender, path: path, interface: interface, member: member, connection: connection)
        switch (object.subject, method.body) {
        case (nil, .immediate(let body)):
            reply(to: message, sender, Result { try body(call, message.body) })
        case (let subject, .immediate(let body)):
            begin(message, sender) { (server: isolated ObjectServer) in
                try await server.admit(call, to: subject)
                return try body(call, message.body)
            }
        case (let subject, .suspending(let body)):
            begin(message, sender) { (server: isolated ObjectServer) in
                try await server.admit(call, to: subject)
                return try await body(call, message.body)
            }
        }
    }

    /// Throws unless the caller may see the subject. Notifies it of changes from now on.
    func admit(_ call: IncomingCall, to subject: String?) async throws {
        guard let subject else { return }
        let sight = try await sight(call)
        try sight(subject)
        try await follow(call.sender, sight)
    }

    /// A call that runs in its own task.
    private struct CallInProgress {
        let message: Message
        let sender: BusName
        let perform: @Sendable (isolated ObjectServer) async throws -> [Value]
    }

    /// Performs a call in its own task, now or after earlier calls of the same caller.
    private func begin(
        _ message: Message, _ sender: BusName,
        _ perform: @escaping @Sendable (isolated ObjectServer) async throws -> [Value]
    ) {
        let call = CallInProgress(message: message, sender: sender, perform: perform)
        switch shares.admit(call, of: sender, cost: message.cost, limits: connection.limits) {
        case .run: start(call)
        case .wait: break
        case .refuse:
            let error = DBusError(.limitsExceeded, "too many calls are under way; try again later")
            reply(to: message, sender, .failure(error))
        }
    }

    private func start(_ call: CallInProgress) {
        let loop = connection.loop
        // The task starts here, so a handler that does not suspend is finished on return.
        loop.promptly {
            Task(executorPreference: loop) { await self.answer(call) }
        }
    }

    private func answer(_ call: CallInProgress) async {
        var result: Result<[Value], any Error>
        do {
            result = .success(try await call.perform(self))
        } catch {
            result = .failure(error)
        }
        reply(to: call.message, call.sender, result)
        if let next = shares.finish(call.message.cost, of: call.sender) { start(next) }
    }

    private func reply(to message: Message, _ sender: BusName, _ result: Result<[Value], any Error>) {
        guard message.expectsReply else { return }
        let known = result.mapError { ($0 as? DBusError) ?? mapError($0) }
        connection.assumeIsolated { $0.reply(toSerial: message.serial, of: sender, with: known) }
    }

    private func find(
        _ member: MemberName, of name: InterfaceName?, in object: Object
    ) -> (InterfaceName, ExportedMember.Method)? {
        for interface in object.interfaces where name == nil || interface.name == name {
            if let method = interface.methods[member] { return (interface.name, method) }
        }
        return nil
    }

    func unknownObject(_ path: ObjectPath) -> DBusError {
        DBusError(.unknownObject, "there is no object \(path.text.cutForMessage()); it may have ended")
    }
}
