import HunchDBus
internal import HunchModel

/// The devices in BlueZ's object tree, kept up to date by its events.
struct BluetoothTree {
    /// The maximum number of devices. Further ones are ignored. BlueZ itself drops scan results after some minutes.
    static let limit = 1_024

    static let device: InterfaceName = "org.bluez.Device1"
    static let keys: Set<String> = [
        "Address", "Alias", "Name", "Icon", "Class", "Appearance", "UUIDs", "Connected", "Sets",
    ]

    private var properties: [ObjectPath: VariantMap] = [:]
    private var isPresent = false

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
        state = isPresent ? .present(Self.united(properties.values.compactMap(Self.member(from:)))) : .absent
        return true
    }

    /// A device object of BlueZ: a whole device, or one member of a coordinated set.
    private struct Member {
        let device: BluetoothDevice
        /// The name of the device's coordinated set, the same on every adapter; `nil` for a single device.
        let set: String?
    }

    /// Merges the objects of each physical device into one device, which is connected while any of its objects is.
    ///
    /// Several adapters may know one device. Earbuds may be a set of two (Coordinated Set Identification Profile).
    private static func united(_ members: [Member]) -> [BluetoothDevice] {
        var devices: [String: BluetoothDevice] = [:]
        let order = members.sorted {
            ($0.device.address, $0.device.isConnected ? 0 : 1) < ($1.device.address, $1.device.isConnected ? 0 : 1)
        }
        for member in order {
            let key = member.set ?? member.device.address
            guard var device = devices[key] else {
                devices[key] = member.device
                continue
            }
            if member.device.address != device.address { device.others.insert(member.device.address) }
            device.clues.services.formUnion(member.device.clues.services)
            device.isConnected = device.isConnected || member.device.isConnected
            devices[key] = device
        }
        return devices.values.sorted { $0.address < $1.address }
    }

    private mutating func add(_ path: ObjectPath, _ interfaces: ObjectInterfaces) {
        guard let device = interfaces[Self.device] else { return }
        guard properties[path] != nil || properties.count < Self.limit else { return }
        properties[path] = device.filter { Self.keys.contains($0.key) }
    }

    /// Reads a device object. Properties that are missing or of an undocumented type count as unknown. Returns `nil` for
    /// devices that play no sound, such as keyboards.
    private static func member(from map: VariantMap) -> Member? {
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
        return Member(device: device, set: sets.first?.split(separator: "/").last.map(String.init))
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
