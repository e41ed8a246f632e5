import Foundation
import HunchModel
import TestSupport
import Testing

@testable import History

@Suite("Names of earlier suggestions") struct SuggestedItemTests {
    private let now = TemporaryHistory.now
    private static let guide: AppID = "org.example.Guide"

    /// Records a suggestion of a map app to go to a place that another app showed.
    private func suggest(_ store: HistoryStore) throws {
        let shown = Engagement(
            suggestion: "s1", application: "org.example.Maps", kind: .directions, outcome: .shown, date: now,
            context: Context(trigger: .arrival("station")),
            item: SuggestedItem(
                title: "Get directions to LeavePlace", application: Self.guide,
                parameters: ["name": "LeavePlace", "latitude": "60.17", "longitude": "24.94"]))
        #expect(try store.record(shown, now: now).isRecorded)
    }

    @Test(
        "Forgetting a subject forgets its name and keeps the suggestion",
        arguments: [
            .place("leaveplace"), .place("60.1701,24.9401"), .application(SuggestedItemTests.guide),
        ] as [ForgetScope])
    func forgetting(scope: ForgetScope) async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            try suggest(store)
            #expect(try store.lastEngagements(limit: 9).map(\.item?.title) == ["Get directions to LeavePlace"])
            _ = try store.forget(.place("KeepPlace"))
            #expect(try history.filesHolding("LeavePlace") != [])
            _ = try store.forget(scope)
            #expect(try store.lastEngagements(limit: 9).map(\.item) == [nil])
            #expect(try history.filesHolding("LeavePlace") == [])
        }
    }

    @Test("Forgetting removes the name, too", arguments: [.everything, .since(TemporaryHistory.now)] as [ForgetScope])
    func suggestions(scope: ForgetScope) async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            try suggest(store)
            #expect(try store.forget(scope).engagements == 1)
            #expect(try history.filesHolding("LeavePlace") == [])
        }
    }

    @Test("The name is removed when its app deletes the content")
    func deletion() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            try suggest(store)
            let place = SeenPlace(
                application: Self.guide, place: MapItem(name: "LeavePlace"), content: "c", related: nil, group: nil,
                date: now)
            _ = try store.remember(place, now: now)
            #expect(try store.deleteSeenPlaces(.identifiers(["other"]), of: Self.guide) == 0)
            #expect(try store.lastEngagements(limit: 9).map(\.item?.application) == [Self.guide])
            #expect(try store.deleteSeenPlaces(.identifiers(["c"]), of: Self.guide) == 1)
            #expect(try store.lastEngagements(limit: 9).map(\.item) == [nil])
        }
    }

    @Test("An excluded app's content is not named")
    func exclusion() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            try store.exclude(Self.guide)
            try suggest(store)
            #expect(try store.lastEngagements(limit: 9).map(\.item) == [nil])
        }
    }

    @Test("Only the action of the row is forgotten, with its resume point")
    func row() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            try store.record([.played("KeepItem"), .played("file:///LeaveItem", at: 5)], now: now)
            try store.remember(.stopped("LeaveItem", in: "org.example.Player", device: "d"), now: now)
            var rows: [ActionRow] = []
            try store.forEachNewestDonation { _, row in
                rows.append(row)
                return true
            }
            let newest = try #require(rows.first)
            #expect(ActionRow(newest.description) == newest)
            let stale = ActionRow(number: newest.number, milliseconds: newest.milliseconds + 1)
            #expect(try store.forget(.action(stale)).donations == 0)
            #expect(try store.application(of: newest) == "org.example.Player" && store.application(of: stale) == nil)
            let receipt = try store.forget(.action(newest))
            #expect(receipt.donations == 1 && receipt.resumePoints == 1)
            #expect(try store.donations(limit: 9).map { $0.parameters["item"] } == ["KeepItem"])
            #expect(try history.filesHolding("LeaveItem") == [])
        }
    }

    @Test("Forgetting the action or the app of a suggestion forgets its place", arguments: [true, false])
    func subjects(ofAction: Bool) async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            // An app chooses the names of its parameters.
            let parameters = ["name": "LeavePlace", "a\"b\\": "x"]
            let taken = Donation(
                application: "org.example.Maps", kind: .getDirections, parameters: parameters, date: now)
            try store.record([taken], now: now)
            let place = try #require(SuggestionSubject(MapItem(name: "LeavePlace")))
            let refused = Engagement(
                suggestion: "s1", application: "org.example.Other", kind: .directions, outcome: .dismissed, date: now,
                context: Context(trigger: .device("d")), subject: place,
                item: SuggestedItem(title: "To LeavePlace", application: Self.guide, parameters: parameters))
            #expect(try store.record(refused, now: now).isRecorded)
            try store.mute(MutedPair(SuggestionPair(refused), date: now))
            var rows: [ActionRow] = []
            try store.forEachNewestDonation { _, row in
                rows.append(row)
                return true
            }
            let receipt = try store.forget(ofAction ? .action(try #require(rows.first)) : .application(Self.guide))
            #expect(receipt.engagements == 1 && receipt.mutedPairs == 1)
            if !ofAction { _ = try store.forget(.application("org.example.Maps")) }
            #expect(try history.filesHolding("LeavePlace") == [])
        }
    }
}
