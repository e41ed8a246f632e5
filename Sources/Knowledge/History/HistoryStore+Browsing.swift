internal import GRDB
public import HunchModel

/// Reading the history as a user does: the newest first.
extension HistoryStore {
    /// Calls `body` with donations and their rows, the newest first, until it returns `false`. Holds one of them in memory.
    ///
    /// Donations recorded meanwhile are not seen. `body` must not call this store, and must not wait: forgetting waits
    /// for it.
    ///
    /// - Parameters:
    ///   - kind: the kind of donations, or `nil` for every kind.
    ///   - application: the app that they belong to, or `nil` for every app.
    public func forEachNewestDonation(
        of kind: Donation.Kind? = nil, by application: AppID? = nil, _ body: (Donation, ActionRow) throws -> Bool
    ) throws(HistoryError) {
        try read { db in
            let rows = try Row.fetchCursor(
                db,
                sql: Self.donationQuery + """
                    WHERE (?1 IS NULL OR action.kind = ?1) AND (?2 IS NULL OR app.text = ?2)
                    ORDER BY donation.date DESC, donation.id DESC
                    """, arguments: [kind?.rawValue, application])
            while let row = try rows.next() {
                guard let donation = Self.donation(row), let number = row.integer("id") else { continue }
                let name = ActionRow(number: number, milliseconds: donation.date.milliseconds)
                if try !body(donation, name) { return }
            }
        }
    }

    /// Returns the last engagement with each suggestion, the newest by date first.
    ///
    /// - Parameters:
    ///   - application: the app of the suggestions, or `nil` for every app.
    ///   - limit: the maximum number to return.
    public func lastEngagements(by application: AppID? = nil, limit: Int) throws(HistoryError) -> [Engagement] {
        try read { db in
            // Engagements with one suggestion may have the same date, so their order of arrival determines the last
            // one.
            try Row.fetchAll(
                db,
                sql: Self.engagementQuery + """
                    WHERE engagement.id IN (SELECT max(id) FROM engagement GROUP BY suggestion)
                        AND (?1 IS NULL OR app.text = ?1)
                    ORDER BY date DESC, engagement.id DESC LIMIT ?2
                    """, arguments: [application, max(limit, 0)]
            ).compactMap(Self.engagement)
        }
    }
}
