import FoundationEssentials
import History
import HunchModel
import Testing

@testable import Agent

@Suite("Shares of donors")
struct DonorSharesTests {
    private func donation(_ application: String, _ item: String) -> Donation {
        Donation(
            application: application, kind: .openItem, parameters: ["item": item],
            date: Date(timeIntervalSince1970: 1_000_000))
    }

    @Test("An app is counted once, and again only when its limit is near")
    func counting() {
        var shares = DonorShares(limit: DonorShare(donations: 3, bytes: 1_000))
        let first = donation("org.example.A", "1")
        #expect(shares.uncertain(for: [first]) == ["org.example.A"])
        shares.count(DonorShare(donations: 1, bytes: 20), of: "org.example.A")
        #expect(shares.uncertain(for: [first, first]).isEmpty)
        #expect(shares.admit(first) && shares.admit(first))
        // Equal donations are stored once but counted twice, so the store is asked before anything is refused.
        #expect(shares.uncertain(for: [first]) == ["org.example.A"])
        #expect(!shares.admit(first))
        shares.count(DonorShare(donations: 2, bytes: 40), of: "org.example.A")
        #expect(shares.admit(first))
    }

    @Test("Text counts, and one app's share is not another's")
    func bytes() {
        var shares = DonorShares(limit: DonorShare(donations: 100, bytes: 60))
        let long = donation("org.example.A", String(repeating: "x", count: 40))
        #expect(shares.admit(long) && !shares.admit(long))
        #expect(shares.admit(donation("org.example.B", "y")))
        shares.forget("org.example.A")
        #expect(shares.uncertain(for: [long]) == ["org.example.A"])
        shares.forgetAll()
        #expect(shares.uncertain(for: [donation("org.example.B", "y")]) == ["org.example.B"])
    }
}
