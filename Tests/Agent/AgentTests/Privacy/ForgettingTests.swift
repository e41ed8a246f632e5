import AgentInterface
import Dispatch
import Foundation
import Glibc
import History
import EventLoops
import HunchDBus
import HunchKit
import HunchModel
import SearchIndexes
import TestSupport
import Testing

@Suite("Forgetting", .timeLimit(.minutes(15))) struct ForgettingTests {
    private static let words = [
        "KeepRow", "LeaveApp", "LeaveDevice", "LeaveKind", "LeaveTime", "LeavePlace", "LeaveSpot", "LeaveStay",
    ]

    /// The scopes of forgetting, with the removed rows of each table and the words that must be gone.
    private static let cases: [(VariantMap, [UInt32], [String])] = [
        (["all": .boolean(true)], [8, 6, 4, 5, 3, 5, 1], words),
        (["app": .string("org.example.LeaveApp")], [1, 2, 1, 2, 1, 1, 0], ["LeaveApp"]),
        (["device": .string("LeaveDevice")], [1, 1, 1, 1, 0, 0, 0], ["LeaveDevice"]),
        (["kind": .string("org.example.LeaveKind")], [1, 1, 0, 0, 0, 0, 0], ["LeaveKind"]),
        (
            ["since": .uint64(HunchAgent.microseconds(Planted.now.addingTimeInterval(-600)))], [1, 1, 1, 1, 0, 1, 0],
            ["LeaveTime"]
        ),
        (["place": .string("café leaveplace")], [1, 0, 0, 0, 0, 1, 0], ["LeavePlace"]),
        (["place": .string("52.5170,13.3780")], [1, 0, 0, 0, 1, 1, 0], ["LeaveSpot"]),
        (["place": .string("leavestay")], [1, 0, 0, 0, 0, 0, 1], ["LeaveStay"]),
        (["place": .string("47.37,8.54")], [1, 0, 0, 0, 0, 0, 1], ["LeaveStay"]),
    ]

    @Test("Forgotten rows are in no file, and all others remain", arguments: cases)
    func everyFile(what: VariantMap, rows: [UInt32], gone: [String]) async throws {
        try await withTemporaryHome { home in
            let planted = try Planted.store(in: home)
            try Planted.addStay(to: planted)
            try planted.close()
            for word in Self.words + ["LeaveCopy"] {
                #expect(try !Planted.found([word], in: home).isEmpty, "\(word) was not planted")
            }
            try await withPrivateBus { bus in
                try await withPrivacyAgent(on: bus, in: home) { rig in
                    let receipt = try await rig.forget(keys: what)
                    #expect(
                        receipt == [
                            "donations": rows[0], "engagements": rows[1], "shown-suggestions": rows[1],
                            "resume-points": rows[2],
                            "muted-pairs": rows[3], "announcements": rows[4], "device-policies": 0, "own-places": 0,
                            "seen-places": rows[5], "stays": rows[6], "set-aside-files": 2, "artwork": 2,
                            "cache-files": 1, "items": 0, "suggestions": 0, "unfinished": 0,
                        ])
                    // While the agent has the store open, with its log and its shared memory.
                    #expect(try Planted.found(gone + ["LeaveCopy"], in: home) == [:])
                    for word in Self.words where !gone.contains(word) {
                        #expect(try !Planted.found([word], in: home).isEmpty, "\(word) is gone too")
                    }
                    #expect(try await rig.agent.status().transfer.value("enabled") == true)
                    let again = try await rig.forget(keys: what)
                    #expect(Set(again.values) == [0])
                }
            }
            #expect(try Planted.found(gone + ["LeaveCopy"], in: home) == [:])
        }
    }

    @Test("Forgetting removes what was learned")
    func learned() async throws {
        try await withPrivacyAgent(prepare: { _ = try Planted.store(in: $0) }) { rig in
            let trigger = SimulatedTrigger(device: Planted.keptDevice)
            let before = try await rig.agent.simulate(trigger)
            #expect(before.contains { $0.application == Planted.keptApp })
            _ = try await rig.agent.forget(.application(Planted.keptApp))
            let after = try await rig.agent.simulate(trigger)
            #expect(!after.isEmpty)
            #expect(!"\(after)".contains("KeepRow"))
        }
    }

    @Test(
        "An empty, ambiguous or invalid request forgets nothing",
        arguments: [
            [:], ["all": .boolean(false)], ["all": .string("yes")], ["since": .int32(5)], ["place": .string("")],
            ["place": .string("  ")], ["device": .string("\t")],
            ["app": .string(String(repeating: "a", count: 1 << 20))], ["everything": .boolean(true)],
            ["all": .boolean(true), "place": .string("x")],
            ["place": .string(String(repeating: "a", count: 2_000))],
        ] as [VariantMap])
    func nonsense(what: VariantMap) async throws {
        try await withPrivacyAgent(prepare: { _ = try Planted.store(in: $0) }) { rig in
            let refusal = try #require(try await rig.refusal { _ = try await $0.forget(keys: what) })
            #expect([.invalidInput, .invalidArgs].contains(refusal.name), "\(refusal)")
            #expect(refusal.message.utf8.count < 200)
            #expect(try StoreFile(home: rig.home).counts()["donation"] == 7)
            #expect(try !Planted.found(["LeaveCopy"], in: rig.home).isEmpty)
        }
    }

    @Test("A damaged search index is deleted, and does not block other stores", arguments: [0, 100, 50_000])
    func damagedIndex(size: Int) async throws {
        try await withPrivacyAgent(prepare: { home in
            _ = try Planted.store(in: home)
            let path = try IndexStore.defaultPath(environment: home.environment)
            let item = SearchableItem(id: "1", attributes: ["title": .text("LeaveItem")])
            let source = IndexSource(application: Planted.keptApp, name: "notes")
            let store = try IndexStore.open(at: path, language: "en")
            try store.write([.add(item)], to: source, now: Planted.now)
            store.close()
        }) { rig in
            // The agent has it open.
            #expect(try await rig.agent.find(HunchAgent.Search("leaveitem")).count == 1)
            let file = try FileHandle(
                forUpdating: URL(filePath: IndexStore.defaultPath(environment: rig.environment)))
            try file.truncate(atOffset: 0)
            try file.write(contentsOf: Data("LeaveDamage".utf8) + Data(repeating: 0x5A, count: size))
            try file.close()
            #expect(try await rig.agent.forget(.place("leaveplace"))["donations"] == 1)
            #expect(try Planted.found(["LeavePlace", "LeaveDamage"], in: rig.home) == [:])
        }
    }

    @Test("An open reader delays only erasing the bytes")
    func reader() async throws {
        try await withPrivacyAgent(prepare: { _ = try Planted.store(in: $0) }) { rig in
            let reader = try #require(try HistoryStore.openReadOnly(at: StoreFile(home: rig.home).path))
            let gate = DispatchSemaphore(value: 0)
            let held = Watched(false)
            let thread = try WorkerThread(name: "reader")
            defer { thread.stop() }
            async let reading: Void = thread.run {
                try reader.forEachDonation { _ in
                    held.update { $0 = true }
                    gate.wait()
                    gate.signal()
                }
            }
            try await held.wait { $0 ? () : nil }
            let receipt: [String: UInt32]
            do {
                defer { gate.signal() }
                receipt = try await rig.agent.forget(.everything)
            }
            try await reading
            try reader.close()
            #expect(receipt["donations"] == 7 && receipt["unfinished"] == 1)
            try await eventually("the bytes being gone", because: "files tell nobody") {
                try Planted.found(Self.words, in: rig.home).isEmpty ? () : nil
            }
        }
    }
}
