import FoundationEssentials
import HunchModel
import TestSupport
import Testing

@testable import History

@Suite("Places seen on the screen") struct SeenPlaceTests {
    private let now = TemporaryHistory.now
    private static let guide: AppID = "org.example.Guide"

    private func place(
        _ name: String, of application: AppID = guide, content: String? = nil, related: String? = nil,
        group: String? = nil, at seconds: Double = 0, latitude: Double? = nil
    ) throws -> SeenPlace {
        SeenPlace(
            application: application,
            place: MapItem(
                name: name, coordinate: try latitude.map { try Coordinate(latitude: $0, longitude: 13.3777) }),
            content: content, related: related, group: group, date: now.addingTimeInterval(seconds))
    }

    @Test("A place is stored once per content and updated later")
    func remembering() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            #expect(try store.remember(place("Yank Sing", content: "r41"), now: now).isRecorded)
            #expect(try store.remember(place("Yank Sing 2", content: "r41", at: 5), now: now).isRecorded)
            #expect(try store.remember(place("Oodi", at: 3, latitude: 60.1737), now: now).isRecorded)
            #expect(try store.remember(place("OODI", at: 9, latitude: 60.17371), now: now).isRecorded)
            #expect(try store.remember(place("Oodi", of: "org.example.Other", latitude: 60.1737), now: now).isRecorded)
            let seen = try store.seenPlaces(limit: 10)
            #expect(seen.map(\.place.name) == ["OODI", "Yank Sing 2", "Oodi"])
            #expect(try store.seenPlaces(of: Self.guide, limit: 1).map(\.place.name) == ["OODI"])
            #expect(try store.recentPlaces(limit: 9).map(\.name) == ["OODI", "Yank Sing 2"])
            #expect(try store.recentPlaces(limit: 0).isEmpty)
            try store.exclude("org.example.Other")
            #expect(try store.seenPlaces(limit: 10).count == 2)
            #expect(try store.seenPlaces(of: "org.example.Other", limit: 10).isEmpty)
        }
    }

    @Test("Of two versions of a reservation the later one counts, and no other journey of its booking is lost")
    func changedReservations() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            try store.setCategory(.calendar, isAllowed: true)
            var age = 0.0
            func keep(
                _ title: String, _ type: String, inHours hours: Double, booking: String? = "b1",
                of application: AppID = "org.hunch.Hunch"
            ) throws {
                age += 1
                let start = now.addingTimeInterval(hours * 3_600)
                var seen = try place("Station", of: application, content: "\(title) \(hours)", at: age)
                seen.reservation = CalendarEvent(title: title, start: start, reservation: type, booking: booking)
                #expect(try store.remember(seen, now: now).isRecorded)
            }
            func hours() throws -> [Double] {
                try store.reservations(from: now, until: .distantFuture).map { $0.start.timeIntervalSince(now) / 3_600 }
            }
            let train = "TrainReservation"
            // The same train on two days, one of them moved; and the train back.
            for time in [100.0, 124, 101.5] { try keep("ICE 1: A → B", train, inHours: time) }
            try keep("ICE 2: B → A", train, inHours: 102)
            #expect(try hours() == [101.5, 102, 124])
            // Others that look alike.
            try keep("ICE 1: A → B", train, inHours: 103, booking: "b2")
            try keep("ICE 1: A → B", train, inHours: 104, booking: nil)
            try keep("ICE 1: A → B", train, inHours: 105, of: "org.example.Sandboxed")
            #expect(try hours() == [101.5, 102, 103, 104, 105, 124])
            // A hotel is booked once, whatever its day, and a festival may last for days.
            for time in [200.0, 400] { try keep("Hotel", "LodgingReservation", inHours: time, booking: "b3") }
            for time in [500.0, 524] { try keep("Festival", "EventReservation", inHours: time, booking: "b4") }
            #expect(try hours() == [101.5, 102, 103, 104, 105, 124, 400, 500, 524])
            // Nothing that was on the screen is a recent place because of a reservation.
            #expect(try store.recentPlaces(limit: 9).isEmpty)
            // Removing the later version removes the earlier one.
            let hotel = try #require(store.reservations(from: now, until: .distantFuture).first { $0.title == "Hotel" })
            #expect(try store.deleteReservation(hotel.identifier))
            #expect(try hours() == [101.5, 102, 103, 104, 105, 124, 500, 524])
        }
    }

    @Test("Decisions about places are limited, can be changed, and name real apps")
    func placeAccess() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            #expect(try store.setPlaceAccess("org.example.Taxi.desktop", isAllowed: true))
            #expect(try !store.setPlaceAccess("org.example.Taxi", isAllowed: true))
            #expect(try store.setPlaceAccess("org.example.Taxi", isAllowed: false))
            #expect(throws: HistoryError.self) { try store.setPlaceAccess("", isAllowed: true) }
            #expect(try store.placeAccess() == ["org.example.Taxi": false])
            for number in 1..<HistoryLimits.placeAccess {
                try store.setPlaceAccess(AppID("a\(number)"), isAllowed: true)
            }
            #expect(throws: HistoryError.self) { try store.setPlaceAccess("one.more", isAllowed: true) }
            #expect(try store.setPlaceAccess("a1", isAllowed: false))
        }
    }

    @Test("Reservations are kept until they end, however many places follow, and only if allowed")
    func reservations() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            let start = now.addingTimeInterval(200 * 86_400)
            var flight = try place("Airport", content: "flight")
            flight.reservation = CalendarEvent(title: "AF 1", start: start, reservation: "FlightReservation")
            _ = try store.remember(flight, now: now)
            #expect(try store.reservations(from: now, until: .distantFuture).isEmpty, "the calendar is not allowed")
            try store.setCategory(.calendar, isAllowed: true)
            _ = try store.remember(flight, now: now)
            for number in 0..<(HistoryLimits.seenPlacesOfApplication + 5) {
                _ = try store.remember(place("p\(number)", content: "\(number)", at: Double(number)), now: now)
            }
            #expect(try store.seenPlaces(limit: 1_000).count == HistoryLimits.seenPlacesOfApplication)
            // A clock that jumps is trusted after a day.
            for days in [-10.0, -1] { try store.prune(now: start.addingTimeInterval(days * 86_400)) }
            let kept = try store.reservations(from: now, until: .distantFuture)
            #expect(kept.map(\.title) == ["AF 1"] && kept[0].place?.name == "Airport")
            #expect(try store.reservations(from: now, until: start).isEmpty)
            #expect(try store.deleteReservation(kept[0].identifier))
            #expect(try store.reservations(from: now, until: .distantFuture).isEmpty)
            _ = try store.remember(flight, now: now)
            for days in [121.0, 123] { try store.prune(now: start.addingTimeInterval(days * 86_400)) }
            #expect(try store.seenPlaces(limit: 10).isEmpty, "it is over, and older than the limit")
        }
    }

    @Test("An offered place counts as offered for its related content")
    func offeringOnce() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            let day = now.addingTimeInterval(-3_600)
            var offered = try place("Yank Sing", content: "r41", related: "d7", latitude: 37.7922)
            #expect(try !store.wasOffered(offered, since: day))
            _ = try store.remember(offered, now: now)
            #expect(try !store.wasOffered(offered, since: day))
            offered.offered = now
            _ = try store.remember(offered, now: now)
            offered.offered = nil
            offered.date = now.addingTimeInterval(60)
            _ = try store.remember(offered, now: now)
            #expect(try store.seenPlaces(limit: 1).first?.offered == now)
            #expect(try store.wasOffered(offered, since: day))
            #expect(try !store.wasOffered(offered, since: now.addingTimeInterval(3_600)))
            #expect(try store.wasOffered(place("Other", content: "d7"), since: day))
            #expect(try store.wasOffered(place("Other", content: "r42", related: "r41"), since: day))
            #expect(try store.wasOffered(place("Other", content: "r42", related: "d7"), since: day))
            #expect(try store.wasOffered(place("yank sing", of: "org.example.Other", latitude: 37.79221), since: day))
            let other = try place("Other", of: "org.example.Other", content: "r41", related: "d7")
            #expect(try !store.wasOffered(other, since: day))
            #expect(try !store.wasOffered(place("Yank Sing", content: "r43", latitude: 37.8), since: day))

            let donated = try place("Kept", content: "r44", related: "d8")
            #expect(try !store.wasOffered(donated, since: day))
            _ = try store.record(.played("d", in: Self.guide, identifier: "d8"), now: now)
            #expect(try store.wasOffered(donated, since: day))
            #expect(try !store.wasOffered(place("Kept", of: "org.example.Other", related: "d8"), since: day))
        }
    }

    @Test("Places are stored only where recording is on")
    func withheld() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open(enabled: false)
            func isKept() throws -> Bool {
                let outcome = try store.outcome(forApplication: Self.guide, now: now)
                #expect(try store.remember(place("a"), now: now).isRecorded == outcome.isRecorded)
                return outcome.isRecorded
            }
            #expect(try !isKept())
            try store.setEnabled(true)
            #expect(try isKept())
            try store.setPaused(until: now.addingTimeInterval(60))
            #expect(try !isKept())
            try store.setPaused(until: nil)
            store.withhold(because: .kdeRecentFiles)
            #expect(try !isKept())
            store.withhold(because: nil)
            try store.exclude(Self.guide)
            #expect(try !isKept())
            #expect(try store.outcome(forApplication: "org.example.Other", now: now).isRecorded)
        }
    }

    @Test("The newest places are kept; oversized ones are refused")
    func bounds() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            for number in 0...HistoryLimits.seenPlacesOfApplication {
                _ = try store.remember(place("p\(number)", at: Double(number)), now: now)
            }
            let seen = try store.seenPlaces(limit: 1_000).map(\.place.name)
            #expect(seen.count == HistoryLimits.seenPlacesOfApplication && seen.last == "p1")
            let fault = try store.remember(place(String(repeating: "x", count: 20_000)), now: now)
            guard case .refused(let error) = fault else { throw BenchError("\(fault)") }
            #expect(error.message.contains("\(HistoryLimits.mapItem)"))
            guard case .refused = try store.remember(place("x", content: ""), now: now) else {
                throw BenchError("an empty content was taken")
            }
        }
    }

    @Test("An app deletes its places by identifier, group, or all")
    func deleting() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            for (name, content, related, group) in [
                ("SpotA", "a", nil, "g"), ("SpotB", "b", "a", nil), ("SpotC", "c", nil, "g"), ("SpotD", "d", nil, nil),
            ] as [(String, String, String?, String?)] {
                _ = try store.remember(place(name, content: content, related: related, group: group), now: now)
            }
            _ = try store.remember(place("SpotE", of: "org.example.Other", content: "a", group: "g"), now: now)
            #expect(try store.deleteSeenPlaces(.identifiers(["a", "z"]), of: Self.guide) == 2)
            #expect(try store.deleteSeenPlaces(.groups(["g"]), of: Self.guide) == 1)
            #expect(try store.deleteSeenPlaces(.all, of: Self.guide) == 1)
            #expect(try store.deleteSeenPlaces(.all, of: Self.guide) == 0)
            #expect(try store.seenPlaces(limit: 10).map(\.place.name) == ["SpotE"])
            for gone in ["SpotA", "SpotB", "SpotC", "SpotD"] { #expect(try history.filesHolding(gone) == []) }
        }
    }

    @Test("Related content is found over several steps, and in groups of donations")
    func relatedContent() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            for (content, related) in [("a", "r"), ("b", "r"), ("b", "s"), ("c", "d"), ("d", nil)] {
                _ = try store.remember(place("p", content: content, related: related), now: now)
            }
            _ = try store.record(
                [.played("d", in: Self.guide, identifier: "s", group: "g"), .played("e", in: Self.guide, group: "g")],
                now: now)
            let live = ContentNames(content: "b", related: "r", group: "h")
            for (selection, expected) in [
                (.identifiers(["a"]), ["a", "b", "r", "s"]), (.identifiers(["d", "z"]), ["c", "d", "z"]),
                (.groups(["g"]), ["a", "b", "r", "s"]), (.groups(["h"]), ["a", "b", "r", "s"]), (.groups(["i"]), []),
                (.all, ["a", "b", "c", "d", "r", "s"]),
            ] as [(DonationSelection, [String])] {
                let names = try store.contentNames(of: Self.guide, in: selection, with: [live])
                #expect(names.identifiers(in: selection) == expected, "\(selection)")
            }
        }
    }

    @Test("Places expire, and forgetting a place removes each mention")
    func forgetting() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            _ = try store.remember(place("Old", at: -121 * 86_400), now: now - 2 * 86_400)
            _ = try store.remember(place("Café Spot"), now: now)
            _ = try store.remember(place("By position", latitude: 52.5163), now: now)
            _ = try store.remember(place("By content", content: "the café spot"), now: now)
            _ = try store.remember(place("Far", latitude: 53), now: now)
            #expect(try store.prune(now: now).seenPlaces == 1)
            #expect(try store.forget(.place("CAFÉ SPOT")).seenPlaces == 2)
            #expect(try store.forget(.place("52.5164,13.3779")).seenPlaces == 1)
            #expect(try store.forget(.device("Far")).seenPlaces == 0)
            #expect(try store.forget(.kind(.openItem)).seenPlaces == 0)
            #expect(try store.forget(.application(Self.guide)).seenPlaces == 1)
            #expect(try store.forget(.everything).seenPlaces == 0)
        }
    }

    @Test("Forgetting an app removes suggestions based on its content")
    func forgettingTheSource() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            let context = Context(trigger: .activity(Self.guide))
            _ = try store.record(
                Engagement(
                    suggestion: "s", application: "org.example.Maps", kind: .directions, outcome: .shown, date: now,
                    context: context), now: now)
            try store.mute(
                MutedPair(trigger: context.trigger, application: "org.example.Maps", date: now))
            let receipt = try store.forget(.application(Self.guide))
            #expect(receipt.engagements == 1 && receipt.mutedPairs == 1)
            #expect(try history.filesHolding(Self.guide.rawValue) == [])
        }
    }
}
