internal import EventLoops
internal import HunchModel

/// The believed position and length of a player's current item: what the player claims, checked against a clock that
/// runs while it plays.
///
/// A value without I/O: the same claims at the same instants give the same position. All times are in microseconds.
///
/// Faults of real players that it knows:
///
/// | fault | met in |
/// |---|---|
/// | position always 0, or left at the start | ncspot 0.2 (hrkfdn/ncspot#236), Plexamp before 4.13.1 (com.plexamp.Plexamp#189), Sone (lullabyX/sone#83), pear-desktop 3.3 (#2225) |
/// | position never told | termusic (#185), High Tide (#68) |
/// | position in milliseconds | spotifyd before 0.2.20 (#439) |
/// | bogus position while paused | Clementine (#5097) |
/// | length in milliseconds or seconds | deezer-linux 7.0 (#159), DeaDBeeF's plugin (#4), Resonance (#138) |
/// | length of the item before | YouTube in Firefox (d1BG/youtube-mpris-fix) |
/// | negative length | Cantata before 2.3 (#1119) |
struct PlaybackClock: Hashable {
    /// The tolerance of a claim, for rounding and for the time that an answer takes.
    private static let slack = 2_000_000.0
    /// The time after a start, a seek or a new item in which the player's position is believed.
    private static let announcedTime = Duration.seconds(2)
    /// The playing time after which a position that stays at the start counts as not told.
    private static let stillTime = 10_000_000.0
    /// The highest plausible ratio of progress to time, for a rate that the player does not report.
    private static let highestRate = 4.0
    /// The longest plausible length after a correction: a day.
    private static let longestLength: Int64 = 86_400_000_000
    /// The longest length in milliseconds: three hours. As microseconds it would be 10.8 s, less than the length of an
    /// advertisement, which players also keep reporting for the next item.
    private static let longestInMilliseconds: Int64 = 10_800_000_000

    /// The believed length; `nil` if unknown.
    private(set) var length: Int64?
    /// Whether the position is only that of the clock, because the player does not report its own.
    var isReckoned: Bool { !isTold }

    /// The last believed position, and the playing time since then.
    private var anchor: Int64?
    private var played = 0.0
    private var isPlaying = false
    private var rate = 1.0
    private var instant: MonotonicInstant?
    private var isTold = false

    /// The end of the time in which claims are believed.
    private var announcedUntil: MonotonicInstant?
    /// The position before a jump or another item, which some players still report for a moment.
    private var stale: Int64?
    /// An unannounced jump, and the playing time since then.
    private var doubted: Progress?
    /// The first of several claims between which the position hardly moved.
    private var still: Progress?
    /// The position before a jump to the start.
    private var beforeReset: Progress?

    private var claimedLength: Int64?
    /// The factor by which this player's positions are too small.
    private var unit = 1.0
    /// The factor by which this player's lengths were too small.
    private var lengthUnit: Int64 = 1
    /// Whether this player does not report its position, as far as is known.
    var neverTells = false

    /// A claim and the playing time since then.
    private struct Progress: Hashable {
        var value: Double
        var played: Double = 0
        var instant: MonotonicInstant
    }

    // MARK: Reading

    /// Returns the believed position; `nil` if there is none yet.
    func position(at now: MonotonicInstant) -> Int64? {
        guard let reckoned = reckoned(at: now) else { return nil }
        return Int64(clamping: max(0, min(reckoned, length.map(Double.init) ?? .infinity)), .towardZero)
    }

    private func reckoned(at now: MonotonicInstant) -> Double? {
        anchor.map { Double($0) + played + passed(until: now) }
    }

    /// The playing time since the last event.
    private func passed(until now: MonotonicInstant) -> Double {
        guard isPlaying, let instant else { return 0 }
        return max(0, instant.duration(to: now) / .microseconds(1) * rate)
    }

    // MARK: Events

