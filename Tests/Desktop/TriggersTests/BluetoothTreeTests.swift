import HunchDBus
import Testing

@testable import Triggers

@Suite("BlueZ object tree")
struct BluetoothTreeTests {
    private let path: ObjectPath = "/org/bluez/hci0/dev_00_11_22_33_44_55"
    private let device: InterfaceName = "org.bluez.Device1"
    private let headset: VariantMap = [
        "Address": .string("00:11:22:33:44:55"), "Alias": .string("Mine"), "Name": .string("WH-1000"),
        "Class": .uint32(0x24_0404), "Icon": .string("audio-headset"), "Connected": .boolean(true),
        "UUIDs": .array(of: .string, [.string("0000110B-0000-1000-8000-00805F9B34FB"), .string("made-up")]),
    ]

    private func devices(_ events: ObjectTreeEvent...) -> [BluetoothDevice]? {
        var tree = BluetoothTree()
        for event in events { _ = tree.apply(event) }
        if case .present(let devices) = tree.state { return devices }
        return nil
    }

    @Test("A device is read as BlueZ documents it")
    func documented() {
        let found = devices(.available([path: [device: headset]]))
        #expect(
            found == [
                BluetoothDevice(
                    address: "00:11:22:33:44:55", name: "Mine",
                    clues: DeviceClues(services: [0x110b], deviceClass: 0x24_0404, icon: "audio-headset"),
                    isConnected: true)
            ])
    }

    @Test("Changes, invalidations, additions and removals are applied")
    func changes() {
        let snapshot = ObjectTreeEvent.available([:])
        let added = ObjectTreeEvent.added(path, [device: headset])
        #expect(devices(snapshot, added)?.count == 1)
        #expect(devices(snapshot, added, .removed(path, [device]))?.isEmpty == true)
        #expect(devices(snapshot, added, .removed(path, ["org.bluez.Battery1"]))?.count == 1)
        let gone = ObjectTreeEvent.changed(path, device, ["Connected": .boolean(false)], invalidated: ["Alias"])
        #expect(devices(snapshot, added, gone)?.first?.isConnected == false)
        #expect(devices(snapshot, added, gone)?.first?.name == "WH-1000")
        let other = ObjectTreeEvent.changed(
            path, "org.bluez.Battery1", ["Connected": .boolean(false)], invalidated: ["Address"])
        #expect(devices(snapshot, added, other)?.first?.isConnected == true)
        #expect(devices(snapshot, added, .unavailable) == nil)
        #expect(devices(snapshot, added, .unavailable, snapshot)?.isEmpty == true)
    }

    @Test(
        "Earbuds of a set and a device on two adapters are one device"
    )
    func united() {
        func member(_ address: String, of set: String?, isConnected: Bool = false) -> [InterfaceName: VariantMap] {
            let sets: Value? = set.map { set in
                // `a{oa{sv}}`, as BlueZ has it.
                let rank: VariantMap = ["Rank": .byte(1)]
                return ((try? ObjectPath(set)).map { [$0: rank] } ?? [:]).dbusValue
            }
            var properties = headset.merging(["Address": .string(address), "Connected": .boolean(isConnected)]) { $1 }
            properties["Sets"] = sets
            return [device: properties]
        }
        let (left, right) = ("00:11:22:33:44:55", "00:11:22:33:44:56")
        let buds = devices(
            .available([
                "/a": member(right, of: "/org/bluez/hci1/set_77", isConnected: true),
                "/b": member(left, of: "/org/bluez/hci0/set_77"), "/c": member("00:11:22:33:44:57", of: nil),
            ]))
        #expect(buds?.map(\.address) == [left, "00:11:22:33:44:57"])
        #expect(buds?.map(\.others) == [[right], []])
        #expect(buds?.map(\.isConnected) == [true, false])
        for order in [["/a", "/b"], ["/b", "/a"]] as [[ObjectPath]] {
            let twice = devices(
                .available([order[0]: member(left, of: nil, isConnected: true), order[1]: member(left, of: nil)]))
            #expect(twice?.map(\.isConnected) == [true] && twice?.first?.others == [])
        }
        let odd = headset.merging(["Sets": .string("set_77")]) { $1 }
        #expect(devices(.available(["/a": [device: odd]]))?.first?.others == [])
    }

    /// An object of BlueZ: the classic part of a device, or an LE part, with a random address.
    private func part(
        _ address: String, _ name: String, isLowEnergy: Bool = false, set: ObjectPath? = nil, isConnected: Bool = false
    ) -> ObjectInterfaces {
        let numbers = isLowEnergy ? ["184e", "1850", "1846"] : ["110b", "111e"]
        let rank: VariantMap = ["Rank": .byte(1)]
        var properties: VariantMap = [
            "Address": .string(address), "AddressType": .string(isLowEnergy ? "random" : "public"),
            "Name": .string(name), "Alias": .string(name), "Connected": .boolean(isConnected),
            "UUIDs": numbers.map { "0000\($0)-0000-1000-8000-00805f9b34fb" }.dbusValue,
        ]
        if let set { properties["Sets"] = [set: rank].dbusValue }
        return [device: properties]
    }

    @Test(
        "Earbuds with a public and a random address are one device",
        arguments: [
            ("WF-1000XM5", "LE_WF-1000XM5"), ("Galaxy Buds2 Pro", "Galaxy Buds2 Pro"),
            ("Pixel Buds Pro 2", "Pixel Buds Pro 2"),
            ("Jabra Elite 10", "LE-Jabra Elite 10"), ("Linkbuds S", "LE_Linkbuds S"),
            ("EarFun Air Pro 4", "EarFun Air Pro 4 (LE)"),
            ("OnePlus Buds 3", "OnePlus Buds 3-LE"), ("vivo TWS Air2", "vivo TWS Air2 BLE"),
            ("Momentum 4", "LE-MOMENTUM 4"),
            ("Nothing Ear", "NOTHING EAR"), ("耳机", "LE_耳机"),
        ])
    func lowEnergyPart(classic: String, lowEnergy: String) {
        let found = devices(
            .available([
                "/a": part("F2:00:00:00:00:01", lowEnergy, isLowEnergy: true, isConnected: true),
                "/b": part("AC:80:0A:00:00:01", classic),
            ]))
        #expect(found?.map(\.address) == ["AC:80:0A:00:00:01"] && found?.first?.others == ["F2:00:00:00:00:01"])
        #expect(found?.first?.isConnected == true && found?.first?.name == classic)
    }

    @Test("Other devices of the same name stay apart")
    func apart() {
        let (one, two) = (part("AC:80:0A:00:00:01", "Buds"), part("AC:80:0A:00:00:02", "Buds"))
        let (low, lower) = (
            part("F2:00:00:00:00:01", "Buds", isLowEnergy: true), part("F2:00:00:00:00:02", "Buds", isLowEnergy: true)
        )
        #expect(devices(.available(["/a": one, "/b": two]))?.count == 2)
        #expect(devices(.available(["/a": low, "/b": lower]))?.count == 2)
        #expect(devices(.available(["/a": one, "/b": two, "/c": low]))?.count == 3)
        #expect(devices(.available(["/a": one, "/c": low, "/d": lower]))?.count == 3)
        #expect(
            devices(.available(["/a": one, "/c": part("F2:00:00:00:00:01", "Other", isLowEnergy: true)]))?.count == 2)
        #expect(devices(.available(["/a": part("AC:80:0A:00:00:01", "LE"), "/c": low]))?.count == 2)
    }

    @Test("A member that joins a device later does not change its address")
    func later() {
        let set: ObjectPath = "/org/bluez/hci0/set_4802"
        func member(_ number: Int, isConnected: Bool, of set: ObjectPath?) -> ObjectInterfaces {
            part("F2:00:00:00:00:0\(number)", "Buds", isLowEnergy: true, set: set, isConnected: isConnected)
        }
        var tree = BluetoothTree()
        func expect(_ addresses: [String], _ when: Comment) {
            guard case .present(let devices) = tree.state else { return #expect(Bool(false), when) }
            #expect(devices.map(\.address) == addresses && devices.first?.isConnected == true, when)
        }
        let (second, first, classic) = ("F2:00:00:00:00:02", "F2:00:00:00:00:01", "AC:80:0A:00:00:01")
        _ = tree.apply(.available(["/b": member(2, isConnected: true, of: nil)]))
        expect([second], "one bud")
        _ = tree.apply(.added("/b", member(2, isConnected: true, of: set)))
        _ = tree.apply(.added("/a", member(1, isConnected: false, of: set)))
        expect([second], "the other bud, with a lower address")
        _ = tree.apply(.added("/c", part(classic, "LE_Buds")))
        expect([second], "their classic address")
        _ = tree.apply(.added("/a", member(1, isConnected: true, of: set)))
        _ = tree.apply(.removed("/c", [device]))
        expect([second], "the classic address goes")
        _ = tree.apply(.removed("/b", [device]))
        expect([first], "the first bud goes")
    }

    @Test("Missing, mistyped or malformed properties are ignored")
    func malformed() {
        let hostile: [VariantMap] = [
            [:], ["Address": .uint32(7)], ["Address": .string("")], ["Address": .string("/etc/passwd")],
            headset.merging(["Address": .string("00:11:22:33:44:5")]) { $1 },
        ]
        for properties in hostile { #expect(devices(.available([path: [device: properties]]))?.isEmpty == true) }
        let odd = headset.merging([
            "Connected": .string("yes"), "Class": .string("big"), "UUIDs": .string("none"), "Alias": .boolean(true),
        ]) { $1 }
        let found = devices(.available([path: [device: odd]]))?.first
        #expect(found?.isConnected == false)
        #expect(found?.name == "WH-1000")
        #expect(found?.clues == DeviceClues(icon: "audio-headset"))
        let long = headset.merging(["Alias": .string(String(repeating: "x", count: 100_000))]) { $1 }
        #expect(devices(.available([path: [device: long]]))?.first?.name.count == BluetoothDevice.nameLimit)
    }

    @Test("The number of devices is limited")
    func bounded() throws {
        var objects: [ObjectPath: ObjectInterfaces] = [:]
        for number in 0..<3_000 {
            let digits = String(number + 0x1000, radix: 16)
            let properties = headset.merging(["Address": .string("00:00:00:00:\(digits.prefix(2)):\(digits.suffix(2))")]
            ) { $1 }
            objects[try ObjectPath("/org/bluez/hci0/dev_\(number)")] = [device: properties]
        }
        #expect(devices(.available(objects))?.count == BluetoothTree.limit)
    }

    @Test("A change while BlueZ counts as absent requests a new tree")
    func hung() {
        var tree = BluetoothTree()
        let answers = [
            tree.apply(.unavailable),
            tree.apply(.changed(path, device, ["Connected": .boolean(true)], invalidated: [])),
            tree.apply(.added(path, [device: headset])), tree.apply(.available([path: [device: headset]])),
        ]
        #expect(answers == [true, false, false, true])
    }
}
