import Browsers
import Glibc
import Testing

@Suite("Native messaging")
struct NativeMessagingTests {
    /// Returns the message that is read from bytes.
    private func message(in bytes: [UInt8]) throws -> [UInt8]? {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { close(ends[0]) }
        #expect(write(ends[1], bytes, bytes.count) == bytes.count)
        close(ends[1])
        return try NativeMessaging.read(from: ends[0])
    }

    @Test("A message is read as it was written")
    func roundTrip() throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        for text in ["", "{}", String(repeating: "ä", count: 10_000)] {
            try NativeMessaging.write(Array(text.utf8), to: ends[1])
            #expect(try NativeMessaging.read(from: ends[0]) == Array(text.utf8))
        }
    }

    @Test("The end of the channel is the end of the messages")
    func end() throws { #expect(try message(in: []) == nil) }

    @Test(
        "Cut and oversized messages are errors",
        arguments: [[1, 0], [4, 0, 0, 0], [4, 0, 0, 0, 1], [255, 255, 255, 255]])
    func broken(bytes: [UInt8]) {
        #expect(throws: NativeMessaging.Failure.self) { try message(in: bytes) }
    }
}
