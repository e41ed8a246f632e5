/// How far an export has come. A value: pages may be asked for at any pace, and what is forgotten meanwhile is not in
/// the pages that follow.
public struct ExportCursor: Sendable {
    enum Section: Int, CaseIterable {
        case head, donations, engagements, resumePoints, mutedPairs, announcements, seenPlaces, whereabouts, end
    }

    var section = Section.head
    /// Row number of the last donation or engagement.
    var row: Int64 = 0
    /// Key of the last resume point.
    var device = ""
    var application = ""
    var lines = 0

    /// Stands before the first line.
    public init() {}

    mutating func beginNextSection() {
        section = Section(rawValue: section.rawValue + 1) ?? .end
        row = 0
    }
}
