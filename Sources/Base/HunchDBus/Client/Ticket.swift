/// State shared by a waiting task and its cancellation handler.
///
/// Other work may run on the loop at any suspension point, even one that seems not to suspend. Code that stores a
/// continuation must therefore check its conditions again, including this ticket.
final class Ticket: @unchecked Sendable {  // used on the loop's thread only
    /// The serial number of the call that the task waits for, once it was sent.
    var serial: UInt32?
    var isCancelled = false
}
