import HunchDBus

/// Random D-Bus types and values of them. Arrays of bytes have the form in which they are received.
struct RandomValues {
    private var random: any RandomNumberGenerator

    init(_ random: some RandomNumberGenerator) { self.random = random }

    private mutating func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    private static let basicTypes: [ValueType] = [
        .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .string, .objectPath, .signature,
    ]

    mutating func basicType() -> ValueType { Self.basicTypes[pick(0...Self.basicTypes.count - 1)] }

    mutating func type(depth: Int = 4) -> ValueType {
        switch pick(0...(depth > 0 ? 9 : 5)) {
        case 0...4: basicType()
        case 5: .variant
        case 6, 7: .array(type(depth: depth - 1))
        case 8: .dictionary(key: basicType(), value: type(depth: depth - 1))
        default: .structure((0...pick(0...3)).map { _ in type(depth: depth - 1) })
        }
    }

    mutating func value(of type: ValueType, depth: Int = 4) -> Value {
        switch type {
        case .byte: .byte(.random(in: .min ... .max, using: &random))
        case .boolean: .boolean(.random(using: &random))
        case .int16: .int16([.min, .max, 0, .random(in: .min ... .max, using: &random)][pick(0...3)])
        case .uint16: .uint16(.random(in: .min ... .max, using: &random))
        case .int32: .int32([.min, .max, 0, .random(in: .min ... .max, using: &random)][pick(0...3)])
        case .uint32: .uint32(.random(in: .min ... .max, using: &random))
        case .int64: .int64([.min, .max, 0, .random(in: .min ... .max, using: &random)][pick(0...3)])
        case .uint64: .uint64([.max, .random(in: .min ... .max, using: &random)][pick(0...1)])
        case .double:
            .double([-0.0, .infinity, .leastNonzeroMagnitude, .random(in: -1e9...1e9, using: &random)][pick(0...3)])
        case .string: .string(text())
        case .objectPath: .objectPath(pick(0...3) == 0 ? .root : path())
        case .signature: .signature(signature())
        case .descriptor: .descriptor(UnixDescriptor(owning: -1))
        case .variant: .variant(value(of: self.type(depth: depth - 1), depth: depth - 1))
        case .array(.byte): .bytes((0..<pick(0...40)).map { _ in .random(in: .min ... .max, using: &random) })
        case .array(let element):
            .array(of: element, (0..<pick(0...4)).map { _ in value(of: element, depth: depth - 1) })
        case .dictionary(let key, let content):
            .dictionary(
                key: key, value: content,
                (0..<pick(0...4)).map { _ in
                    Value.Entry(key: value(of: key, depth: depth - 1), value: value(of: content, depth: depth - 1))
                })
        case .structure(let fields): .structure(fields.map { value(of: $0, depth: depth - 1) })
        }
    }

    /// Text with characters of every length in UTF-8, noncharacters among them.
    private mutating func text() -> String {
        let scalars: [Unicode.Scalar] = [
            "a", " ", "\u{1}", "\u{7F}", "é", "\u{301}", "€", "\u{FFFE}", "😀", "\u{10FFFF}", "'",
        ]
        var text = String.UnicodeScalarView()
        for _ in 0..<pick(0...30) { text.append(scalars[pick(0...scalars.count - 1)]) }
        return String(text)
    }

    private mutating func path() -> ObjectPath {
        (0...pick(0...3)).reduce(ObjectPath.root) { path, _ in
            (try? path.appending(["a", "b_1", "Z9"][pick(0...2)])) ?? path
        }
    }

    private mutating func signature() -> Signature {
        (try? Signature(of: (0..<pick(0...3)).map { _ in type(depth: 2) })) ?? ""
    }
}
