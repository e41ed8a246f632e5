/// Makes photos with a position. Its results for the values below were compared with those of ExifTool.
struct ExifBytes: Sendable {
    /// The value of a tag.
    enum Value: Sendable {
        case byte(UInt8)
        case text(String)
        case bytes([UInt8])
        case rationals([(UInt32, UInt32)])
        case signed([(Int32, Int32)])
    }

    /// The type of the link to the directory of the position: 4 for a number, 13 for a directory.
    var linkType = 4
    /// The XMP packet of a TIFF file.
    var packet: [UInt8] = []

    static let latitudeReference = 1
    static let latitude = 2
    static let longitudeReference = 3
    static let longitude = 4
    static let altitudeReference = 5
    static let altitude = 6
    static let datum = 0x12

    private let isBigEndian: Bool
    private var values: [Int: Value] = [
        latitudeReference: .text("N"), latitude: .rationals([(46, 1), (43, 1), (15, 1)]),
        longitudeReference: .text("W"), longitude: .rationals([(9, 1), (25, 1), (0, 1)]),
    ]

    init(isBigEndian: Bool = true) { self.isBigEndian = isBigEndian }

    subscript(tag: Int) -> Value? {
        get { values[tag] }
        set { values[tag] = newValue }
    }

    /// A TIFF file: a directory that points to the GPS directory, followed by the GPS values.
    var tiff: [UInt8] {
        let directory = 8 + 2 + 12 * 2 + 4
        var entries: [UInt8] = []
        var rest: [UInt8] = []
        for (tag, value) in values.sorted(by: { $0.key < $1.key }) {
            let (type, count, bytes) = encoded(value)
            entries += number(tag, 2) + number(type, 2) + number(count, 4)
            if bytes.count <= 4 {
                entries += bytes + Array(repeating: 0, count: 4 - bytes.count)
            } else {
                entries += number(directory + 2 + 12 * values.count + 4 + rest.count, 4)
                rest += bytes
            }
        }
        let head = Array((isBigEndian ? "MM" : "II").utf8) + number(42, 2) + number(8, 4)
        let end = directory + 2 + 12 * values.count + 4 + rest.count
        let link = number(0x8825, 2) + number(linkType, 2) + number(1, 4) + number(directory, 4)
        let first =
            number(2, 2) + number(0x02BC, 2) + number(1, 2) + number(packet.count, 4) + number(end, 4) + link
            + number(0, 4)
        return head + first + number(values.count, 2) + entries + number(0, 4) + rest + packet
    }

    /// A JPEG file without an image.
    var jpeg: [UInt8] {
        let content = Array("Exif\0\0".utf8) + tiff
        let length = content.count + 2
        return [0xFF, 0xD8, 0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + content + [0xFF, 0xD9]
    }

    private func encoded(_ value: Value) -> (type: Int, count: Int, bytes: [UInt8]) {
        switch value {
        case .byte(let byte): (1, 1, [byte])
        case .text(let text): (2, text.utf8.count + 1, Array(text.utf8) + [0])
        case .bytes(let bytes): (1, bytes.count, bytes)
        case .signed(let list):
            (10, list.count, list.flatMap { number(Int($0.0), 4) + number(Int($0.1), 4) })
        case .rationals(let list): (5, list.count, list.flatMap { number(Int($0.0), 4) + number(Int($0.1), 4) })
        }
    }

    private func number(_ value: Int, _ length: Int) -> [UInt8] {
        let bytes = (0..<length).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return isBigEndian ? bytes.reversed() : bytes
    }
}
