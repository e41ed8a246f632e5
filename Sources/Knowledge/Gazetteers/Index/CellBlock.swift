import HunchModel

/// A block of places, streets or houses by coordinate: little-endian entries of 14 bytes, in ascending order of their
/// cells. Eight bytes are the ``PlaceCell``, four the rank of the place or street, two the index of the house in its
/// street's ``HouseList``.
package struct CellBlock {
    /// The content of a block.
    package enum Layer: Int { case places = 0, houses = 1, streets = 2 }

    package struct Entry {
        package var cell: Int64
        var rank: UInt32
        var house: UInt16

        package init(cell: Int64, rank: UInt32, house: UInt16) {
            (self.cell, self.rank, self.house) = (cell, rank, house)
        }
    }

    /// The maximum number of entries of a block.
    package static let blockSize = 512
    private static let entrySize = 14

    /// Returns the bytes of a block.
    package static func bytes(of entries: ArraySlice<Entry>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(entries.count * entrySize)
        for entry in entries {
            for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: entry.cell >> shift)) }
            for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: entry.rank >> shift)) }
            bytes.append(UInt8(truncatingIfNeeded: entry.house))
            bytes.append(UInt8(truncatingIfNeeded: entry.house >> 8))
        }
        return bytes
    }

    /// Calls `body` with the entries of a block whose cells are in a range. Skips an incomplete entry at the end of a
    /// corrupt block.
    static func forEach(in bytes: UnsafeRawBufferPointer, cells: ClosedRange<Int64>, _ body: (Entry) -> Void) {
        func cell(_ index: Int) -> Int64 {
            Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: index * entrySize, as: Int64.self))
        }
        let count = bytes.count / entrySize
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if cell(middle) < cells.lowerBound { low = middle + 1 } else { high = middle }
        }
        while low < count, case let cell = cell(low), cell <= cells.upperBound {
            let offset = low * entrySize
            body(
                Entry(
                    cell: cell,
                    rank: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt32.self)),
                    house: UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 12, as: UInt16.self))))
            low += 1
        }
    }
}

/// The houses of a street. For each: the length of its number in one byte, the number in UTF-8, and its ``PlaceCell``
/// in eight little-endian bytes.
package struct HouseList {
    package struct House {
        var number: String
        package var cell: Int64

        package init(number: String, cell: Int64) { (self.number, self.cell) = (number, cell) }
    }

    /// The maximum number of houses of a street. Further ones are omitted.
    package static let maximumCount = 65_535
    /// The maximum number of bytes of a house number. Longer ones are omitted.
    package static let maximumNumberLength = 32

    package static func bytes(of houses: [House]) -> [UInt8] {
        var bytes: [UInt8] = []
        for house in houses {
            bytes.append(UInt8(truncatingIfNeeded: house.number.utf8.count))
            bytes.append(contentsOf: house.number.utf8)
            for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: house.cell >> shift)) }
        }
        return bytes
    }

    static func houses(in bytes: UnsafeRawBufferPointer) -> [House] {
        var houses: [House] = []
        var index = 0
        while index < bytes.count {
            let end = index + 1 + Int(bytes[index])
            guard end + 8 <= bytes.count else { break }
            houses.append(
                House(
                    number: String(decoding: bytes[(index + 1)..<end], as: UTF8.self),
                    cell: Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: end, as: Int64.self))))
            index = end + 8
        }
        return houses
    }
}
