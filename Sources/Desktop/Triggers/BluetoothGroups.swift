/// Finds the objects of BlueZ that are one physical device, and keeps the address that identifies it.
///
/// - Several adapters may know one address.
/// - Earbuds may be a set of two (Coordinated Set Identification Profile).
/// - Earbuds may have a public address for classic Bluetooth and a random one for LE Audio. BlueZ has an object for each,
///   which share nothing but the name that the device gives itself.
///
/// A group's address stays the same as long as that object exists, even if a further member comes later.
struct BluetoothGroups {
    /// A device object of BlueZ: a whole device, or a part of one.
    struct Member {
        let device: BluetoothDevice
        /// The name of the device's coordinated set, the same on every adapter; `nil` for a single device.
        let set: String?
        /// The device's own name, or its address.
        let ownName: String
        /// Whether the address is random, as those of LE devices often are.
        let isRandom: Bool

        /// Whether it is the LE part of a device, which may have a classic part.
        fileprivate var isLowEnergyPart: Bool {
            isRandom && !device.clues.services.isDisjoint(with: Self.lowEnergyAudio)
        }
        /// Whether it is the classic part of a device, which may have an LE part.
        fileprivate var isClassicPart: Bool { !isRandom && !device.clues.services.isDisjoint(with: Self.classicAudio) }

        /// The name without the marks by which makers distinguish the LE part from the classic one: `LE_WF-1000XM5`.
        fileprivate var commonName: String {
            var words = ownName.uppercased().split { !$0.isLetter && !$0.isNumber }
            words.removeAll { ["LE", "BLE"].contains($0) }
            return words.joined(separator: " ")
        }

        /// Audio stream control, published audio capabilities and common audio (Assigned Numbers 3.4.2).
        private static let lowEnergyAudio: Set<UInt16> = [0x184e, 0x1850, 0x1853]
        /// A2DP sink, headset and hands-free units (Assigned Numbers 3.3).
        private static let classicAudio: Set<UInt16> = [0x110b, 0x1108, 0x1131, 0x111e]
    }

    /// The addresses that identify devices at present.
    private var leaders: Set<String> = []

    /// Merges the objects of each physical device into one device, which is connected while any of its objects is.
    mutating func united(_ members: [Member]) -> [BluetoothDevice] {
        let devices = Self.groups(of: members).map { unite($0) }.sorted { $0.address < $1.address }
        leaders = Set(devices.map(\.address))
        return devices
    }

    private func unite(_ group: [Member]) -> BluetoothDevice {
        let order = group.sorted { rank($0) < rank($1) }
        var device = order[0].device
        for member in order.dropFirst() {
            if member.device.address != device.address { device.others.insert(member.device.address) }
            device.clues.services.formUnion(member.device.clues.services)
            device.isConnected = device.isConnected || member.device.isConnected
        }
        return device
    }

    /// The order in which members are considered as the one that identifies the device.
    private func rank(_ member: Member) -> (Int, Int, String, Int) {
        let isLeader = leaders.contains(member.device.address)
        let isConnected = member.device.isConnected
        // Of two that were separate devices, the connected one may have a suggestion.
        let former = isLeader ? isConnected ? 0 : 1 : 2
        return (former, member.isRandom ? 1 : 0, member.device.address, isConnected ? 0 : 1)
    }

    /// Returns the objects of each physical device.
    private static func groups(of members: [Member]) -> [[Member]] {
        var groups = Dictionary(grouping: members) { $0.set ?? $0.device.address }
        var classic: [String: [String]] = [:]
        var lowEnergy: [String: [String]] = [:]
        for (key, group) in groups {
            for name in Set(group.filter(\.isClassicPart).map(\.commonName)) { classic[name, default: []].append(key) }
            for name in Set(group.filter(\.isLowEnergyPart).map(\.commonName)) {
                lowEnergy[name, default: []].append(key)
            }
        }
        // Several devices of one name are the same model, whose pairs are unknown.
        for (name, keys) in classic where keys.count == 1 && !name.isEmpty {
            guard let parts = lowEnergy[name], parts.count == 1, parts != keys,
                let part = groups.removeValue(forKey: parts[0])
            else { continue }
            groups[keys[0], default: []] += part
        }
        return Array(groups.values)
    }
}
