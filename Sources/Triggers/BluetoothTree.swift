import HunchDBus

/// The devices in BlueZ's object tree, kept up to date by its events.
struct BluetoothTree {
    /// Further devices are left out: BlueZ itself drops what it saw in a scan after some minutes.
    static let limit = 1_024

    static let device: InterfaceName = "org.bluez.Device1"
    static let keys: Set<String> = [
        "Address", "Alias", "Name", "Icon", "Class", "Appearance", "UUIDs", "Connected",
    ]

    private var properties: [ObjectPath: VariantMap] = [:]
    private var isPresent = false

    /// What BlueZ says at present.
    private(set) var state = BlueZState.absent

    /// Takes an event over into ``state``.
    ///
    /// - Returns: false when the event tells that BlueZ answers although it was taken to be absent: it hung, and the
    ///   tree has to be read anew.
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
        let devices = properties.values.compactMap(Self.device(from:)).sorted { $0.address < $1.address }
        state = isPresent ? .present(devices) : .absent
        return true
    }

    private mutating func add(_ path: ObjectPath, _ interfaces: ObjectInterfaces) {
        guard let device = interfaces[Self.device] else { return }
        guard properties[path] != nil || properties.count < Self.limit else { return }
        properties[path] = device.filter { Self.keys.contains($0.key) }
    }

    /// What BlueZ leaves out or types otherwise than documented counts as not known.
    private static func device(from map: VariantMap) -> BluetoothDevice? {
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
        return BluetoothDevice(
            address: address, name: String(name.prefix(BluetoothDevice.nameLimit)), clues: clues,
            isConnected: read("Connected", Bool.self) ?? false)
    }

    /// The number of a service that has a short one (Bluetooth Core Specification, volume 3, part B, 2.5.1).
    private static func serviceNumber(_ uuid: String) -> UInt16? {
        let text = uuid.lowercased()
        guard text.count == 36, text.hasPrefix("0000"), text.hasSuffix("-0000-1000-8000-00805f9b34fb") else {
            return nil
        }
        return UInt16(text.dropFirst(4).prefix(4), radix: 16)
    }
}
