/// An actor that runs on an event loop.
public protocol LoopActor: Actor {
    /// The loop that executes the actor.
    nonisolated var loop: EventLoop { get }
}

extension LoopActor {
    /// The executor of the event loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Runs a closure on the actor later, in order, unless the actor is released before. May be called from any thread.
    public nonisolated func execute(_ body: @escaping @Sendable (isolated Self) -> Void) {
        loop.execute { [weak self] in self?.assumeIsolated(body) }
    }

    /// Runs a closure on the actor once after a delay, unless the timer is cancelled or the actor released before.
    public func schedule(after delay: Duration, _ body: @escaping @Sendable (isolated Self) -> Void) -> LoopTimer {
        loop.schedule(after: delay) { [weak self] in self?.assumeIsolated(body) }
    }
}
