import Glibc
import HunchDBus
import SeededRandom
import TestSupport
import Testing

@Suite("Values over a bus")
struct EchoTests {
    @Test("Random values survive a round trip over the bus")
    func roundTrip() async throws {
        try await withDesk { desk, _ in
            let server = try await EchoObject.serve(on: desk.connect())
            let client = try await desk.connect()
            var random = RandomValues(SplitMix64(seed: 8))
            for round in 0..<500 {
                let value = random.value(of: random.type())
                #expect(try await client.echo(value) == value, "round \(round)")
            }
            withExtendedLifetime(server) {}
        }
    }

    @Test("Descriptors are passed on, and each copy closes exactly once")
    func descriptors() async throws {
        let file = try unnamedFile()
        defer { close(file) }
        try await withDesk { desk, _ in
            let server = try await EchoObject.serve(on: desk.connect())
            let client = try await desk.connect()
            for _ in 0..<50 {
                let sent = try UnixDescriptor(duplicating: file)
                let answer = try await client.echo(
                    .structure([.descriptor(sent), .array(of: .descriptor, [.descriptor(sent)])]))
                guard case .structure(let fields) = answer, case .descriptor(let received) = fields[0] else {
                    throw BenchError("no descriptor came back")
                }
                #expect(received.withDescriptor { identity(of: $0) } == identity(of: file))
                let taken = received.take()
                #expect(taken >= 0 && received.take() == -1)
                #expect(close(taken) == 0)
            }
            // Descriptors in refused calls must be closed, too.
            for _ in 0..<50 {
                let sent = try UnixDescriptor(duplicating: file)
                let name = await errorName {
                    let () = try await client.call(
                        EchoObject.name, EchoObject.path, EchoObject.interface, "Number", sent)
                }
                #expect(name == .invalidArgs)
            }
            withExtendedLifetime(server) {}
        }
        #expect(openCopies(of: file) == 1)
    }

    @Test("More than 16 descriptors are refused; the connection stays")
    func tooManyDescriptors() async throws {
        let file = try unnamedFile()
        defer { close(file) }
        try await withDesk { desk, _ in
            let server = try await EchoObject.serve(on: desk.connect())
            let client = try await desk.connect()
            func send(_ count: Int) async throws -> Value {
                let one = Value.descriptor(try UnixDescriptor(duplicating: file))
                return try await client.echo(.array(of: .descriptor, Array(repeating: one, count: count)))
            }
            guard case .array(_, let received) = try await send(16) else { throw BenchError("no array came back") }
            #expect(received.count == 16)
            #expect(await errorName { _ = try await send(17) } == .limitsExceeded)
            #expect(try await client.echo(number: 1) == 1)
            withExtendedLifetime(server) {}
        }
        #expect(openCopies(of: file) == 1)
    }

    @Test("A borrowed descriptor stays open until the borrow ends")
    func loans() throws {
        let file = try unnamedFile()
        let owner = UnixDescriptor(owning: file)
        let (taken, duringLoan) = owner.withDescriptor { lent in
            let taken = owner.take()
            return (taken, fcntl(lent, F_GETFD))
        }
        #expect(duringLoan >= 0)
        #expect(taken >= 0 && taken != file)
        #expect(owner.withDescriptor { $0 } == -1)
        #expect(openCopies(of: taken) == 1)
        #expect(close(taken) == 0)
    }

    @Test("An oversized reply fails only its caller")
    func decodeLimit() async throws {
        try await withDesk { desk, _ in
            let server = try await EchoObject.serve(on: desk.connect())
            var limits = ConnectionLimits()
            limits.decodedBytes = 10_000
            let client = try await desk.connect(limits)
            func bytes(_ count: UInt32) async throws -> Int {
                let bytes: [UInt8] = try await client.call(
                    EchoObject.name, EchoObject.path, EchoObject.interface, "Bytes", count)
                return bytes.count
            }
            #expect(await errorName { _ = try await bytes(10_000) } == .limitsExceeded)
            #expect(try await bytes(9_000) == 9_000)
            withExtendedLifetime(server) {}
        }
    }

    @Test("Oversized arguments and replies are refused by the sender")
    func sentLimits() async throws {
        try await withDesk { desk, _ in
            var limits = ConnectionLimits()
            limits.sentBytes = 10_000
            let server = try await EchoObject.serve(on: desk.connect(limits))
            let client = try await desk.connect(limits)
            #expect(
                await errorName { _ = try await client.echo(.bytes(Array(repeating: 0, count: 10_000))) }
                    == .limitsExceeded)
            let reply = await errorName {
                let _: [UInt8] = try await client.call(
                    EchoObject.name, EchoObject.path, EchoObject.interface, "Bytes", UInt32(10_000))
            }
            #expect(reply == .limitsExceeded)
            #expect(try await client.echo(number: 1) == 1)
            withExtendedLifetime(server) {}
        }
    }

    @Test("2²⁶ bytes are passed on; an oversized message is refused")
    func largest() async throws {
        try await withDesk { desk, _ in
            var limits = ConnectionLimits()
            (limits.sentBytes, limits.decodedBytes, limits.queuedBytes) = (1 << 27, 1 << 28, 1 << 28)
            (limits.concurrentBytes, limits.bytesOfCaller) = (1 << 28, 1 << 28)
            let server = try await EchoObject.serve(on: desk.connect(limits))
            let client = try await desk.connect(limits)
            let longest = [UInt8](repeating: 1, count: 1 << 26)
            #expect(try await client.echo(.bytes(longest)) == .bytes(longest))
            let name = await errorName { _ = try await client.echo(.structure([.bytes(longest), .bytes(longest)])) }
            #expect(name == .limitsExceeded)
            #expect(try await client.echo(number: 1) == 1)
            withExtendedLifetime(server) {}
        }
    }

    /// A file without a name, so that descriptors of other tests do not count.
    private func unnamedFile() throws -> Int32 {
        var template = Array("/tmp/hunch.XXXXXX".utf8CString)
        let file = mkstemp(&template)
        guard file >= 0, unlink(template) == 0 else { throw BenchError("no file could be made (errno \(errno))") }
        return file
    }

    private func identity(of descriptor: Int32) -> [UInt64] {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? [UInt64(status.st_dev), UInt64(status.st_ino)] : []
    }

    /// Returns the number of descriptors of this process that refer to the same file.
    private func openCopies(of descriptor: Int32) -> Int {
        let wanted = identity(of: descriptor)
        return (0..<Int32(1_024)).count { identity(of: $0) == wanted }
    }
}
