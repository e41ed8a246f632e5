import Localization

/// A repair that `hunch doctor --fix` can carry out. It only makes changes that can be undone or repeated.
enum Fix: Hashable, Sendable, CaseIterable {
    /// Switches Hunch on, and starts the agent.
    case enable
    /// Ends a pause.
    case unpause
    /// Restarts an agent that hangs.
    case restartAgent
    /// Removes a gazetteer that cannot be read.
    case removeGazetteer
    /// Imports the lists of towns that packages installed.
    case importPlaceLists
    /// Downloads the towns of the world.
    case downloadPlaces

    /// The effect, as the beginning of a question.
    var question: String {
        switch self {
        case .enable: localized("Switch Hunch on, so that it watches, records and suggests?")
        case .unpause: localized("End the pause, so that Hunch records and suggests again?")
        case .restartAgent: localized("Restart the agent, which does not answer?")
        case .removeGazetteer: localized("Remove the gazetteer, which cannot be read?")
        case .importPlaceLists: localized("Import the lists of towns that packages have installed?")
        case .downloadPlaces:
            localized("Ask download.geonames.org for the size of its list of towns, and then download it?")
        }
    }

    /// The shell command that does the same.
    var command: String {
        switch self {
        case .enable: "hunch enable"
        case .unpause: "hunch unpause"
        case .restartAgent: "systemctl --user restart hunchd.service"
        case .removeGazetteer: "hunch gazetteer remove --all"
        case .importPlaceLists: "hunch gazetteer import"
        case .downloadPlaces: "hunch gazetteer get cities500"
        }
    }
}

/// The course of `hunch doctor --fix`: which repairs to offer, and what changed.
struct FixSession {
    private(set) var offered: Set<Fix> = []
    private let before: [Finding]

    /// - Parameter findings: the results before any repair.
    init(_ findings: [Finding]) { before = findings }

    /// Returns the repairs to offer next, each once in a session, in the order of the checks.
    ///
    /// - Parameter findings: the results now. Some repairs become possible only after others.
    mutating func next(_ findings: [Finding]) -> [Fix] {
        var fixes: [Fix] = []
        for fix in findings.compactMap(\.fix) where offered.insert(fix).inserted { fixes.append(fix) }
        return fixes
    }

    /// A result that differs from the former one of the same check.
    struct Change: Equatable {
        /// `nil` for a result that is new.
        let former: Finding?
        /// `nil` for a result that is gone.
        let current: Finding?
    }

    /// Returns the changes since the beginning, in the order of the current results; those that are gone come last.
    func changes(_ findings: [Finding]) -> [Change] {
        var former = before
        var changes: [Change] = []
        // Equal results first, so that several of one check are not mistaken for each other.
        let fresh = findings.filter { finding in
            guard let index = former.firstIndex(of: finding) else { return true }
            former.remove(at: index)
            return false
        }
        for finding in fresh {
            let index = former.firstIndex {
                $0.check == finding.check && $0.subject.description == finding.subject.description
            }
            changes.append(Change(former: index.map { former.remove(at: $0) }, current: finding))
        }
        return changes + former.map { Change(former: $0, current: nil) }
    }
}
