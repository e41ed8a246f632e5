import AgentInterface
import FoundationEssentials
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

/// Calls of apps in languages that choose the types of values by the values alone.
@Suite("Values of other types", .timeLimit(.minutes(15))) struct DynamicTypeTests {
    @Test("Dictionaries of texts, whole numbers and dates as text are taken for what they mean")
    func dictionaries() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { app in
                // Python: {"type": "org.example.page", "title": "Soup", "expiry": "2100-01-01T00:00:00+00:00"}
                let path: ObjectPath = try await app.connection.call(
                    HunchNames.agent, HunchNames.root, HunchNames.activities, "BecomeCurrent",
                    ["type": "org.example.page", "title": "Soup", "expiry": "2100-01-01T00:00:00+00:00"])
                let current: VariantMap = try await app.connection.call(
                    HunchNames.agent, HunchNames.root, HunchNames.activities, "Current")
                #expect(current["title"] == .string("Soup") && current["expiry"] == .uint64(4_102_444_800_000_000))
                // Of JavaScript: numbers are doubles.
                let place: [String: Value] = [
                    "name": .string("Kitchen"), "latitude": .int32(48), "longitude": .double(2),
                    "x-note": .string("mine"),
                ]
                let () = try await app.connection.call(
                    HunchNames.agent, path, HunchNames.activity, "Update",
                    ["place": place.dbusValue, "start": .double(4_102_444_800_000_000)] as VariantMap)
                let recent: [VariantMap] = try await app.connection.call(
                    HunchNames.agent, HunchNames.root, HunchNames.activities, "Recent", ["limit": Int64(5)])
                #expect(recent.first?["start"] == .uint64(4_102_444_800_000_000))
            }
        }
    }

    @Test("A date is a number of microseconds, or text with or without fractions, an offset and a time")
    func dates() throws {
        func read(_ value: Value) throws -> Double? {
            try (["date": value] as VariantMap).date(microseconds: "date")?.timeIntervalSince1970
        }
        #expect(try read(.uint64(1_777_653_000_000_000)) == 1_777_653_000)
        #expect(try read(.uint64(0)) == 0)
        for text in ["2026-05-01T16:30:00Z", "2026-05-01T18:30:00+02:00", "2026-05-01T11:00:00-0530"] {
            #expect(try read(.string(text)) == 1_777_653_000, "\(text)")
        }
        #expect(try read(.string("2026-05-01T16:30:00.250Z")) == 1_777_653_000.25)
        // Without an offset, it is the time of the session.
        let zone = TimeZone.current
        for (text, utc) in [
            ("2026-05-01T16:30:00", 1_777_653_000.0), ("2026-05-01T16:30:00.5", 1_777_653_000.5),
            ("2026-05-01", 1_777_593_600),
        ] {
            let offset = Double(zone.secondsFromGMT(for: Date(timeIntervalSince1970: utc)))
            #expect(try read(.string(text)) == utc - offset, "\(text)")
        }
    }

    @Test(
        "A number or text that cannot be meant is an error that says why",
        arguments: [
            ("expiry", Value.int64(-1), "“expiry” must be a whole number from 0 to 18446744073709551615, not -1"),
            ("expiry", .double(1.5), "“expiry” looks like seconds"),
            ("expiry", .double(1_796_072_193.7), "looks like seconds"),
            ("expiry", .int32(1_900_000_000), "“expiry” looks like seconds; give microseconds since 1970"),
            ("start", .double(1_900_000_000_123), "“start” looks like milliseconds; give microseconds since 1970"),
            ("start", .string("tomorrow"), "“start” is not a date; give microseconds since 1970, or text as in"),
            ("start", .string("2026-05-01 and more"), "“start” is not a date"),
            ("sugestion", .boolean(false), "did you mean “suggestion”?"),
            ("search", .string("true"), "“search” must be of type “b”, not “s”"),
            ("keywords", .int32(5), "“keywords” must be of type “as”, not “i”"),
        ])
    func faults(key: String, value: Value, message: String) async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { app in
                let error = await #expect(throws: DBusError.self) {
                    let _: ObjectPath = try await app.connection.call(
                        HunchNames.agent, HunchNames.root, HunchNames.activities, "BecomeCurrent",
                        ["type": .string("org.example.page"), "title": .string("Soup"), key: value] as VariantMap)
                }
                #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
            }
        }
    }
}
