import SeededRandom
import TestSupport
import Testing

@testable import HunchDBus

@Suite("Values")
struct ValueTests {
    @Test("Random values of random types survive a round trip")
    func roundTrip() throws {
        var random = RandomValues(SplitMix64(seed: 6))
        for round in 0..<4_000 {
            let values = (0..<(round % 4)).map { _ in random.value(of: random.type()) }
            let form = try MessageForm()
            try form.write(values)
            let read = try form.read().body
            #expect(read == values, "round \(round)")
            #expect(read.map(\.type) == values.map(\.type))
        }
    }

    @Test("The computed length equals the encoded length")
    func length() throws {
        var random = RandomValues(SplitMix64(seed: 7))
        for round in 0..<1_000 {
            let values = [random.value(of: random.type())]
            let form = try MessageForm()
            let reckoned = try form.write(values)
            let empty = try MessageForm()
            // The header grows by the signature's field, and ends at a multiple of 8.
            let signature = try Signature(of: values.map(\.type)).text.utf8.count
            let header = (try empty.marshalledLength() - 0 + 7) / 8 * 8
            let field = 1 + 3 + 1 + signature + 1
            let length = try form.marshalledLength()
            #expect(length - reckoned >= header && length - reckoned <= header + (field + 15) / 8 * 8, "round \(round)")
        }
    }

    @Test("Arrays and structures nest 32 levels deep and no deeper")
    func nesting() throws {
        func nested(arrays: Int, structures: Int) -> Value {
            var value = Value.byte(7)
            for _ in 0..<structures { value = .structure([value]) }
            for _ in 0..<arrays { value = .array(of: value.type, [value]) }
            return value
        }
        let form = try MessageForm()
        try form.write([nested(arrays: 32, structures: 32)])
        #expect(try form.read().body == [nested(arrays: 32, structures: 32)])
        for (arrays, structures) in [(33, 0), (0, 33), (33, 33)] {
            let error = #expect(throws: DBusError.self) {
                try MessageForm().write([nested(arrays: arrays, structures: structures)])
            }
            #expect(error?.name == .invalidSignature)
        }
    }

    @Test("Variants nest 64 levels deep and no deeper")
    func variantNesting() throws {
        func nested(_ depth: Int) -> Value { (0..<depth).reduce(.byte(1)) { value, _ in .variant(value) } }
        let form = try MessageForm()
        try form.write([nested(64)])
        #expect(try form.read().body == [nested(64)])
        for depth in [65, 66, 1_000] {
            let error = #expect(throws: DBusError.self) { try MessageForm().write([nested(depth)]) }
            #expect(error?.name == .limitsExceeded)
        }
    }

    @Test(
        "An invalid value is refused with its error name",
        arguments: [
            ([.string("a\0b")], .invalidArgs), ([.string("\0\u{301}")], .invalidArgs),
            ([.array(of: .int32, [.int32(1), .uint32(1)])], .invalidArgs),
            ([.array(of: .array(.byte), [.array(of: .int32, [])])], .invalidArgs),
            (
                [.dictionary(key: .string, value: .variant, [.init(key: .string("a"), value: .string("b"))])],
                .invalidArgs
            ),
            (
                [.dictionary(key: .string, value: .variant, [.init(key: .byte(1), value: .variant(.byte(1)))])],
                .invalidArgs
            ),
            ([.array(of: .structure([.byte, .string]), [.structure([.byte(1)])])], .invalidArgs),
            ([.structure([])], .invalidSignature), ([.variant(.structure([]))], .invalidSignature),
            ([.array(of: .structure([]), [])], .invalidSignature),
            ([.dictionary(key: .variant, value: .byte, [])], .invalidSignature),
            (Array(repeating: .byte(1), count: 256), .invalidSignature),
            ([.descriptor(UnixDescriptor(owning: -1))], .invalidArgs),
        ] as [([Value], DBusError.Name)])
    func refused(_ values: [Value], _ name: DBusError.Name) {
        let error = #expect(throws: DBusError.self) { try MessageForm().write(values) }
        #expect(error?.name == name)
    }

    @Test("An array of 2²⁶ bytes is accepted; one more byte is refused")
    func longArrays() throws {
        let longest = [UInt8](repeating: 1, count: 1 << 26)
        try MessageForm().write([.bytes(longest)])
        let error = #expect(throws: DBusError.self) { try MessageForm().write([.bytes(longest + [1])]) }
        #expect(error?.name == .limitsExceeded)
        let text = String(repeating: "x", count: (1 << 25) - 5)
        let texts = Value.array(of: .string, [.string(text), .string(text), .string("")])
        #expect(throws: DBusError.self) { try MessageForm().write([texts]) }
    }

    @Test("A body at the limit is accepted; a longer one is refused")
    func sentLimit() throws {
        #expect(try MessageForm().write([.string("abc")], limit: 8) == 8)
        let error = #expect(throws: DBusError.self) { try MessageForm().write([.string("abcd")], limit: 8) }
        #expect(error?.name == .limitsExceeded)
        let text = Value.string(String(repeating: "x", count: 1 << 26))
        #expect(throws: DBusError.self) { try MessageForm().write([text, text], limit: .max) }
    }

    @Test("Values of any type over the memory limit are refused")
    func decodeBudget() throws {
        let cases: [Value] = [
            .string(String(repeating: "x", count: 100_000)), .bytes(Array(repeating: 0, count: 100_000)),
            .array(of: .byte, []), .array(of: .boolean, Array(repeating: .boolean(true), count: 10_000)),
            .array(of: .array(.string), Array(repeating: .array(of: .string, []), count: 10_000)),
            .array(of: .structure([.byte]), Array(repeating: .structure([.byte(1)]), count: 10_000)),
            .array(of: .variant, Array(repeating: .variant(.variant(.byte(1))), count: 10_000)),
        ]
        for value in cases {
            let form = try MessageForm()
            try form.write([value])
            let cost = try form.read().cost
            #expect(try form.read(limit: cost).cost == cost)
            let error = #expect(throws: DBusError.self) { try form.read(limit: cost - 1) }
            #expect(error?.name == .limitsExceeded)
        }
    }

    @Test("Nested variants are unwrapped")
    func unwrapping() {
        #expect(Value.variant(.variant(.byte(1))).unwrapped == .byte(1))
        #expect(Value.byte(1).unwrapped == .byte(1))
    }
}