    /// Starts another item at its beginning.
    ///
    /// - Parameter isOtherFile: whether its address differs. Some players still report the length of the previous item.
    mutating func begin(length claimed: Int64?, isOtherFile: Bool, at now: MonotonicInstant) {
        let former = reckoned(at: now).map { Int64(clamping: $0, .towardZero) }
        let formerLength = claimedLength
        advance(to: now)
        believe(0, at: now)
        isTold = false
        announcedUntil = now.advanced(by: Self.announcedTime)
        stale = former.flatMap { isPlaying && $0 > 5_000_000 ? $0 : nil }
        (beforeReset, still) = (nil, nil)
        claimedLength = claimed
        length = claimed.map { scaled($0) }
        // Two items are hardly ever equally long to the microsecond, but often to the second.
        if isOtherFile, let claimed, claimed == formerLength, claimed % 1_000_000 != 0 { length = nil }
    }

    /// Announces that the next position may be any, because the player starts the same item as another track.
    mutating func announceJump(at now: MonotonicInstant) {
        announcedUntil = neverTells ? announcedUntil : now.advanced(by: Self.announcedTime)
    }

    /// Sets the length that the player claims for the current item.
    mutating func claim(length claimed: Int64?) {
        guard claimed != claimedLength else { return }
        claimedLength = claimed
        length = claimed.map { scaled($0) }
    }

    /// Sets whether the player plays, and its rate. Starting makes its next position believable.
    mutating func run(_ plays: Bool, rate: Double?, at now: MonotonicInstant) {
        advance(to: now)
        if plays, !isPlaying {
            if anchor == nil { anchor = 0 }
            announceJump(at: now)
        }
        isPlaying = plays
        self.rate = rate ?? self.rate
    }

    /// Stops. A jump to the start just before belongs to stopping.
    mutating func stop(at now: MonotonicInstant) {
        advance(to: now)
        if let beforeReset, beforeReset.instant.duration(to: now) <= Self.announcedTime {
            anchor = Int64(clamping: beforeReset.value, .towardZero)
            played = 0
        }
        isPlaying = false
        beforeReset = nil
    }

    /// Jumps to a position that the player announced.
    mutating func seek(to position: Int64, at now: MonotonicInstant) {
        guard position >= 0 else { return }
        advance(to: now)
        let value = microseconds(Double(position))
        // Strawberry 1.0 announces a jump, and reports the position before it for another moment.
        stale = self.position(at: now).flatMap { abs(Double($0) - value) > 2 * Self.slack ? $0 : nil }
        noteReset(to: value, at: now)
        believe(value, at: now)
        isTold = true
        // Some players report this position from now on.
        still = Progress(value: value, instant: now)
    }

    /// Checks the position that the player claims.
    mutating func claim(position: Int64, at now: MonotonicInstant) {
        guard position >= 0 else { return }
        advance(to: now)
        if let found = unit(Double(position)) {
            unit = found
            still = nil
            believe(Double(position) * unit, at: now)
            isTold = true
            return
        }
        let value = microseconds(Double(position))
        guard let anchor else { return takeFirst(value, at: now) }
        guard isBelievable(value, after: Double(anchor), at: now) else { return }
        if value < Double(anchor) - Self.slack { noteReset(to: value, at: now) }
        believe(value, at: now)
        isTold = !neverTells
    }

    /// Returns a position in microseconds, if this player reports another unit.
    private func microseconds(_ raw: Double) -> Double {
        let value = raw * unit
        return isBeyondEnd(value) ? raw : value
    }

    /// Moves the clock.
    private mutating func advance(to now: MonotonicInstant) {
        let passed = passed(until: now)
        played += passed
        still?.played += passed
        doubted?.played += passed
        instant = now
    }

    private mutating func believe(_ value: Double, at now: MonotonicInstant) {
        anchor = Int64(clamping: value, .towardZero)
        played = 0
        doubted = nil
        correctLength(atLeast: value)
    }

    /// Remembers the position before a jump to the start.
    private mutating func noteReset(to value: Double, at now: MonotonicInstant) {
        guard value < Self.slack, let before = position(at: now), Double(before) > 2 * Self.slack else { return }
        beforeReset = Progress(value: Double(before), instant: now)
    }

    // MARK: Judging positions

    /// Takes the first position. While paused, one beyond the end is bogus.
    private mutating func takeFirst(_ value: Double, at now: MonotonicInstant) {
        if !isPlaying, let length, value > Double(length) + Self.slack, longerLength(atLeast: value) == nil { return }
        believe(value, at: now)
        isTold = !neverTells
    }

