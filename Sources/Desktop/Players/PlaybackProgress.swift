internal import EventLoops
internal import HunchDBus

/// Detects from the positions of a player whether it really plays. Some players claim to play but do not advance.
///
/// The same positions give the same results.
struct PlaybackProgress {
    /// The least advance that counts, in microseconds.
    static let leastAdvance: Int64 = 100_000
    /// The tolerance of a plausible advance, in microseconds. An advance of more than this beyond sixteen times the
    /// elapsed time is a jump. Sixteen is the highest plausible rate.
    private static let tolerance: Int64 = 500_000

    private var former: (position: Int64, instant: MonotonicInstant)?

    /// Adds the position of a player, in microseconds.
    ///
    /// - Returns: Whether the position advanced at a plausible rate. A player without a position counts as advancing.
    mutating func hasAdvanced(to position: Int64?, at now: MonotonicInstant) -> Bool {
        guard let position else { return true }
        guard let former else {
            former = (position, now)
            return false
        }
        let passed = former.instant.duration(to: now) / .microseconds(1)
        let advance = Double(position) - Double(former.position)
        if advance >= Double(Self.leastAdvance), advance <= passed * 16 + Double(Self.tolerance) { return true }
        if advance < 0 || advance >= Double(Self.leastAdvance) { self.former = (position, now) }
        return false
    }
}
