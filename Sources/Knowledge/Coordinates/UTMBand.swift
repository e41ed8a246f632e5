/// A latitude band of UTM and MGRS: 8° each from C at 80° south; X has 12° up to 84° north.
struct UTMBand: Hashable, Sendable {
    private static let letters = Array("CDEFGHJKLMNPQRSTUVWX".utf8)
    /// The degrees by which a reference may be outside its band. A square of 100 km belongs to each band that it
    /// touches.
    private static let overlap = 1.0

    private let latitudes: ClosedRange<Double>

    /// Creates the band of a letter in capitals; `nil` for another letter.
    init?(_ letter: UInt8) {
        guard let index = Self.letters.firstIndex(of: letter) else { return nil }
        let south = Double(index * 8 - 80)
        latitudes = south...(south == 72 ? 84 : south + 8)
    }

    var isSouth: Bool { latitudes.lowerBound < 0 }

    /// Returns whether a latitude is in the band.
    func contains(_ latitude: Double) -> Bool { latitudes.contains(latitude) }

    /// Returns whether a latitude is in the band or at most 1° outside, about the side of a square.
    func overlaps(_ latitude: Double) -> Bool {
        (latitudes.lowerBound - Self.overlap...latitudes.upperBound + Self.overlap).contains(latitude)
    }
}
