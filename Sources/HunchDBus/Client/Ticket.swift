/// What a waiting task and its cancellation tell each other.
///
/// A suspension point, even one that does not seem to suspend, may let the loop turn. So what a task looks at before it
/// waits has to be looked at again where its continuation is stored, this ticket included.
final class Ticket: @unchecked Sendable {  // touched on the loop's thread alone
    /// What the task waits for has been begun under this number.
    var serial: UInt32?
    var isCancelled = false
}
