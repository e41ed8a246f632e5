public import HunchModel

/// The towns after which time zones are named. Source: `zone.tab` of the IANA time zone database.
public enum ZoneTable {
    /// Returns the position of the town of a zone; `nil` for a zone without one, such as `Etc/UTC`.
    ///
    /// - Parameter table: the text of the file.
    public static func position(of zone: some StringProtocol, in table: String) -> Coordinate? {
        for line in table.split(separator: "\n") where !line.hasPrefix("#") {
            let columns = line.split(separator: "\t")
            guard columns.count > 2, columns[2] == zone else { continue }
            // ISO 6709: degrees and minutes, with or without seconds, such as +5230+01322.
            let text = Array(columns[1].utf8)
            guard let middle = text.dropFirst().firstIndex(where: isSign),
                let latitude = degrees(text[..<middle], digits: 2),
                let longitude = degrees(text[middle...], digits: 3)
            else { return nil }
            return try? Coordinate(latitude: latitude, longitude: longitude)
        }
        return nil
    }

    private static func isSign(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") }

    private static func degrees(_ text: ArraySlice<UInt8>, digits: Int) -> Double? {
        func number(_ digits: some Sequence<UInt8>) -> Double? {
            Double(String(decoding: Array(digits), as: UTF8.self))
        }
        let (whole, rest) = (text.dropFirst().prefix(digits), text.dropFirst(1 + digits))
        guard let degrees = number(whole), let minutes = number(rest.prefix(2)) else { return nil }
        let seconds = number(rest.dropFirst(2)) ?? 0
        return (degrees + minutes / 60 + seconds / 3_600) * (text.first == UInt8(ascii: "-") ? -1 : 1)
    }
}
