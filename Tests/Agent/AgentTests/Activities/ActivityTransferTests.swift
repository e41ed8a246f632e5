import AgentInterface
import FoundationEssentials
import HunchDBus
import HunchModel
import Testing

@Suite("Activities on the bus") struct ActivityTransferTests {
    private func refusal(_ map: VariantMap) -> DBusError? {
        do {
            _ = try Activity(transfer: map)
            return nil
        } catch {
            return error
        }
    }

    private let least: VariantMap = ["type": .string("org.example.Guide.place"), "title": .string("Yank Sing")]

    @Test("An activity survives encoding and decoding")
    func roundTrip() throws {
        let place = MapItem(
            name: "Yank Sing", coordinate: try Coordinate(latitude: 37.79, longitude: -122.39),
            address: PostalAddress(street: "101 Spear St", city: "San Francisco"), phoneNumber: "+1 415 555 0100")
        let activity = Activity(
            type: "org.example.Guide.place", title: "Yank Sing", keywords: ["dim sum"], payload: [0, 1, 255],
            webPageURL: "https://example.org/yank-sing", place: place, contentIdentifier: "r41", group: "sf",
            relatedIdentifier: "d7", start: Date(timeIntervalSince1970: 1_800_000_000),
            end: Date(timeIntervalSince1970: 1_800_003_600), isEligibleForSearch: true, isEligibleForSuggestion: false,
            expiry: Date(timeIntervalSince1970: 1_900_000_000), needsSave: true)
        #expect(try Activity(transfer: activity.transfer) == activity)
        let plain = Activity(type: "org.example.Guide.place", title: "x")
        #expect(try Activity(transfer: plain.transfer) == plain)
        #expect(try Activity(transfer: least).isEligibleForSuggestion)
    }

    @Test(
        "A missing or invalid field is refused by its name",
        arguments: [
            ("type", nil), ("title", nil), ("type", .string("no dots")), ("title", .string("")), ("title", .int32(1)),
            ("title", .string(String(repeating: "x", count: 1_025))),
            ("payload", [UInt8](repeating: 0, count: 65_537).dbusValue),
            ("keywords", [String](repeating: "k", count: 33).dbusValue), ("url", .string("file:///etc/passwd")),
            ("url", .string("http://")), ("url", .string("https:///page")), ("url", .string("http://:80/")),
            ("url", .string("https://example.org/a b")), ("content", .string(String(repeating: "c", count: 1_025))),
            ("expiry", .string("tomorrow")), ("start", .string("tomorrow")), ("end", .double(1)),
        ] as [(String, Value?)])
    func refused(_ key: String, _ value: Value?) {
        var map = least
        map[key] = value
        #expect(refusal(map)?.message.contains(key) == true)
    }

    @Test("An event ends when it begins, or later")
    func span() throws {
        var map = least.merging(["start": .uint64(1_800_000_000_000_000), "end": .uint64(1_799_999_999_000_000)]) { $1 }
        #expect(refusal(map)?.name == .invalidInput)
        map["end"] = map["start"]
        #expect(try Activity(transfer: map).end != nil)
    }

    @Test("The largest payload passes; one more byte names the limit")
    func payloadLimit() throws {
        var map = least
        map["payload"] = [UInt8](repeating: 7, count: 65_536).dbusValue
        #expect(try Activity(transfer: map).payload.count == 65_536)
        map["payload"] = [UInt8](repeating: 7, count: 65_537).dbusValue
        let error = refusal(map)
        #expect(error?.name == .limitsExceeded && error?.message.contains("65536 (64 KiB)") == true)
    }

    @Test("An update sets fields, clears empty ones, or fails whole")
    func updates() throws {
        var activity = try Activity(
            transfer: least.merging(["group": .string("g"), "url": .string("https://a.org")]) { $1 })
        try activity.update(transfer: ["title": .string("Other"), "group": .string("")])
        #expect(activity.title == "Other" && activity.group == nil && activity.webPageURL == "https://a.org")
        let before = activity
        #expect(throws: DBusError.self) {
            try activity.update(transfer: ["title": .string("Third"), "url": .string("ftp://a.org")])
        }
        #expect(activity == before)
    }
}
