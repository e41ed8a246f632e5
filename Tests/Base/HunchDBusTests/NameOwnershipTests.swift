import HunchDBus
import TestSupport
import Testing

@Suite("Name ownership")
struct NameOwnershipTests {
    private let name: BusName = "org.hunch.Test.Name"

    @Test("A name request returns its result")
    func requests() async throws {
        try await withDesk { desk, _ in
            let (first, second) = (try await desk.connect(), try await desk.connect())
            #expect(try await first.requestName(name) == .owner)
            #expect(try await first.requestName(name) == .owner)
            #expect(try await second.requestName(name) == .taken)
            #expect(try await second.requestName(name, replaces: true) == .taken)
            #expect(try await second.requestName(name, queues: true) == .queued)
            #expect(try await second.owner(of: name) == first.uniqueName)
            try await first.releaseName(name)
            #expect(try await first.owner(of: name) == second.uniqueName)
            #expect(try await second.requestName(name, replaceable: true) == .owner)
            #expect(try await first.requestName(name, replaces: true) == .owner)
            try await first.releaseName(name)
            try await second.releaseName(name)
            #expect(try await first.owner(of: name) == nil)
            #expect(try await first.names().contains(.bus))
            #expect(try await first.activatableNames() == [.bus])
            #expect(await errorName { _ = try await first.requestName(":1.5") } == .invalidArgs)
        }
    }

    @Test("Owners are reported as they change, the current one first")
    func owners() async throws {
        try await withDesk { desk, _ in
            let (watcher, first, second) = (
                try await desk.connect(), try await desk.connect(), try await desk.connect()
            )
            var owners = try await watcher.owners(of: name).makeAsyncIterator()
            #expect(await owners.next() == .some(nil))
            _ = try await first.requestName(name, replaceable: true, queues: true)
            #expect(await owners.next() == .some(await first.uniqueName))
            _ = try await second.requestName(name, replaces: true)
            #expect(await owners.next() == .some(await second.uniqueName))
            await second.close()
            #expect(await owners.next() == .some(await first.uniqueName))
            try await first.releaseName(name)
            #expect(await owners.next() == .some(nil))
            await watcher.close()
            #expect(await owners.next() == nil)
        }
    }

    @Test("Changes before the first answer are not reported after it")
    func noStaleOwners() async throws {
        try await withDesk { desk, _ in
            let (watcher, first, second) = (
                try await desk.connect(), try await desk.connect(), try await desk.connect()
            )
            let owners = try await watcher.owners(of: name)
            _ = try await first.requestName(name)
            try await first.releaseName(name)
            _ = try await second.requestName(name)
            var iterator = owners.makeAsyncIterator()
            #expect(await iterator.next() == .some(await second.uniqueName))
            try await second.releaseName(name)
            #expect(await iterator.next() == .some(nil))
        }
    }

    @Test("After lost signals the bus is asked for the owner again")
    func lostChanges() async throws {
        try await withDesk { desk, _ in
            let (watcher, owner) = (try await desk.connect(), try await desk.connect())
            var owners = try await watcher.owners(of: name).makeAsyncIterator()
            #expect(await owners.next() == .some(nil))
            for _ in 0..<400 {
                _ = try await owner.requestName(name)
                try await owner.releaseName(name)
            }
            _ = try await owner.requestName(name)
            _ = try await watcher.names()
            // Of 801 changes, 512 are kept, and the last is a release. Then comes the bus's answer.
            for round in 0..<512 {
                let expected = round.isMultiple(of: 2) ? await owner.uniqueName : nil
                #expect(await owners.next() == .some(expected))
            }
            #expect(await owners.next() == .some(await owner.uniqueName))
            try await owner.releaseName(name)
            #expect(await owners.next() == .some(nil))
        }
    }
}
