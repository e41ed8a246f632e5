extension ObjectServer {
    /// The standard methods that every object has. libdbus itself answers `Peer`.
    enum StandardMethod {
        case get, set, getAll, introspect, managedObjects

        init?(_ interface: InterfaceName?, _ member: MemberName) {
            switch (interface, member) {
            case (.properties?, "Get"), (nil, "Get"): self = .get
            case (.properties?, "Set"), (nil, "Set"): self = .set
            case (.properties?, "GetAll"), (nil, "GetAll"): self = .getAll
            case (.introspectable?, "Introspect"), (nil, "Introspect"): self = .introspect
            case (.objectManager?, "GetManagedObjects"), (nil, "GetManagedObjects"): self = .managedObjects
            default: return nil
            }
        }
    }

    /// Performs a call that no exported method handles, or throws an error that names what is missing.
    func performStandard(
        _ message: Message, _ path: ObjectPath, _ member: MemberName, _ sender: BusName
    ) async throws -> [Value] {
        let call = IncomingCall(
            sender: sender, path: path, interface: message.interface ?? .properties, member: member,
            connection: connection)
        let method = StandardMethod(message.interface, member)
        // These two omit the objects that the caller may not see.
        if method != .introspect, method != .managedObjects { try await admit(call, to: objects[path]?.subject) }
        switch method {
        case .introspect:
            try message.arguments()
            let isPartial = objects.contains { $1.subject != nil && $0.isWithin(path) }
            return [.string(try introspect(path, isPartial ? try await sight(call) : nil))]
        case .managedObjects:
            try message.arguments()
            return [try await managedObjects(path, call).dbusValue]
        case .get:
            let (interface, name) = try message.arguments(String.self, String.self)
            let property = try property(path, interface, name)
            return [.variant(try await consistently { try await property.get() })]
        case .getAll:
            let interface = try exported(path, message.arguments(String.self))
            return [try await consistently { try await values(of: interface) }.dbusValue]
        case .set:
            let (interface, name, value) = try message.arguments(String.self, String.self, Value.self)
            let property = try property(path, interface, name)
            guard let set = property.set else { throw DBusError(.propertyReadOnly, "\(name) cannot be set") }
            let call = IncomingCall(
                sender: sender, path: path, interface: try InterfaceName(interface), member: property.name,
                connection: connection)
            try await set(call, value)
            return []
        case nil:
            guard let object = objects[path] else { throw unknownObject(path) }
            let standard: [InterfaceName] = [.properties, .introspectable, .objectManager]
            if let interface = message.interface, object.interface(interface) == nil, !standard.contains(interface) {
                throw DBusError(.unknownInterface, "\(path) has no interface \(interface)")
            }
            let methods = object.interfaces.filter { [nil, $0.name].contains(message.interface) }.flatMap(
                \.methods.keys)
            throw DBusError(
                .unknownMethod,
                "\(message.interface?.text ?? path.text) has no method \(member)\(Self.offer(methods.map(\.text)))")
        }
    }

    private func exported(_ path: ObjectPath, _ name: String) throws(DBusError) -> ExportedInterface {
        guard let object = objects[path] else { throw unknownObject(path) }
        guard let interface = object.interfaces.first(where: { $0.name.text == name }) else {
            throw DBusError(.unknownInterface, "\(path) has no interface \(name.cutForMessage())")
        }
        return interface
    }

    /// Returns the end of a sentence about an unknown name: the known ones.
    private static func offer(_ names: [String]) -> String {
        names.isEmpty ? "" : "; it has \(names.sorted().joined(separator: ", "))"
    }

    private func property(
        _ path: ObjectPath, _ interface: String, _ name: String
    ) throws(DBusError) -> ExportedMember.Property {
        let known = try exported(path, interface)
        guard let property = known.property(name) else {
            throw DBusError(
                .unknownProperty,
                "\(interface) has no property \(name.cutForMessage())\(Self.offer(known.properties.map(\.name.text)))")
        }
        return property
    }

    private func managedObjects(
        _ path: ObjectPath, _ call: IncomingCall
    ) async throws -> [ObjectPath: [String: VariantMap]] {
        guard let manager = objects[path] else { throw unknownObject(path) }
        guard manager.isManager else {
            throw DBusError(.unknownInterface, "\(path) has no interface \(InterfaceName.objectManager)")
        }
        let sight = try await sight(call)
        try await follow(call.sender, sight)
        return try await consistently {
            var managed: [ObjectPath: [String: VariantMap]] = [:]
            for (child, object) in objects
            where child != path && child.isWithin(path) && Self.sees(object.subject, sight) {
                var interfaces: [String: VariantMap] = [:]
                for interface in object.interfaces { interfaces[interface.name.text] = try await values(of: interface) }
                managed[child] = interfaces
            }
            return managed
        }
    }

    private func introspect(_ path: ObjectPath, _ sight: Sight?) throws(DBusError) -> String {
        let prefix = path == .root ? "/" : path.text + "/"
        let below = objects.filter {
            $0 != path && $0.text.hasPrefix(prefix) && Self.sees($1.subject, sight)
        }.keys
        let object = objects[path].flatMap { Self.sees($0.subject, sight) ? $0 : nil }
        guard object != nil || !below.isEmpty || path == .root else { throw unknownObject(path) }
        let children = Set(below.compactMap { $0.text.dropFirst(prefix.count).split(separator: "/").first })
        var interfaces = object?.interfaces ?? []
        if object != nil { interfaces += Self.standardInterfaces }
        if object?.isManager == true { interfaces.append(Self.managerInterface) }
        return Introspection.node(interfaces: interfaces, children: children.sorted().map(String.init))
    }

    // Described for introspection only. `performStandard` implements them, because they need the whole server.

    private static let standardInterfaces: [ExportedInterface] = [
        ExportedInterface(
            .properties,
            [
                described("Get", ["interface_name": .string, "property_name": .string], ["value": .variant]),
                described(
                    "GetAll", ["interface_name": .string], ["properties": .dictionary(key: .string, value: .variant)]),
                described("Set", ["interface_name": .string, "property_name": .string, "value": .variant], [:]),
                .signal(
                    "PropertiesChanged", arguments: ["interface_name", "changed_properties", "invalidated_properties"],
                    String.self, VariantMap.self, [String].self),
            ]),
        ExportedInterface(.introspectable, [described("Introspect", [:], ["xml_data": .string])]),
        ExportedInterface(
            .peer, [described("Ping", [:], [:]), described("GetMachineId", [:], ["machine_uuid": .string])]),
    ]

    private static let managerInterface = ExportedInterface(
        .objectManager,
        [
            described("GetManagedObjects", [:], ["objects": [ObjectPath: [String: VariantMap]].dbusType]),
            .signal(
                "InterfacesAdded", arguments: ["object", "interfaces"], ObjectPath.self, [String: VariantMap].self),
            .signal("InterfacesRemoved", arguments: ["object", "interfaces"], ObjectPath.self, [String].self),
        ])

    private static func described(
        _ name: MemberName, _ inputs: KeyValuePairs<String, ValueType>, _ outputs: KeyValuePairs<String, ValueType>
    ) -> ExportedMember {
        ExportedMember(
            content: .method(
                ExportedMember.Method(
                    name: name, inputs: inputs.map { ExportedMember.Argument(name: $0.key, type: $0.value) },
                    outputs: outputs.map { ExportedMember.Argument(name: $0.key, type: $0.value) },
                    body: .immediate { _, _ in throw DBusError(.unknownMethod, "\(name) is answered by the server") })))
    }
}
