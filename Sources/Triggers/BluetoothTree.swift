import HunchDBus
internal import HunchModel

/// The devices in BlueZ's object tree, kept up to date by its events.
struct BluetoothTree {
    /// Further devices are left out: BlueZ itself drops what it saw in a scan after some minutes.
    static let limit = 1_024

    static let device: InterfaceName = "org.bluez.Device1"
    static let keys: Set<String> = [
        "Address", "Alias", "Name", "Icon", "Class", "Appearance", "UUIDs", "Connected", "Sets",
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
        state = isPresent ? .present(Self.united(properties.values.compactMap(Self.member(from:)))) : .absent
        return true
    }

    /// An object of BlueZ's, which may be all that a person has in hand or a part of it.
    private struct Member {
        let device: BluetoothDevice
        /// What the coordinated set is called that it belongs to, on whichever adapter; nil for a device by itself.
        let set: String?
    }

    /// One device for each that a person has in hand: several adapters may know it, and two earbuds may be one set of two
    /// members (Coordinated Set Identification Profile). It is connected while any of them is.
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

    /// What BlueZ leaves out or types otherwise than documented counts as not known.
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
        // `a{oa{sv}}`: the sets that it belongs to, which is one for all that is known.
        let sets = (read("Sets", [ObjectPath: VariantMap].self) ?? [:]).keys.map(\.text).sorted()
        return Member(device: device, set: sets.first?.split(separator: "/").last.map(String.init))
    }

    /// The number of a service that has a short one (Bluetooth Core Specification, volume 3, part B, 2.5.1).
    private static func serviceNumber(_ uuid: String) -> UInt16? {
        let text = uuid.lowercased()
        guard text.count == 36, text.hasPrefix("0000"), text.hasSuffix("-0000-1000-8000-00805f9b34fb") else {
            return nil
        }
        return UInt16(text.dropFirst(4).cut(to: 4), radix: 16)
    }
}
