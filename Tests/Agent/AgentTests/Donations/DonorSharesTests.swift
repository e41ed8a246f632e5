import FoundationEssentials
import History
import HunchModel
import Testing

@testable import Learning

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

    @Test("A discarded amount is counted again before donations are admitted")
    func discarded() {
        var shares = DonorShares(limit: DonorShare(donations: 3, bytes: 1_000))
        let batch = [donation("org.example.A", "1"), donation("org.example.B", "1")]
        let uncertain = Set(shares.uncertain(for: batch))
        #expect(uncertain == ["org.example.A", "org.example.B"])
        shares.count(DonorShare(donations: 3, bytes: 60), of: "org.example.A")
        // The app deletes something while the other one is counted.
        shares.forget("org.example.A")
        shares.count(DonorShare(), of: "org.example.B")
        #expect(shares.uncounted(for: batch) == ["org.example.A"])
        let uncounted = shares.admit(batch[0])
        shares.count(DonorShare(donations: 2, bytes: 40), of: "org.example.A")
        #expect(!uncounted && shares.uncounted(for: batch).isEmpty)
        let admitted = [batch[0], batch[0], batch[1]].map { shares.admit($0) }
        #expect(admitted == [true, false, true])
        shares.forgetAll()
        #expect(Set(shares.uncounted(for: batch)) == uncertain)
    }

    @Test("Text counts, and one app's share is not another's")
    func bytes() {
        var shares = DonorShares(limit: DonorShare(donations: 100, bytes: 60))
        let long = donation("org.example.A", String(repeating: "x", count: 40))
        let other = donation("org.example.B", "y")
        for app in [long, other].map(\.application) { shares.count(DonorShare(), of: app) }
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
