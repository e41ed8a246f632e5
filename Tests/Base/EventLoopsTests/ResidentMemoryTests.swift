import Testing

@testable import EventLoops

@Suite("Resident memory of an idle process")
struct ResidentMemoryTests {
    private func mapping(_ head: String, anonymous: Int) -> [String] {
        [head, "Size: 8 kB", "Private_Clean: 8 kB", "Anonymous:             \(anonymous) kB", "VmFlags: rd mr mw me"]
    }

    @Test("Only unmodified file mappings are released")
    func cleanFileRanges() {
        let lines =
            mapping("00400000-00402000 r-xp 00000000 fe:00 12 /usr/libexec/hunchd", anonymous: 0)
            + mapping("00402000-00404000 r--p 00002000 fe:00 12 /usr/libexec/a b", anonymous: 0)
            + mapping("00404000-00406000 r--p 00004000 fe:00 12 /usr/libexec/hunchd", anonymous: 4)
            + mapping("00406000-00408000 rw-p 00006000 fe:00 12 /usr/libexec/hunchd", anonymous: 0)
            + mapping("00408000-0040a000 r--p 00000000 00:00 0", anonymous: 0)
            + mapping("7ffd0000-7ffd2000 r-xp 00000000 00:00 0                          [vdso]", anonymous: 0)
        #expect(ResidentMemory.cleanFileRanges(in: lines) == [0x400000..<0x402000, 0x402000..<0x404000])
    }

    @Test(
        "A malformed smaps line releases nothing", arguments: ["", "Anonymous: 0 kB", "x-y r-xp 0 0 0 /a", "-", "2-1"])
    func notSmaps(line: String) {
        #expect(ResidentMemory.cleanFileRanges(in: [line, "Anonymous: 0 kB"]).isEmpty)
    }
}
