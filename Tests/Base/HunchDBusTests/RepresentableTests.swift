import HunchDBus
import Testing

@Suite("Swift types as D-Bus types")
struct RepresentableTests {
    struct Station: DBusStructure, Equatable {
        var name: String
        var frequency: Double
        var tags: [String: Value]
        static let layout = StructureLayout(Station.init(name:frequency:tags:)) { ($0.name, $0.frequency, $0.tags) }
    }

    private func check<Item: DBusRepresentable & Equatable>(_ item: Item, _ type: String) throws {
        #expect(Item.dbusType.description == type)
        #expect(item.dbusValue.type == Item.dbusType)
        #expect(try Item(dbusValue: item.dbusValue) == item)
    }

    @Test("Every conforming type keeps its value and its type")
    func roundTrips() throws {
        try check(UInt8.max, "y")
        try check(true, "b")
        try check(Int16.min, "n")
        try check(UInt16.max, "q")
        try check(Int32.min, "i")
        try check(UInt32.max, "u")
        try check(Int64.min, "x")
        try check(UInt64.max, "t")
        try check(-0.5, "d")
        try check("é", "s")
        try check(ObjectPath("/a"), "o")
        try check(Signature("a{sv}"), "g")
        try check(Value.string("a"), "v")
        try check([UInt8]([1, 2]), "ay")
        try check([UInt8](), "ay")
        try check([String](), "as")
        try check([[UInt8]](), "aay")
        try check([[String]]([["a"], []]), "aas")
        try check(["a": Value.byte(1)], "a{sv}")
        try check([ObjectPath("/a"): ["i": ["p": Value.byte(1)]]], "a{oa{sa{sv}}}")
        try check(Station(name: "a", frequency: 1.5, tags: ["k": .byte(1)]), "(sda{sv})")
        try check([Station(name: "a", frequency: 1.5, tags: [:])], "a(sda{sv})")
    }

    @Test("A value of the wrong type is an error that names both types")
    func mismatches() throws {
        let values: [Value] = [
            .byte(1), .boolean(true), .int16(1), .uint16(1), .int32(1), .uint32(1), .int64(1), .uint64(1), .double(1),
            .string("a"), .objectPath("/"), .signature("s"), .variant(.byte(1)), .bytes([1]), .bytes([]),
            .array(of: .string, []),
            .dictionary(key: .string, value: .variant, []), .structure([.byte(1)]),
        ]
        let types: [any DBusRepresentable.Type] = [
            UInt8.self, Bool.self, Int16.self, UInt16.self, Int32.self, UInt32.self, Int64.self, UInt64.self,
            Double.self,
            String.self, ObjectPath.self, Signature.self, Value.self, [UInt8].self, [String].self, VariantMap.self,
            Station.self,
            [Station].self, UnixDescriptor.self,
        ]
        for type in types {
            for value in values where value.type != type.dbusType {
                let error = #expect(throws: DBusError.self) { try type.init(dbusValue: value) }
                #expect(error?.name == .invalidArgs)
                #expect(error?.message.contains("“\(value.type)”") == true)
            }
        }
        let short = Value.structure([.string("a"), .double(1)])
        #expect(throws: DBusError.self) { try Station(dbusValue: short) }
    }

    @Test("A map gives values of other types that mean the same")
    func otherTypes() throws {
        func read<Item: DBusRepresentable & Equatable>(_ value: Value, as type: Item.Type = Item.self) throws -> Item? {
            try ["k": value].value("k")
        }
        #expect(try read(.int32(5)) == UInt32(5) && read(.uint64(255)) == UInt8(255) && read(.double(-3)) == Int16(-3))
        #expect(try read(.byte(9)) == 9.0 && read(.int64(-9)) == -9.0)
        #expect(try read(.variant(.variant(.uint16(7)))) == Int64(7))
        #expect(try read(.string("/a")) == ObjectPath("/a"))
        #expect(try read(.string("é")) == [0xC3, 0xA9] as [UInt8])
        #expect(try read(.array(of: .int64, [.int64(1), .int64(255)])) == [1, 255] as [UInt8])
        #expect(try read(.array(of: .variant, [.variant(.string("a"))])) == ["a"])
        #expect(try read(["a": "b"].dbusValue) == ["a": Value.string("b")])
        #expect(try read(["a": Value.int32(1), "b": .double(2)].dbusValue) == ["a": 1.0, "b": 2.0])
        let station = Value.structure([.string("a"), .int32(2), ["t": "u"].dbusValue])
        #expect(try read(station) == Station(name: "a", frequency: 2, tags: ["t": .string("u")]))
    }

    @Test(
        "A map refuses values that do not mean the same",
        arguments: [
            .int32(-1), .double(0.5), .double(.nan), .double(.infinity), .uint64(1 << 32), .string("5"), .boolean(true),
            .bytes([5]),
        ] as [Value])
    func otherMeanings(value: Value) {
        let error = #expect(throws: DBusError.self) { try ["k": value].value("k", as: UInt32.self) }
        #expect(error?.name == .invalidArgs && error?.message.hasPrefix("“k” must be ") == true)
    }

    @Test("A variant map gives values, nil, or an error naming the key")
    func variantMap() throws {
        let map: VariantMap = ["Name": .string("a"), "Volume": .double(1)]
        #expect(try map.value("Name") == "a")
        #expect(try map.value("Other", as: String.self) == nil)
        let error = #expect(throws: DBusError.self) { try map.value("Volume", as: String.self) }
        #expect(error?.message.contains("Volume") == true)
    }

    @Test("The last of several entries with the same key counts")
    func repeatedKeys() throws {
        let entries = [1, 2].map { Value.Entry(key: .string("k"), value: .int32($0)) }
        #expect(try [String: Int32](dbusValue: .dictionary(key: .string, value: .int32, entries)) == ["k": 2])
    }
}
