internal import CDBus

/// The objects that this process offers on a connection.
///
/// A call of a method that may suspend runs in a task of its own on the connection's loop; others are answered at once. Calls
/// that do not suspend are answered in the order in which they came. Of one caller, a few calls run at a time and the others wait, so
/// that a caller that floods holds up nobody else; see ``ConnectionLimits/runningCallsOfCaller``. A connection has one server, and
/// the objects are there as long as the program holds it: the connection does not.
///
///     let server = await ObjectServer(on: bus)
///     try await server.export("/org/example", [ExportedInterface("org.example.Hello1", [
///         .method("Greet", arguments: ["name"], results: ["text"]) { (_, name: String) in "Hello, \(name)" }
///     ])])
///
/// An object may be about somebody: then it is there for those callers alone whose ``Sight`` reaches it. All others are
/// told neither by answers nor by signals that it exists; its signals go to those one by one who have asked.
public actor ObjectServer {
    /// What a caller sees: throws what it is answered when it may not see what is about a subject.
    public typealias Sight = @Sendable (_ subject: String) throws(DBusError) -> Void

    struct Object {
        var interfaces: [ExportedInterface] = []
        var isManager = false
        /// What it is about; `nil`: everybody sees it.
        var subject: String?

        func interface(_ name: InterfaceName) -> ExportedInterface? { interfaces.first { $0.name == name } }
    }

    /// The connection that it serves.
    public nonisolated let connection: Connection
    let mapError: @Sendable (any Error) -> DBusError
    let sight: @Sendable (IncomingCall) async throws -> Sight
    /// Who has asked for objects that not everybody sees, the first first. Unique names are never given twice.
    private var followers: [(name: BusName, sight: Sight)] = []
    var objects: [ObjectPath: Object] = [:]
    /// Paths of the managers. There are few of them among many objects.
    private var managerPaths: Set<ObjectPath> = []
    /// Counts what has been told about objects and properties.
    private var revision = 0
    /// Exports that wait for the values of properties.
    private var exportsUnderWay: [Int: ObjectPath] = [:]
    private var nextExport = 0
    private var shares = CallShares<CallInProgress>()

    /// The loop's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { connection.unownedExecutor }

    /// Makes the server of a connection, with no objects yet. It replaces a former server.
    ///
    /// - Parameters:
    ///   - mapError: the error reply for what a handler throws and that is no ``DBusError``.
    ///   - sight: finds out what a caller sees, asked once for each call of objects that are about somebody, or of a list
    ///     of them. Without it nobody sees these.
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
        await connection.setCallHandler { [weak self] message in
            guard let self else { return false }
            self.assumeIsolated { $0.receive(message) }
            return true
        }
    }

    // MARK: Objects

    /// Offers an object, or further interfaces of it. It is there, and announced by the managers above it, when this
    /// returns; the two happen at once. When it was taken back meanwhile, neither happens.
    ///
    /// - Parameter subject: what a new object is about, for ``Sight``; `nil`: everybody sees it. Further interfaces are seen
    ///   by those that see the object.
    /// - Throws: ``DBusError`` with the name `…ObjectPathInUse` when the object has one of the interfaces already; what
    ///   the getter of a property throws that is announced to somebody; ``DBusError`` when the announcement cannot be sent.
    ///   Nothing is offered then.
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
            // Taken back while the values were read.
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

    /// Takes an object back, with all its interfaces. Managers above it announce that. Nothing happens when there is no
    /// such object.
    ///
    /// - Throws: ``DBusError`` when the announcement cannot be sent; the object is gone nevertheless.
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

    private func managers(above path: ObjectPath) -> [ObjectPath] {
        managerPaths.filter { $0 != path && path.isWithin($0) }.sorted()
    }

    // MARK: Signals

    /// Emits a signal of an object, to those that see the object.
    ///
    /// - Throws: ``DBusError`` when it cannot be sent; see ``Connection/emit(_:_:_:body:to:)``.
    public func emit<each Item: DBusRepresentable>(
        _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName, _ items: repeat each Item
    ) async throws {
        try transmit(
            path, interface, member, PackedValues.write(repeat each items), about: objects[path]?.subject)
    }

    /// The connection lives on the same executor: without a suspension, nothing comes between.
    private func transmit(
        _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName, _ body: [Value], about subject: String?
    ) throws {
        guard let subject else {
            return try connection.assumeIsolated { try $0.emit(path, interface, member, body: body) }
        }
        // Whoever listens hears a signal that has no receiver.
        for follower in followers where Self.sees(subject, follower.sight) {
            try connection.assumeIsolated { try $0.emit(path, interface, member, body: body, to: follower.name) }
        }
    }

    /// Whether anybody is told of what happens to an object. Values that nobody is told need not be read.
    private func isHeard(about subject: String?) -> Bool {
        guard let subject else { return true }
        return followers.contains { Self.sees(subject, $0.sight) }
    }

    static func sees(_ subject: String?, _ sight: Sight?) -> Bool {
        guard let subject else { return true }
        return (try? sight?(subject)) != nil
    }

    /// Tells a caller of changes from now on, as far as it sees them.
    func follow(_ caller: BusName, _ sight: @escaping Sight) async throws {
        let limit = connection.limits.followers
        if followers.count >= limit {
            // Nobody tells that one has gone: to hear of every program that leaves the bus would wake this one up.
            let present = Set(try await connection.names())
            followers.removeAll { !present.contains($0.name) }
            followers.removeFirst(max(0, followers.count - limit + 1))
        }
        followers.removeAll { $0.name == caller }
        followers.append((caller, sight))
    }

    /// Tells that properties changed, with their present values where the interface says so.
    ///
    /// What is told last is the present state, also when getters suspend and several changes overlap. Names that are no
    /// properties of the interface, and objects that are not there, are passed over.
    ///
    /// - Throws: what a getter throws; ``DBusError`` when the signal cannot be sent.
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

    /// Reads properties; again when something was told about objects or properties while a getter was suspended, since
    /// a reader holds what comes last for the newest.
    func consistently<Result>(_ read: () async throws -> Result) async throws -> Result {
        for _ in 0..<64 {
            let seen = revision
            let result = try await read()
            if revision == seen { return result }
        }
        throw DBusError(.failed, "the objects change faster than they can be read; try again later")
    }

    // MARK: Calls

    private func receive(_ message: Message) {
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

    /// Lets a caller pass that sees an object, and tells it of changes from now on.
    func admit(_ call: IncomingCall, to subject: String?) async throws {
        guard let subject else { return }
        let sight = try await sight(call)
        try sight(subject)
        try await follow(call.sender, sight)
    }

    /// A call that is answered in a task of its own.
    private struct CallInProgress {
        let message: Message
        let sender: BusName
        let perform: @Sendable (isolated ObjectServer) async throws -> [Value]
    }

    /// Answers a call in a task of its own, at once or after earlier calls of the same caller.
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
        // Begun at once: a handler that does not suspend after all is through when this returns.
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
        DBusError(.unknownObject, "there is no object \(path.text.cutForMessage())")
    }
}
