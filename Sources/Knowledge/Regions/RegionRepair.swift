internal import HunchModel
internal import Localization

/// The result of repairing an invalid area.
public struct RegionRepair: Hashable, Sendable {
    /// The faults, one sentence for each polygon or ring.
    public let faults: [String]
    /// The area within the rings as drawn, minus holes and parts with opposite orientation, in km² on the sphere.
    public let areaBefore: Double
    /// The area of the repaired region, in km² on the sphere.
    public let areaAfter: Double

    /// The change of the area in percent, positive if it grew, or `nil` if it was 0 before.
    public var change: Double? { areaBefore > 0 ? (areaAfter - areaBefore) / areaBefore * 100 : nil }

    /// A one-sentence summary for people.
    public var summary: String {
        func rounded(_ value: Double) -> String {
            let thousandths = (value * 1000).rounded() / 1000
            return abs(thousandths) >= 100 ? String(Int(clamping: thousandths, .towardZero)) : String(thousandths)
        }
        let (before, after) = (rounded(areaBefore), rounded(areaAfter))
        guard let change else { return localized("repaired; area %1 km² before, %2 km² after", before, after) }
        return localized(
            "repaired; area %1 km² before, %2 km² after (%3 %)", before, after,
            (change < 0 ? "−" : "+") + rounded(abs(change)))
    }
}
