public import FoundationEssentials
public import HunchDBus
internal import HunchModel

/// A ``MapValue`` with one list of keys, which reads and writes it. A test compares the list with the interface's XML:
///
/// ```swift
/// public struct PlayerReport: BusValue {
///     public var name = ""
///     public var title: String?
///     public init() {}
///     public static let keys: [BusKey<Self>] = [.key("name", \.name), .key("title", \.title)]
/// }
/// ```
public protocol BusValue: MapValue, Hashable, Sendable {
    /// Creates a value with the defaults of all keys.
    init()
    /// The keys.
    static var keys: [BusKey<Self>] { get }
}

extension BusValue {
    /// Reads a value. Absent keys keep their defaults, unknown keys are ignored.
    ///
    /// - Throws: ``DBusError`` `…InvalidArgs` for a value of the wrong type.
    public init(transfer map: VariantMap) throws(DBusError) {
        self.init()
        for key in Self.keys { try key.read(map, &self) }
    }

    /// Reads a request from an untrusted caller, and limits its texts.
    ///
    /// - Throws: ``DBusError`` `…InvalidArgs` for a value of the wrong type, `InvalidInput` for text of more than
    ///   4,096 bytes, and for an unknown key.
    public init(request map: VariantMap) throws(DBusError) {
        try map.checkKeys(Self.keys.map(\.name))
        for key in Self.keys {
            if case .string? = map[key.name] { _ = try map.text(key.name) }
        }
        try self.init(transfer: map)
    }

    /// The value with its keys. Absent values have no key.
    public var transfer: VariantMap {
        var map: VariantMap = [:]
        for key in Self.keys { map[key.name] = key.write(self) }
        return map
    }
}

/// A key of a ``BusValue``.
public struct BusKey<Root: Sendable>: Sendable {
    /// The name on the bus.
    public let name: String
    /// The D-Bus type of its values.
    public let type: ValueType
    fileprivate let read: @Sendable (VariantMap, inout Root) throws(DBusError) -> Void
    fileprivate let write: @Sendable (Root) -> Value?

    /// A key that is always present.
    public static func key<Held: DBusRepresentable>(
        _ name: String, _ path: any WritableKeyPath<Root, Held> & Sendable
    ) -> BusKey {
        BusKey(name: name, type: Held.dbusType) { map, root throws(DBusError) in
            if let value = try map.value(name, as: Held.self) { root[keyPath: path] = value }
        } write: {
            $0[keyPath: path].dbusValue
        }
    }

    /// A key with a date, which may be absent.
    public static func date(_ name: String, _ path: any WritableKeyPath<Root, Date?> & Sendable) -> BusKey {
        BusKey(name: name, type: .uint64) { map, root throws(DBusError) in
            root[keyPath: path] = try map.date(microseconds: name)
        } write: {
            $0[keyPath: path].map { .uint64($0.microseconds) }
        }
    }

    /// A key that may be absent.
    public static func key<Held: DBusRepresentable>(
        _ name: String, _ path: any WritableKeyPath<Root, Held?> & Sendable
    ) -> BusKey {
        BusKey(name: name, type: Held.dbusType) { map, root throws(DBusError) in
            root[keyPath: path] = try map.value(name, as: Held.self)
        } write: {
            $0[keyPath: path]?.dbusValue
        }
    }
}
