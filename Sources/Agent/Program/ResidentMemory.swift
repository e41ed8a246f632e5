internal import CMalloc
internal import Glibc
internal import HunchModel

/// Watches over what this process keeps in memory.
struct ResidentMemory {
    /// The minimum growth since the last time that is worth returning, in pages.
    private static let worthwhile = (4 << 20) / sysconf(Int32(_SC_PAGESIZE))

    private var leftover = 0

    /// Gives back to the system what a busy time has left behind, when it is much: freed heap, and the pages of programs
    /// and libraries that are as they are on disk, most of which only starting needs.
    ///
    /// Pages that are used again come back from the page cache, at a microsecond or so for each 64 kB. Takes some
    /// milliseconds, or some microseconds when there is nothing to do.
    mutating func trim() {
        guard residentPages > leftover + Self.worthwhile else { return }
        malloc_trim(0)
        for range in Self.cleanFileRanges(in: Self.lines(of: "/proc/self/smaps")) {
            // −1: the kernel keeps the pages, which does no harm.
            _ = madvise(UnsafeMutableRawPointer(bitPattern: range.lowerBound), range.count, MADV_DONTNEED)
        }
        leftover = residentPages
    }

    /// As proc(5) has it: the second number of `statm`; 0 where there is no such file.
    private var residentPages: Int {
        let fields = Self.lines(of: "/proc/self/statm").first?.split(separator: " ") ?? []
        return fields.count > 1 ? Int(fields[1]) ?? 0 : 0
    }

    /// The address ranges that map a file, cannot be written, and hold nothing that the file does not: no relocation
    /// was ever written into them.
    ///
    /// - Parameter lines: of `/proc/PID/smaps`, as proc(5) has it.
    static func cleanFileRanges(in lines: some Sequence<String>) -> [Range<UInt>] {
        var ranges: [Range<UInt>] = []
        var candidate: Range<UInt>?
        for line in lines {
            let fields = line.split(separator: " ", omittingEmptySubsequences: true)
            if let range = fields.first.flatMap(addressRange) {
                let isReadOnly = fields.count >= 6 && fields[1].hasPrefix("r-") && fields[5].hasPrefix("/")
                candidate = isReadOnly ? range : nil
            } else if fields.first == "Anonymous:", fields.count >= 2, fields[1] == "0", let range = candidate {
                ranges.append(range)
            }
        }
        return ranges
    }

    private static func addressRange(_ text: Substring) -> Range<UInt>? {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { UInt($0, radix: 16) }
        guard ends.count == 2, let start = ends[0], let end = ends[1], start < end else { return nil }
        return start..<end
    }

    private static func lines(of path: String) -> [String] {
        // NULL: there is no /proc here, and nothing to be found.
        guard let file = fopen(path, "re") else { return [] }
        defer { fclose(file) }
        var lines: [String] = []
        var buffer = [CChar](repeating: 0, count: 4_096)
        while let line = fgets(&buffer, Int32(buffer.count), file) { lines.append(String(cString: line)) }
        return lines
    }
}
