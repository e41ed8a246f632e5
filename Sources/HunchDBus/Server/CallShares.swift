/// Decides which incoming calls run now, which wait for earlier ones of the same caller, and which are refused.
///
/// Every caller has the same share, so that one that floods waits for itself while all others are answered at once. A value
/// without I/O: `Work` is whatever runs a call.
struct CallShares<Work> {
    enum Admission: Equatable {
        /// It is to be run now.
        case run
        /// ``finish(_:of:)`` returns it once it is its turn.
        case wait
        /// Too many calls, or too large ones, are under way.
        case refuse
    }

    private struct Call {
        let work: Work
        let cost: Int
    }

    private struct Share {
        var running = 0
        var bytes = 0
        /// The first one is at `first`, so that taking it moves nothing.
        var waiting: [Call] = []
        var first = 0

        var count: Int { running + waiting.count - first }

        mutating func next() -> Call? {
            guard first < waiting.count else { return nil }
            let call = waiting[first]
            first += 1
            // Amortised: what is moved is never more than what was taken.
            if first > waiting.count / 2 {
                waiting.removeFirst(first)
                first = 0
            }
            return call
        }
    }

    private var shares: [BusName: Share] = [:]
    private var count = 0
    private var bytes = 0

    /// The number of callers with calls under way.
    var callers: Int { shares.count }

    /// Admits a call, or refuses it.
    ///
    /// - Parameter cost: the memory that its arguments take, in bytes.
    mutating func admit(_ work: Work, of caller: BusName, cost: Int, limits: ConnectionLimits) -> Admission {
        let share = shares[caller] ?? Share()
        guard count < limits.concurrentCalls, bytes + cost <= limits.concurrentBytes,
            share.count < limits.callsOfCaller, share.bytes + cost <= limits.bytesOfCaller
        else { return .refuse }
        count += 1
        bytes += cost
        shares[caller, default: Share()].bytes += cost
        guard share.running < limits.runningCallsOfCaller else {
            shares[caller]?.waiting.append(Call(work: work, cost: cost))
            return .wait
        }
        shares[caller]?.running += 1
        return .run
    }

    /// Frees the place of a call that ran and has ended.
    ///
    /// - Returns: the caller's next call, which is to be run now; `nil` when none waits.
    mutating func finish(_ cost: Int, of caller: BusName) -> Work? {
        guard var share = shares.removeValue(forKey: caller) else { return nil }
        count -= 1
        bytes -= cost
        share.bytes -= cost
        let next = share.next()
        if next == nil { share.running -= 1 }
        if share.count > 0 { shares[caller] = share }
        return next?.work
    }
}
