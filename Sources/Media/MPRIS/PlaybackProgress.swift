internal import HunchDBus

/// Tells from the positions of a player whether it really plays: some say that they play and stand still.
///
/// A value without output; the same positions give the same answers.
struct PlaybackProgress {
    /// The least advance that counts, in microseconds.
    static let leastAdvance: Int64 = 100_000
    /// An advance of more than this, in microseconds beyond sixteen times the time that passed, is a jump. Sixteen is the
    /// highest rate that is believed of a player.
    private static let tolerance: Int64 = 500_000

    private var former: (position: Int64, instant: MonotonicInstant)?

    /// Follows the position of a player, in microseconds.
    ///
    /// - Returns: whether it advanced since an earlier one as sound does. A player that tells no position is believed.
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