    private mutating func isBelievable(_ value: Double, after anchor: Double, at now: MonotonicInstant) -> Bool {
        let advance = value - anchor
        if isStill(value, at: now) { return false }
        if let announcedUntil, now <= announcedUntil {
            if let stale, abs(value - Double(stale) - played) < 1_500_000 { return isConfirmed(value, at: now) }
            return isPlaying || !isBeyondEnd(value)
        }
        stale = nil
        if advance >= -Self.slack, advance <= played * Self.highestRate + Self.slack { return true }
        return isRepeated(value, after: anchor + played) || isConfirmed(value, at: now)
    }

    /// Returns whether a position is that of an item that repeats itself without a word.
    private func isRepeated(_ value: Double, after reckoned: Double) -> Bool {
        guard let length = length.map(Double.init), length > 0, reckoned >= length - Self.slack else { return false }
        let rest = reckoned.truncatingRemainder(dividingBy: length)
        return value < 5 * Self.slack || abs(value - rest) < 5 * Self.slack
    }

    private func isBeyondEnd(_ value: Double) -> Bool {
        guard let length else { return false }
        return value > Double(length) + Self.slack && longerLength(atLeast: value) == nil
    }

    /// Returns whether a position does not advance because the player does not report it. One that does not advance
    /// elsewhere than at the start shows that nothing is played.
    private mutating func isStill(_ value: Double, at now: MonotonicInstant) -> Bool {
        guard let first = still, abs(value - first.value) < max(20_000, first.played / 50) else {
            if let first = still, neverTells, first.played > 0, isNear(value, first) { neverTells = false }
            still = Progress(value: value, instant: now)
            return neverTells && value < 1_000_000
        }
        if first.played > Self.stillTime, value < 1_000_000, !neverTells {
            neverTells = true
            isTold = false
            // The clock was held at the start until now.
            anchor = Int64(clamping: value, .towardZero)
            played = first.played
        }
        return neverTells && first.played > 0
    }

    /// Returns whether an unannounced jump continues at playback speed.
    private mutating func isConfirmed(_ value: Double, at now: MonotonicInstant) -> Bool {
        if let doubted, isNear(value, doubted) { return doubted.played >= 800_000 }
        doubted = Progress(value: value, instant: now)
        return false
    }

    /// Returns whether a position continues from an earlier claim at playback speed.
    private func isNear(_ value: Double, _ earlier: Progress) -> Bool {
        abs(value - earlier.value - earlier.played) <= earlier.played * 0.3 + 500_000
    }

    /// Returns the unit of positions that advance a thousand or a million times too slowly; `nil` if they do not.
    private func unit(_ raw: Double) -> Double? {
        guard let still, unit == 1 else { return nil }
        let advance = raw - still.value
        for (unit, leastTime) in [(1_000.0, 3_000_000.0), (1_000_000, 8_000_000)] where still.played >= leastTime {
            if (0.8...1.25).contains(advance * unit / still.played) { return unit }
        }
        return nil
    }

    // MARK: Judging lengths

    private func scaled(_ length: Int64) -> Int64 {
        let (product, overflow) = length.multipliedReportingOverflow(by: lengthUnit)
        return overflow || product > Self.longestLength ? length : product
    }

    /// Returns the length that the player meant if a position is beyond the claimed one; `nil` if that is unknown.
    private func longerLength(atLeast value: Double) -> (length: Int64, unit: Int64)? {
        guard let claimedLength else { return nil }
        for (unit, longest) in [(1_000 as Int64, Self.longestInMilliseconds), (1_000_000, Self.longestLength)] {
            let (product, overflow) = claimedLength.multipliedReportingOverflow(by: unit)
            if !overflow, Double(product) >= value, product <= longest { return (product, unit) }
        }
        return nil
    }

    /// Corrects a length that a believed position contradicts.
    private mutating func correctLength(atLeast value: Double) {
        guard let length, value > Double(length) + Self.slack else { return }
        let longer = longerLength(atLeast: value)
        self.length = longer?.length
        if let longer { lengthUnit = longer.unit }
    }
}
