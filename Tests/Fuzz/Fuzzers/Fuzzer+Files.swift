internal import DataFiles
internal import DesktopFiles
import AgentInterface
import Browsers
import Calendars
import FoundationEssentials
import Glibc
import HistoryExport
import HunchDBus
import JSON
import Markup
import PlaceFiles
import Regions
import Trace
import TransitFeed

@testable import Agent
@testable import Services
@testable import BulkFiles
@testable import Directions
@testable import GazetteerImport
@testable import History
@testable import HunchModel
@testable import Media
@testable import OnlineGeocoder

extension Fuzzer {
    private static let now = Date(timeIntervalSince1970: 1_748_856_600)

    /// Files and lines that others wrote.
    static var files: [Fuzzer] { bulk + desktop + recorded }

    private static var bulk: [Fuzzer] {
        [
            Fuzzer(
                "coverage",
                text: { text in
                    guard let index = try? RegionIndex(document: text, name: "fuzz"),
                        let place = try? Coordinate(latitude: 52.5, longitude: 13.4)
                    else { return }
                    _ = index.regions(containing: place)
                }),
            Fuzzer(
                "json",
                text: { text in
                    _ = JSONText.fault(in: text)
                    Array(text.utf8).withUnsafeBytes { _ = try? GeoJSONFeature($0) }
                }),
            Fuzzer(
                "calendar",
                text: { text in
                    var reader = ICalendarReader(from: now, until: now.addingTimeInterval(1_209_600))
                    _ = reader.events(in: text)
                }),
            Fuzzer(
                "csv",
                bytes: { bytes in
                    _ = CSVReader.firstRow(of: bytes)
                    try? CSVReader(MemoryStream(bytes), name: "fuzz").forEachRow { row in _ = row.count }
                }),
            Fuzzer(
                "zip",
                bytes: { bytes in
                    ScratchFile.zip.write(bytes)
                    guard let archive = try? ZipArchive(path: ScratchFile.zip.path, size: bytes.count) else { return }
                    for entry in archive.entries.prefix(8) {
                        guard let stream = try? archive.open(entry, limit: 1 << 16) else { continue }
                        var buffer = [UInt8](repeating: 0, count: 4_096)
                        while let count = try? buffer.withUnsafeMutableBytes({ try stream.read(into: $0) }), count > 0 {
                        }
                    }
                }),
            Fuzzer(
                "gtfs",
                bytes: { bytes in
                    ScratchFile.gtfs.write(StoredArchive.bytes(of: bytes))
                    guard let day = ServiceDay("20250602") else { return }
                    _ = try? TransitFeed(path: ScratchFile.gtfs.path, from: day)
                }),
            Fuzzer(
                "gettext",
                bytes: { bytes in
                    _ = GettextCatalog(bytes)?.translation(of: GettextCatalog.key("Berlin", context: nil))
                }),
        ]
    }

    private static var desktop: [Fuzzer] {
        [
            Fuzzer(
                "datafiles",
                text: { text in
                    for name in DataTables.files {
                        _ = DataTables.problems(of: OwnDataFiles([.init(path: name, text: text)]))
                    }
                    let file = OwnDataFiles.File(path: "video-calls.conf", text: text)
                    let services = CallServices(DataTable(OwnDataFiles([file])))
                    _ = services.contains("https://meet.example.org/a") || services.isTitle(text)
                    _ = services.isCall(text)
                }),
            Fuzzer(
                "desktop",
                text: { text in
                    guard let entry = try? DesktopEntry(id: "org.example.App", text: text) else { return }
                    _ = KindDeclaration.declared(in: entry, interface: "org.hunch.Donations1")
                    for key in ["Exec", "Name", "MimeType", "Implements", "Hidden"] {
                        _ = entry.string(key, locales: ["de_DE", "de"])
                        _ = entry.strings(key)
                        _ = entry.boolean(key)
                    }
                    if let exec = entry.string("Exec"), let command = try? DesktopCommand(exec) {
                        _ = command.arguments { _ in ["x"] }
                    }
                }),
            Fuzzer(
                "mimeapps",
                text: { text in
                    var list = MimeAppsList(text)
                    _ = list.names("x-scheme-handler/geo")
                    list.putFirst("org.example.desktop", for: "x-scheme-handler/geo")
                    list.remove("org.example.desktop", for: "x-scheme-handler/geo")
                }),
            Fuzzer("dconf", bytes: { _ = DconfDatabase($0)?.boolean("/org/gnome/desktop/privacy/remember-app-usage") }),
            Fuzzer(
                "placefile",
                bytes: { bytes in
                    _ = PlaceFileFormat.recognised(in: bytes)
                    _ = try? PlaceFilePath.path(in: String(decoding: bytes, as: UTF8.self))
                    _ = try? PlaceFileReader().place(in: FileBytes(bytes, named: "fuzz"))
                }),
            Fuzzer("image", bytes: { _ = ImageHeader($0) }),
            Fuzzer(
                "markup",
                bytes: { bytes in
                    _ = Markup(page: bytes, address: "https://example.org/a/")
                    _ = Markup.isMail(bytes)
                    _ = Markup(mail: bytes) { $0 }
                    _ = Markup(pass: bytes)
                }),
        ]
    }

