package import HunchModel
package import Suggestions

/// Accepted suggestions that wait for their device.
extension SuggestionDesk {
    /// An event that ended a wait, as a reason in words for the user.
    struct Interruption: Error, CustomStringConvertible {
        let description: String
    }

    /// Shows that an accepted suggestion waits for the return of a device; `nil` once it has returned.
    package func wait(_ identifier: Suggestion.ID, for device: String?) async {
        guard let life = board.life(of: identifier), case .accepted = life.state else { return }
        handlings[identifier]?.awaitedDevice = device
        if device != nil { await showAgain(life.suggestion) } else { await tellStarting(identifier) }
    }

    /// Ends the waits of accepted suggestions. Nothing starts when their devices return.
    ///
    /// - Parameters:
    ///   - event: the event that ends them; `nil` if they fail.
    ///   - reason: returns the reason in words for the user. The parameter is the name of the device.
    ///   - isTold: whether a notification gives the reason.
    /// - Returns: the number of ended waits.
    @discardableResult
    package func endWaits(
        by event: SuggestionEvent? = nil, isTold: Bool = false, because reason: @Sendable (_ device: String) -> String,
        where condition: @Sendable (Suggestion) -> Bool
    ) async -> Int {
        var ended: [(suggestion: Suggestion, interruption: Interruption)] = []
        for life in board.lives where condition(life.suggestion) {
            guard let device = handlings[life.id]?.awaitedDevice else { continue }
            let interruption = Interruption(description: reason(device))
            handlings[life.id]?.awaitedDevice = nil
            handlings[life.id]?.interruption = interruption
            handlings[life.id]?.performance?.cancel()
            ended.append((life.suggestion, interruption))
        }
        for (suggestion, interruption) in ended {
            await apply(event ?? .fail(reason: interruption.description), to: suggestion.id)
            if isTold { await tellFailure(of: suggestion, interruption) }
        }
        return ended.count
    }
}
