package import HunchModel

extension ModePhrase {
    /// Returns the mode that comes first in a text, if it is one of several; `nil` if they are only one, or all public transport.
    package static func first(of modes: Set<TransportMode>, in text: String) -> TransportMode? {
        guard modes.count > 1, modes != TransportMode.transit, text.utf8.count <= RouteWords.longestText else {
            return nil
        }
        let words = text.lowercased().split { $0.isWhitespace || ",/".contains($0) }.map(String.init)
        for start in words.indices {
            for count in 1...Self.mostWords where start + count <= words.count {
                guard let found = ModePhrase(words[start..<(start + count)])?.modes, !found.isEmpty else { continue }
                if let mode = found.first, found.count == 1, modes.contains(mode) { return mode }
                break
            }
        }
        return EasternWords.firstMode(in: text).flatMap { modes.contains($0) ? $0 : nil }
    }
}
