import Foundation
import HunchModel
import TestSupport
import Testing

@testable import History

@Suite("Content that was opened about a place") struct PlaceOpeningTests {
    private static let guide: AppID = "org.example.Guide"
    private let now = TemporaryHistory.now

    private func opened(_ word: String, in application: AppID = guide, identifier: String? = nil) -> Donation {
        Donation(
            application: application, kind: .openItem,
            parameters: ["title": "Page \(word)", "uri": "https://guide.example/\(word)"], date: now,
            context: Context(), identifier: identifier)
    }

    @Test(
        "It is forgotten with the place, though it does not name it",
        arguments: ["Krokodilhaus", "52.5163,13.3777"])
    func forgetting(place: String) async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            let house = MapItem(
                name: "Krokodilhaus", coordinate: try Coordinate(latitude: 52.5163, longitude: 13.3777))
            for (content, item) in [
                ("ident", house), ("https://guide.example/LeaveLink", house), ("kept", MapItem(name: "Oodi")),
            ] {
                _ = try store.remember(
                    SeenPlace(
                        application: Self.guide, place: item, content: content, related: "\(content)-2", date: now),
                    now: now)
            }
            let outcomes = try store.record(
                [
                    opened("LeaveContent", identifier: "ident"), opened("LeaveRelated", identifier: "ident-2"),
                    opened("LeaveLink"), opened("KeepPage", identifier: "kept"),
                    opened("KeepApp", in: "org.example.Other", identifier: "ident"),
                    .played("KeepMedia", in: Self.guide, identifier: "ident"),
                ], now: now)
            #expect(outcomes.allSatisfy { $0.isRecorded })
            _ = try store.record(
                Engagement(
                    suggestion: "s", application: Self.guide, kind: .item, outcome: .shown, date: now,
                    context: Context(),
                    item: SuggestedItem(
                        title: "LeaveName", application: Self.guide,
                        parameters: ["item": "ident", "title": "LeaveName"])),
                now: now)
            #expect(
                try store.contents(in: .place(place))[Self.guide]?.isSuperset(
                    of: ["ident", "ident-2", "https://guide.example/LeaveContent", "https://guide.example/LeaveLink"])
                    == true)
            #expect(try store.forget(.place(place)).donations == 3)
            #expect(try store.donations(limit: 9).count == 3)
            for word in ["LeaveContent", "LeaveRelated", "LeaveLink", "LeaveName"] {
                #expect(try history.filesHolding(word) == [], "\(word)")
            }
            for word in ["KeepPage", "KeepApp", "KeepMedia"] {
                #expect(try history.filesHolding(word) != [], "\(word)")
            }
        }
    }
}
