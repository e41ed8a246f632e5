/// A closure that the loop runs once after each busy period.
struct QuietMoment {
    let rest: Duration
    let body: () -> Void
    /// Whether anything has happened since the closure last ran.
    var isDue = true

    mutating func waited(untilQuiet isQuiet: Bool) {
        isDue = !isQuiet
        if isQuiet { body() }
    }
}

extension EventLoop {
    /// Runs a closure, for example to free memory, each time the loop has been idle for a while. Confined.
    ///
    /// It costs one wake-up after each busy period and none while the loop is idle. A second call replaces the closure.
    ///
    /// - Parameters:
    ///   - rest: the time without a ready descriptor, a due timer or queued work.
    ///   - body: a closure that runs on the loop's thread.
    public func whenQuiet(for rest: Duration, _ body: @escaping () -> Void) {
        confined()
        local.quiet = QuietMoment(rest: rest, body: body)
    }

    /// The maximum time to sleep, and whether the quiet closure is due then. `nil` means to sleep without limit.
    var waitLimit: (duration: Duration, isQuiet: Bool)? {
        guard local.work.isEmpty else { return (.zero, false) }
        let rest = local.quiet.flatMap { $0.isDue ? $0.rest : nil }
        guard let deadline = local.timers.nextDeadline else { return rest.map { ($0, true) } }
        let time = max(.zero, MonotonicInstant.now.duration(to: deadline))
        if let rest, rest < time { return (rest, true) }
        return (time, false)
    }
}
