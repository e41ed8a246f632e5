internal import Triggers
import HunchDBus
internal import HunchModel

/// Conversion of BlueZ's objects to and from JSON, limited to the relevant properties of `org.bluez.Device1`. The
/// types are those of BlueZ's `doc/org.bluez.Device.rst`.
extension BlueZObservation {
    private static let events = ["objects", "added", "changed", "removed", "gone", "unreachable"]

    init(_ fields: TraceFields) throws(TraceError) {
        switch try fields.word("event", of: Self.events) {
        case "objects":
            var objects: [ObjectPath: ObjectInterfaces] = [:]
            let given = try fields.object("objects") ?? TraceFields([:])
            for text in given.values.keys.sorted() {
                objects[try Self.path(text)] = try Self.interfaces(try given.requiredObject(text))
            }
            self = .event(.available(objects))
        case "added":
            let path = try Self.path(try fields.requiredText("path"))
            self = .event(.added(path, try Self.interfaces(try fields.requiredObject("interfaces"))))
        case "changed":
            let path = try Self.path(try fields.requiredText("path"))
            let properties = try Self.properties(try fields.object("changed") ?? TraceFields([:]))
            let invalidated = try fields.texts("invalidated") ?? []
            self = .event(.changed(path, try Self.interface(fields), properties, invalidated: invalidated))
        case "removed":
            let path = try Self.path(try fields.requiredText("path"))
            let interfaces = try fields.texts("interfaces")?.compactMap { try? InterfaceName($0) }
            self = .event(.removed(path, interfaces ?? [BluetoothTree.device]))
        case "gone": self = .event(.unavailable)
        default: self = .unreachable(try fields.text("reason") ?? "")
        }
    }

    private static func path(_ text: String) throws(TraceError) -> ObjectPath {
        guard let path = try? ObjectPath(text) else { throw TraceError("“\(text.cut(to: 80))” is not an object path") }
        return path
    }

    private static func interface(_ fields: TraceFields) throws(TraceError) -> InterfaceName {
        guard let text = try fields.text("interface") else { return BluetoothTree.device }
        guard let name = try? InterfaceName(text) else { throw TraceError("“interface” is not an interface name") }
        return name
    }

    private static func interfaces(_ fields: TraceFields) throws(TraceError) -> ObjectInterfaces {
        guard let device = try fields.object(BluetoothTree.device.text) else { return [:] }
        return [BluetoothTree.device: try properties(device)]
    }

    private static func properties(_ fields: TraceFields) throws(TraceError) -> VariantMap {
        var properties: VariantMap = [:]
        for key in ["Address", "AddressType", "Alias", "Name", "Icon"] {
            properties[key] = try fields.text(key).map(Value.string)
        }
        properties["UUIDs"] = try fields.texts("UUIDs")?.dbusValue
        if let paths = try fields.texts("Sets") {
            var sets: [ObjectPath: VariantMap] = [:]
            for text in paths { sets[try path(text)] = [:] }
            properties["Sets"] = sets.dbusValue
        }
        properties["Connected"] = try fields.boolean("Connected").map(Value.boolean)
        if let number = try fields.integer("Class") {
            guard let number = UInt32(exactly: number) else { throw TraceError("“Class” must fit 32 bits") }
            properties["Class"] = .uint32(number)
        }
        if let number = try fields.integer("Appearance") {
            guard let number = UInt16(exactly: number) else { throw TraceError("“Appearance” must fit 16 bits") }
            properties["Appearance"] = .uint16(number)
        }
        return properties
    }

    var fields: [String: TraceValue] {
        switch self {
        case .event(.available(let objects)):
            var devices: [String: TraceValue] = [:]
            for (path, interfaces) in objects where interfaces[BluetoothTree.device] != nil {
                devices[path.text] = Self.value(interfaces)
            }
            return ["event": .text("objects"), "objects": .object(devices)]
        case .event(.added(let path, let interfaces)):
            return ["event": .text("added"), "path": .text(path.text), "interfaces": Self.value(interfaces)]
        case .event(.changed(let path, let interface, let changed, let invalidated)):
            var fields: [String: TraceValue] = [
                "event": .text("changed"), "path": .text(path.text), "interface": .text(interface.text),
                "changed": .object(Self.value(changed)),
            ]
            if !invalidated.isEmpty { fields["invalidated"] = .list(invalidated.map(TraceValue.text)) }
            return fields
        case .event(.removed(let path, let interfaces)):
            return [
                "event": .text("removed"), "path": .text(path.text),
                "interfaces": .list(interfaces.map { .text($0.text) }),
            ]
        case .event(.unavailable): return ["event": .text("gone")]
        case .unreachable(let reason): return ["event": .text("unreachable"), "reason": .text(reason)]
        }
    }

    private static func value(_ interfaces: ObjectInterfaces) -> TraceValue {
        .object([BluetoothTree.device.text: .object(value(interfaces[BluetoothTree.device] ?? [:]))])
    }

    private static func value(_ properties: VariantMap) -> [String: TraceValue] {
        var values: [String: TraceValue] = [:]
        for key in BluetoothTree.keys {
            switch properties[key]?.unwrapped {
            case .string(let text): values[key] = .text(text)
            case .boolean(let value): values[key] = .boolean(value)
            case .uint32(let number): values[key] = .integer(Int64(number))
            case .uint16(let number): values[key] = .integer(Int64(number))
            case .array(_, let items):
                values[key] = .list(items.compactMap { if case .string(let text) = $0 { .text(text) } else { nil } })
            case .dictionary(_, _, let entries):
                values[key] = .list(
                    entries.map(\.key).compactMap {
                        if case .objectPath(let path) = $0 { .text(path.text) } else { nil }
                    })
            default: break
            }
        }
        return values
    }
}
