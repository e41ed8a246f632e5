internal import EventLoops

/// A part of the agent that follows what happens, while Hunch is enabled and not paused.
protocol Part: LoopActor {
    /// Follows until cancelled.
    func run() async
}
