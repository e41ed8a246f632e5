/// Decides which incoming calls run now, which wait for earlier ones of the same caller, and which are refused.
///
/// Every caller has the same share. A caller that sends too many calls therefore delays only itself. `Work` is whatever
/// runs a call; this type does no I/O.
struct CallShares<Work> {
    enum Admission: Equatable {
        /// The call runs now.
        case run
        /// The call waits. ``finish(_:of:)`` returns it when its turn comes.
        case wait
        /// Too many or too large calls are in progress.
        case refuse
    }

    private struct Call {
        let work: Work
        let cost: Int
    }

    private struct Share {
        var running = 0
        var bytes = 0
        /// The waiting calls, from index `first` on, so that taking one moves nothing.
        var waiting: [Call] = []
        var first = 0

        var count: Int { running + waiting.count - first }

        mutating func next() -> Call? {
            guard first < waiting.count else { return nil }
            let call = waiting[first]
            first += 1
            // Amortised: this never moves more calls than were taken.
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

    /// The number of callers with calls in progress.
    var callers: Int { shares.count }

    /// Admits or refuses a call.
    ///
    /// - Parameter cost: the memory that the call's arguments use, in bytes.
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

    /// Frees the place of a call that has ended.
    ///
    /// - Returns: the caller's next call, which must run now; `nil` if none waits.
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
