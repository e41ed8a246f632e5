internal import DataFiles

/// The kind of program behind a player, judged by its names.
enum PlayerKind: Hashable, Sendable {
    /// A browser, which has a player for any page that makes a sound.
    case browser
    /// An app for radio stations.
    case radio
    /// An app for video calls.
    case call
    /// Anything else.
    case other

    /// The words in the names of players of each kind, the kind that counts first.
    private static let words: [(PlayerKind, Set<String>)] = {
        func words(_ kind: PlayerRow.Kind) -> Set<String> {
            Set(PlayerRow.known.filter { $0.kind == kind }.flatMap(\.words))
        }
        return [
            (.browser, words(.browser)), (.call, words(.call).union(CallServices.known.apps)), (.radio, words(.radio)),
        ]
    }()

    /// Determines the kind from names: identities, desktop identifiers, parts of bus names.
    init(names: [String]) {
        let words = Set(names.flatMap { $0.lowercased().split { ".-_ ".contains($0) }.map(String.init) })
        self = Self.words.first { !$0.1.isDisjoint(with: words) }?.0 ?? .other
    }
}
