package import HunchModel

/// Cell numbers of coordinates. The bits of latitude and longitude, 31 each, are interleaved (Morton order). Nearby
/// coordinates mostly have nearby numbers, so an index over the numbers finds the contents of a box.
package enum PlaceCell {
    private static let bits = 31
    private static let scale = Double(UInt32(1) << 31)

    /// Returns the cell of a coordinate.
    package static func number(_ coordinate: Coordinate) -> Int64 {
        Int64(spread(row(coordinate.latitude)) << 1 | spread(column(coordinate.longitude)))
    }

    /// Returns ranges of cells that cover a box and little more, in ascending order.
    static func ranges(
        latitude: ClosedRange<Double>, longitude: ClosedRange<Double>
    ) -> [ClosedRange<Int64>] {
        let rows = row(latitude.lowerBound)...row(latitude.upperBound)
        let columns = column(longitude.lowerBound)...column(longitude.upperBound)
        // Choose squares so large that the box touches at most four in each direction.
        var level: UInt32 = 0
        while level < UInt32(bits),
            (rows.upperBound >> level) - (rows.lowerBound >> level) > 3
                || (columns.upperBound >> level) - (columns.lowerBound >> level) > 3
        {
            level += 1
        }
        var ranges: [ClosedRange<Int64>] = []
        for row in (rows.lowerBound >> level)...(rows.upperBound >> level) {
            for column in (columns.lowerBound >> level)...(columns.upperBound >> level) {
                let first = Int64((spread(row) << 1 | spread(column)) << (2 * UInt64(level)))
                ranges.append(first...(first + (Int64(1) << (2 * Int64(level))) - 1))
            }
        }
        ranges.sort { $0.lowerBound < $1.lowerBound }
        return ranges.reduce(into: []) { merged, range in
            if let last = merged.last, last.upperBound + 1 == range.lowerBound {
                merged[merged.count - 1] = last.lowerBound...range.upperBound
            } else {
                merged.append(range)
            }
        }
    }

    /// Returns the centre of a cell, which is at most 2 cm from its contents.
    static func coordinate(_ number: Int64) -> Coordinate? {
        let (row, column) = (gathered(UInt64(bitPattern: number) >> 1), gathered(UInt64(bitPattern: number)))
        return try? Coordinate(
            latitude: (Double(row) + 0.5) / scale * 180 - 90, longitude: (Double(column) + 0.5) / scale * 360 - 180)
    }

    private static func row(_ latitude: Double) -> UInt32 { step((latitude + 90) / 180) }
    private static func column(_ longitude: Double) -> UInt32 { step((longitude + 180) / 360) }

    private static func step(_ fraction: Double) -> UInt32 {
        UInt32(Int(clamping: min(max(fraction * scale, 0), scale - 1), .towardZero))
    }

    /// Returns the value with its bits spread: bit i moves to bit 2i.
    private static func spread(_ value: UInt32) -> UInt64 {
        var value = UInt64(value)
        value = (value | value << 16) & 0x0000_FFFF_0000_FFFF
        value = (value | value << 8) & 0x00FF_00FF_00FF_00FF
        value = (value | value << 4) & 0x0F0F_0F0F_0F0F_0F0F
        value = (value | value << 2) & 0x3333_3333_3333_3333
        value = (value | value << 1) & 0x5555_5555_5555_5555
        return value
    }

    /// Returns every second bit of a value: bit 2i moves to bit i.
    private static func gathered(_ value: UInt64) -> UInt32 {
        var value = value & 0x5555_5555_5555_5555
        value = (value | value >> 1) & 0x3333_3333_3333_3333
        value = (value | value >> 2) & 0x0F0F_0F0F_0F0F_0F0F
        value = (value | value >> 4) & 0x00FF_00FF_00FF_00FF
        value = (value | value >> 8) & 0x0000_FFFF_0000_FFFF
        return UInt32(truncatingIfNeeded: value | value >> 16)
    }
}
