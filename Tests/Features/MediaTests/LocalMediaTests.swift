import HunchModel
import Media
import Players
import TestSupport
import Testing

/// Files whose addresses players encode wrongly.
@Suite("Local media files")
struct LocalMediaTests {
    @Test(
        "The file is found in the encoding in which it exists",
        arguments: [
            ("/m/%FCber.mp3", "/m/über.mp3", "/m/%C3%BCber.mp3"), ("/m/%C3%BC.mp3", "/m/ü.mp3", "/m/%C3%BC.mp3"),
            ("/m/a%2520b.mp3", "/m/a b.mp3", "/m/a%20b.mp3"), ("/m/a%2520b.mp3", "/m/a%20b.mp3", "/m/a%2520b.mp3"),
            ("/m/a+b.mp3", "/m/a b.mp3", "/m/a%20b.mp3"), ("/m/a+b.mp3", "/m/a+b.mp3", "/m/a+b.mp3"),
            ("/m/caf%E9%20noir.ogg", "/m/café noir.ogg", "/m/caf%C3%A9%20noir.ogg"),
        ])
    func located(told: String, path: String, expected: String) async throws {
        try await withTemporaryDirectory { directory in
            try directory.write([UInt8](), to: String(path.dropFirst()))
            let file = try #require(LocalMedia(item: "file://" + directory.path + told))
            #expect(!file.isMissing(in: nil))
            #expect(file.located(in: nil) == "file://" + directory.path + expected)
        }
    }

    @Test("A missing file keeps its address")
    func missing() async throws {
        try await withTemporaryDirectory { directory in
            let item = "file://" + directory.path + "/%FC%20a.mp3"
            let file = try #require(LocalMedia(item: item))
            #expect(file.isMissing(in: nil) && file.located(in: nil) == item && file.name == "ü a.mp3")
        }
    }

    @Test("Other addresses are not files", arguments: ["https://x/a", "file://host/a", "file:///a%00b", "title:A", ""])
    func others(item: String) {
        #expect(LocalMedia(item: item) == nil)
    }
}
