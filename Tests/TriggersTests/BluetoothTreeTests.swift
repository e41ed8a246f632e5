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