    private static var recorded: [Fuzzer] {
        [
            Fuzzer(
                "browser",
                bytes: { bytes in
                    // A message as it stands, and what the browser's channel has.
                    var messages = [bytes]
                    ScratchFile.browser.withDescriptor(at: bytes) { descriptor in
                        while messages.count < 16, let message = try? NativeMessaging.read(from: descriptor) {
                            messages.append(message)
                        }
                    }
                    for case let request? in messages.map({ try? BrowserRequest(json: $0) }) {
                        guard case .page(let page) = request.message, let subject = PageSubject(page) else { continue }
                        _ = try? BrowserAnswer(id: request.id, found: subject.found).json
                        _ = subject.activity.transfer
                    }
                }),
            Fuzzer(
                "trace",
                text: { text in
                    var trace = Trace()
                    for line in text.split(separator: "\n") { try? trace.add(String(line)) }
                }),
            Fuzzer(
                "export",
                text: { text in
                    for line in text.split(separator: "\n") { _ = try? ExportLine.donation(String(line), now: now) }
                }),
            Fuzzer(
                "online",
                bytes: { bytes in
                    _ = try? NominatimService().places(in: Data(bytes))
                    _ = try? PhotonService().places(in: Data(bytes))
                }),
            Fuzzer(
                "download",
                text: { text in
                    let head = HTTPHead(status: 206, entityTag: text, range: text)
                    let record = DownloadRecord(address: text, head: head, length: 100, checksum: nil)
                    _ = DownloadStep(head, at: 40, record: record)
                    _ = DownloadEvent(line: text.utf8).map(\.line)
                    _ = DownloadSource(text)?.description
                    _ = DownloadPlan.mayFollow(from: "http://localhost:80/a", to: text)
                    _ = WebAddress.isConfidential(text)
                }),
        ]
    }
}

/// Bytes in memory as a file.
private final class MemoryStream: ByteStream {
    private var rest: ArraySlice<UInt8>
    var fraction: Double { 0 }

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, rest.count)
        buffer.copyBytes(from: rest.prefix(count))
        rest.removeFirst(count)
        return count
    }
}

/// A file without a name for what is read from paths only. Each fuzzer has its own, since tests run in parallel.
private struct ScratchFile {
    static let zip = ScratchFile("zip")
    static let gtfs = ScratchFile("gtfs")
    static let browser = ScratchFile("browser")

    private let descriptor: Int32
    var path: String { "/proc/self/fd/\(descriptor)" }

    private init(_ name: String) {
        let path = "/dev/shm/hunch-fuzz-\(getpid())-\(name)"
        // -1: nothing was made; then nothing can be read either.
        descriptor = open(path, O_CREAT | O_RDWR | O_EXCL | O_CLOEXEC, 0o600)
        unlink(path)
    }

    /// Calls `body` with the descriptor at the beginning of some bytes.
    func withDescriptor(at bytes: [UInt8], _ body: (Int32) -> Void) {
        write(bytes)
        lseek(descriptor, 0, SEEK_SET)
        body(descriptor)
    }

    func write(_ bytes: [UInt8]) {
        guard ftruncate(descriptor, 0) == 0 else { return }
        _ = pwrite(descriptor, bytes, bytes.count, 0)
    }
}

/// A ZIP archive whose files are stored: the input's parts between bytes 0x1E, each with its name in the first line.
private enum StoredArchive {
    static func bytes(of input: [UInt8]) -> [UInt8] {
        var archive: [UInt8] = []
        var directory: [UInt8] = []
        var count = 0
        for part in input.split(separator: 0x1E) {
            let lines = part.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
            let (name, content) = (Array(lines[0].prefix(255)), lines.count > 1 ? Array(lines[1]) : [])
            let sizes = number(checksum(content), 4) + number(content.count, 4) + number(content.count, 4)
            let common = number(20, 2) + number(0, 2) + number(0, 2) + number(0, 4) + sizes + number(name.count, 2)
            directory += number(0x0201_4B50, 4) + number(20, 2) + common + number(0, 2) + number(0, 2) + number(0, 2)
            directory += number(0, 2) + number(0, 4) + number(archive.count, 4) + name
            archive += number(0x0403_4B50, 4) + common + number(0, 2) + name + content
            count += 1
        }
        let end = number(0x0605_4B50, 4) + number(0, 4) + number(count, 2) + number(count, 2)
        return archive + directory + end + number(directory.count, 4) + number(archive.count, 4) + number(0, 2)
    }

    private static func number(_ value: Int, _ length: Int) -> [UInt8] {
        (0..<length).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func checksum(_ bytes: [UInt8]) -> Int {
        var value: UInt32 = .max
        for byte in bytes {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value >> 1 ^ (value & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        return Int(~value)
    }
}
