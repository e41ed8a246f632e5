import BulkFiles
import Files
import HunchModel

/// A pass in Wallet: a ZIP archive with a `pass.json`.
package enum PassArchive {
    /// The maximum size of a `pass.json` in bytes.
    private static let limit = 1 << 20

    /// Returns whether a file is a ZIP archive.
    package static func isArchive(_ file: [UInt8]) -> Bool { file.starts(with: [0x50, 0x4B, 0x03, 0x04]) }

    /// Returns the `pass.json` of a pass; `nil` if the archive is broken or has none.
    package static func pass(in archive: [UInt8]) -> [UInt8]? {
        // The archive is broken, or there is no space for a copy.
        try? ScratchFile.lend(archive) { path in
            let files = try ZipArchive(path: path, size: archive.count)
            guard let entry = files.entries.first(where: { $0.name == "pass.json" }) else { return nil }
            let stream = try files.open(entry, limit: limit)
            var pass: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = try buffer.withUnsafeMutableBytes { try stream.read(into: $0) }
                if count == 0 { return pass }
                pass += buffer.prefix(count)
            }
        }
    }
}
