/// What a loop does once after each time it was busy.
struct QuietMoment {
    let rest: Duration
    let body: () -> Void
    /// Whether anything has happened since it was done last.
    var isDue = true

    mutating func waited(untilQuiet isQuiet: Bool) {
        isDue = !isQuiet
        if isQuiet { body() }
    }
}

extension EventLoop {
    /// Runs a closure once whenever nothing has happened on the loop for a while: the place to tidy up in. Confined.
    ///
    /// It costs one wake-up after each time the loop was busy, and none while it is idle. A second call replaces the
    /// closure of the first.
    ///
    /// - Parameters:
    ///   - rest: how long no descriptor was ready, no timer due and no work queued.
    ///   - body: runs on the loop's thread.
    public func whenQuiet(for rest: Duration, _ body: @escaping () -> Void) {
        confined()
        local.quiet = QuietMoment(rest: rest, body: body)
    }

    /// How long the loop may sleep, and whether it is the quiet moment that comes then; `nil` for ever.
    var waitLimit: (duration: Duration, isQuiet: Bool)? {
        guard local.work.isEmpty else { return (.zero, false) }
        let rest = local.quiet.flatMap { $0.isDue ? $0.rest : nil }
        guard let deadline = local.timers.nextDeadline else { return rest.map { ($0, true) } }
        let time = max(.zero, MonotonicInstant.now.duration(to: deadline))
        if let rest, rest < time { return (rest, true) }
        return (time, false)
    }
}
