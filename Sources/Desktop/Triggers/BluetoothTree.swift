package import HunchDBus
internal import HunchModel

/// The devices in BlueZ's object tree, kept up to date by its events.
package struct BluetoothTree {
    /// The maximum number of devices. Further ones are ignored. BlueZ itself drops scan results after some minutes.
    static let limit = 1_024

    package static let device: InterfaceName = "org.bluez.Device1"
    package static let keys: Set<String> = [
        "Address", "AddressType", "Alias", "Name", "Icon", "Class", "Appearance", "UUIDs", "Connected", "Sets",
    ]

    private var properties: [ObjectPath: VariantMap] = [:]
    private var isPresent = false
    private var groups = BluetoothGroups()

    /// The current state of BlueZ.
    private(set) var state = BlueZState.absent

    /// Applies an event to ``state``.
    ///
    /// - Returns: `false` if BlueZ counted as absent but sends events: it hung, and the tree must be read again.
    mutating func apply(_ event: ObjectTreeEvent) -> Bool {
        switch event {
        case .available(let objects):
            isPresent = true
            properties = [:]
            for (path, interfaces) in objects { add(path, interfaces) }
        case .unavailable:
            isPresent = false
            properties = [:]
        case .added(let path, let interfaces):
            guard isPresent else { return false }
            add(path, interfaces)
        case .removed(let path, let interfaces):
            guard isPresent else { return false }
            if interfaces.contains(Self.device) { properties[path] = nil }
        case .changed(let path, let interface, let changed, let invalidated):
            guard isPresent else { return false }
            guard interface == Self.device, properties[path] != nil else { return true }
            for key in invalidated { properties[path]?[key] = nil }
            properties[path]?.merge(changed.filter { Self.keys.contains($0.key) }) { $1 }
        }
        state = isPresent ? .present(groups.united(properties.values.compactMap(Self.member(from:)))) : .absent
        return true
    }

    private mutating func add(_ path: ObjectPath, _ interfaces: ObjectInterfaces) {
        guard let device = interfaces[Self.device] else { return }
        guard properties[path] != nil || properties.count < Self.limit else { return }
        properties[path] = device.filter { Self.keys.contains($0.key) }
    }

    /// Reads a device object. Properties that are missing or of an undocumented type count as unknown. Returns `nil` for
    /// devices that play no sound, such as keyboards.
    private static func member(from map: VariantMap) -> BluetoothGroups.Member? {
        func read<Result: DBusRepresentable>(_ key: String, _ type: Result.Type) -> Result? {
            map[key].flatMap { try? Result(dbusValue: $0.unwrapped) }
        }
        guard let address = read("Address", String.self).flatMap({ BluetoothDevice.address($0) }) else { return nil }
        let names = [read("Alias", String.self), read("Name", String.self)]
        let name = names.compactMap { $0 }.first { !$0.isEmpty } ?? address
        let clues = DeviceClues(
            services: Set((read("UUIDs", [String].self) ?? []).compactMap(serviceNumber)),
            appearance: read("Appearance", UInt16.self) ?? 0, deviceClass: read("Class", UInt32.self) ?? 0,
            icon: read("Icon", String.self) ?? "")
        guard clues.playsSound else { return nil }
        let device = BluetoothDevice(
            address: address, name: name.cut(to: BluetoothDevice.nameLimit), clues: clues,
            isConnected: read("Connected", Bool.self) ?? false)
        // `a{oa{sv}}`: the sets that the device belongs to. All known devices belong to at most one.
        let sets = (read("Sets", [ObjectPath: VariantMap].self) ?? [:]).keys.map(\.text).sorted()
        return BluetoothGroups.Member(
            device: device, set: sets.first?.split(separator: "/").last.map(String.init),
            ownName: read("Name", String.self) ?? name, isRandom: read("AddressType", String.self) == "random")
    }

    /// Returns the 16-bit number of a service that has one (Bluetooth Core Specification, volume 3, part B, 2.5.1).
    private static func serviceNumber(_ uuid: String) -> UInt16? {
        let text = uuid.lowercased()
        guard text.count == 36, text.hasPrefix("0000"), text.hasSuffix("-0000-1000-8000-00805f9b34fb") else {
            return nil
        }
        return UInt16(text.dropFirst(4).cut(to: 4), radix: 16)
    }
}
