import Glibc
internal import HunchModel
internal import Localization

/// Reads the bytes of a file up to a limit.
enum CoverageFile {
    /// Returns the bytes of the file, followed by a NUL.
    static func text(ofFile path: String) throws(RegionError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(path) }
        defer { _ = close(descriptor) }
        var status = stat()
        // -1: the size is unknown, so the buffer grows while reading.
        let expected = fstat(descriptor, &status) == 0 ? min(max(Int(status.st_size), 0), CoverageLimits.fileSize) : 0
        var bytes = [UInt8](repeating: 0, count: expected + 4096)
        var count = 0
        while true {
            if count == bytes.count { bytes.append(contentsOf: repeatElement(0, count: bytes.count)) }
            let got = bytes.withUnsafeMutableBytes {
                read(descriptor, $0.baseAddress.map { $0 + count }, $0.count - count)
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw unreadable(path) }
            if got == 0 { break }
            count += got
            guard count <= CoverageLimits.fileSize else { throw tooLarge(path) }
        }
        bytes.removeLast(bytes.count - count)
        bytes.append(0)
        return bytes
    }

    static func tooLarge(_ path: String) -> RegionError {
        RegionError(
            .tooLarge, localized("the file is larger than %1 MiB; split it", CoverageLimits.fileSize >> 20), file: path)
    }

    private static func unreadable(_ path: String) -> RegionError {
        RegionError(
            .unreadable, localized("the file cannot be read: %1", String(cString: strerror(errno))), file: path)
    }

    /// Returns the name of a file without its folder and extension.
    static func stem(of path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        return String(name.lastIndex(of: ".").map { name[..<$0] } ?? name)
    }
}
