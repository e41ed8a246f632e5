package import History
package import HunchModel

/// Decides whether an app may store more donations.
///
/// It counts what apps donated since their stored amount was read. Repeated donations with equal parameters are stored
/// once but counted each time, so a count may be too high, never too low.
package struct DonorShares {
    /// The maximum of one app.
    package let limit: DonorShare
    /// The maximum number of apps whose amounts are kept.
    private static let maximumApps = 1_000
    private var counts: [AppID: DonorShare] = [:]
    /// The donations that were admitted and may not be on disk yet, by app.
    private var underWay: [AppID: DonorShare] = [:]
    /// Increases each time admitted donations are on disk. An amount that was read meanwhile may lack them.
    package private(set) var finished = 0

    package init(limit: DonorShare) { self.limit = limit }

    /// Returns the apps whose stored amounts have to be counted before their donations are admitted: it is unknown, or
    /// might now exceed the limit.
    package mutating func uncertain(for donations: [Donation]) -> [AppID] {
        if counts.count >= Self.maximumApps { forgetAll() }
        var added: [AppID: DonorShare] = [:]
        for donation in donations { added[donation.application, default: DonorShare()].add(donation) }
        return added.filter { application, added in
            counts[application].map { !($0 + added).isWithin(limit) } ?? true
        }.map(\.key)
    }

    /// Returns the apps whose amounts were discarded, or never counted.
    package func uncounted(for donations: [Donation]) -> [AppID] {
        Array(Set(donations.map(\.application)).filter { counts[$0] == nil })
    }

    /// Sets the stored amount of an app, which may lack donations in progress.
    package mutating func count(_ share: DonorShare, of application: AppID) {
        counts[application] = share + (underWay[application] ?? DonorShare())
    }

    /// Handles that admitted donations were stored or refused.
    package mutating func finish(_ donations: [Donation]) {
        finished += 1
        for donation in donations {
            underWay[donation.application]?.remove(donation)
            if underWay[donation.application] == DonorShare() { underWay[donation.application] = nil }
        }
    }

    /// Counts a donation if it is within the limit. Returns whether it is; `false` if the app has to be counted first.
    package mutating func admit(_ donation: Donation) -> Bool {
        guard var sum = counts[donation.application] else { return false }
        sum.add(donation)
        guard sum.isWithin(limit) else { return false }
        counts[donation.application] = sum
        underWay[donation.application, default: DonorShare()].add(donation)
        return true
    }

    /// Discards the amount of an app, so that it is counted again.
    package mutating func forget(_ application: AppID) { counts[application] = nil }

    /// Discards all amounts.
    package mutating func forgetAll() { counts.removeAll() }
}

extension DonorShare {
    fileprivate func isWithin(_ limit: DonorShare) -> Bool {
        donations <= limit.donations && bytes <= limit.bytes
    }

    fileprivate mutating func add(_ donation: Donation) {
        donations += 1
        bytes += Self.bytes(of: donation)
    }

    fileprivate mutating func remove(_ donation: Donation) {
        donations -= 1
        bytes -= Self.bytes(of: donation)
    }

    private static func bytes(of donation: Donation) -> Int {
        // A parameter takes six bytes of JSON besides its text. Escapes are counted in the exact count.
        donation.parameters.reduce(donation.identifier?.utf8.count ?? 0) {
            $0 + $1.key.utf8.count + $1.value.utf8.count + 6
        }
    }

    fileprivate static func + (left: DonorShare, right: DonorShare) -> DonorShare {
        DonorShare(donations: left.donations + right.donations, bytes: left.bytes + right.bytes)
    }
}
