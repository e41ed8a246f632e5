public import FoundationEssentials
internal import GRDB
public import HunchModel
public import Popularity

extension IndexStore {
    /// The most items of ``publicItemsOpened(since:excluding:)``.
    private static let openedLimit = 1_000

    /// Returns the keys of public items that the user opened from a date on.
    ///
    /// - Parameter excluded: the apps whose items are left out.
    public func publicItemsOpened(
        since date: Date, excluding excluded: Set<AppID> = []
    ) throws(IndexError) -> [PopularityKey] {
        try wrapped {
            try database.read { db in
                try Row.fetchAll(
                    db,
                    sql: """
                        SELECT \(HitReader.columns) FROM engagement
                            JOIN source ON source.application = engagement.application AND source.name = engagement.name
                            JOIN item ON item.source = source.id AND item.identifier = engagement.identifier
                        WHERE engagement.query = '' AND engagement.lastOpened >= ? AND item.isPublic
                        ORDER BY engagement.lastOpened DESC LIMIT \(Self.openedLimit)
                        """, arguments: [date.timeIntervalSince1970]
                ).map { HitReader.hit($0).hit }.filter { !excluded.contains($0.source.application) }
                    .compactMap(\.popularityKey)
            }
        }
    }

    /// Stores an aggregator's sketch in place of the former one; `nil` removes it.
    public func setPopularity(_ sketch: PopularitySketch?) throws(IndexError) {
        try wrapped { try database.write { try PopularityRanking.store(sketch, $0) } }
    }
}
