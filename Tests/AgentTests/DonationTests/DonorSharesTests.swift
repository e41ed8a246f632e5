import FoundationEssentials
import History
import HunchModel
import Testing

@testable import Agent

@Suite("Shares of donors")
struct DonorSharesTests {
    private func donation(_ application: AppID, _ item: String) -> Donation {
        Donation(
            application: application, kind: .openItem, parameters: ["item": item],
            date: Date(timeIntervalSince1970: 1_000_000))
    }

    @Test("An app is counted once, and again only when its limit is near")
    func counting() {
        var shares = DonorShares(limit: DonorShare(donations: 3, bytes: 1_000))
        let first = donation("org.example.A", "1")
        var uncertain = shares.uncertain(for: [first])
        #expect(uncertain == ["org.example.A"])
        shares.count(DonorShare(donations: 1, bytes: 20), of: "org.example.A")
        uncertain = shares.uncertain(for: [first, first])
        #expect(uncertain.isEmpty)
        let admitted = [shares.admit(first), shares.admit(first)]
        #expect(admitted == [true, true])
        // Equal donations are stored once but counted twice, so the store is asked before anything is refused.
        uncertain = shares.uncertain(for: [first])
        #expect(uncertain == ["org.example.A"])
        let beyond = shares.admit(first)
        shares.finish([first, first])
        shares.count(DonorShare(donations: 2, bytes: 40), of: "org.example.A")
        let within = shares.admit(first)
        #expect(!beyond && within)
    }

    @Test("Two batches at once stay within one share")
    func atOnce() {
        var shares = DonorShares(limit: DonorShare(donations: 3, bytes: 1_000))
        let (app, item): (AppID, Donation) = ("org.example.A", donation("org.example.A", "1"))
        // Both batches read the stored amount before either is on disk.
        shares.count(DonorShare(donations: 1, bytes: 20), of: app)
        let first = [shares.admit(item), shares.admit(item)]
        shares.count(DonorShare(donations: 1, bytes: 20), of: app)
        let second = shares.admit(item)
        #expect(first == [true, true] && !second)
        let before = shares.finished
        shares.finish([item, item])
        // An amount that was read before this may lack them, so it is read again.
        #expect(shares.finished != before)
        shares.count(DonorShare(donations: 2, bytes: 40), of: app)
        let last = [shares.admit(item), shares.admit(item)]
        #expect(last == [true, false])
    }

    @Test("Text counts, and one app's share is not another's")
    func bytes() {
        var shares = DonorShares(limit: DonorShare(donations: 100, bytes: 60))
        let long = donation("org.example.A", String(repeating: "x", count: 40))
        let other = donation("org.example.B", "y")
        let admitted = [long, long, other].map { shares.admit($0) }
        #expect(admitted == [true, false, true])
        shares.forget("org.example.A")
        var uncertain = shares.uncertain(for: [long])
        #expect(uncertain == ["org.example.A"])
        shares.forgetAll()
        uncertain = shares.uncertain(for: [other])
        #expect(uncertain == ["org.example.B"])
    }
}
