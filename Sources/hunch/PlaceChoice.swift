import Glibc
internal import HunchModel
import Places

/// Asks the person which of several places is meant.
enum PlaceChoice {
    private static let attempts = 3

    /// The place that the person chose; `nil` when there is nobody to ask, as in a pipe, or none was chosen.
    static func among(_ candidates: [GeocodingCandidate], for text: String) throws -> GeocodingCandidate? {
        guard candidates.count > 1, isatty(STDIN_FILENO) == 1, Terminal.output.isTerminal, Terminal.errors.isTerminal
        else { return nil }
        try Output.write("“\(Output.plain(text))” may be:\n", to: STDERR_FILENO)
        for (index, candidate) in candidates.enumerated() {
            let place = "\(candidate.label) (\(candidate.kind.rawValue))"
            try Output.write("  \(index + 1)  \(Output.plain(place))\n", to: STDERR_FILENO)
        }
        for _ in 0..<attempts {
            try Output.write("Which one? 1 to \(candidates.count), or nothing for none: ", to: STDERR_FILENO)
            guard let line = readLine(), !line.isEmpty else { return nil }
            if let number = Int(line), (1...candidates.count).contains(number) { return candidates[number - 1] }
        }
        return nil
    }
}
