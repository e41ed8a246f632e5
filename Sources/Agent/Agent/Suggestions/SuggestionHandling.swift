internal import HunchDBus
package import HunchModel
internal import Surfaces

extension SuggestionDesk {
    /// Carries out a suggestion, or throws.
    package typealias Performance = @Sendable (Suggestion, _ activationToken: String?) async throws -> Void

    /// Everything that the desk knows about a suggestion other than its state on the board.
    struct Handling {
        /// The connection that requested it, and with which it ends; `nil` for none.
        var lifeline: BusName?
        /// Carries it out, where the launcher alone does not suffice.
        var performer: Performance?
        /// The work of carrying it out, for cancelling it.
        var performance: Task<Void, any Error>?
        /// The effect to announce once it has been carried out.
        package var effect: LastingEffect?
        /// The name of the device for whose return it waits, once accepted.
        var awaitedDevice: String?
        /// The reason why its wait for the device was ended.
        var interruption: Interruption?
        /// The failure after which it can be retried, as its notification shows it.
        package var failure: NotificationStage?
        /// The last state of an ended suggestion, until it is removed from the bus.
        var lastState: String?
    }
}
