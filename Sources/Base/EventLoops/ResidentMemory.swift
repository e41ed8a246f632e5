internal import CMalloc
internal import Glibc

/// Limits the resident memory of this process.
package struct ResidentMemory {
    /// The minimum growth since the last call that is worth returning, in pages.
    private static let worthwhile = (4 << 20) / sysconf(Int32(_SC_PAGESIZE))

    private var leftover = 0

    /// Creates a limit that has returned nothing yet.
    package init() {}

    /// Makes all threads of this process allocate from one heap. Call it before any thread exists.
    ///
    /// Otherwise the C library reserves 64 MiB of addresses for each thread. Where the address space is limited, it
    /// tries and fails at every allocation, which makes the agent too slow to answer. The few threads rarely wait for
    /// each other.
    package static func shareHeap() {
        // 0: the C library cannot, and the threads have their own heaps.
        _ = mallopt(M_ARENA_MAX, 1)
    }

    /// Returns memory to the system after a busy time if it is worthwhile: freed heap, and unmodified pages of
    /// programs and libraries, most of which are needed at startup only.
    ///
    /// Pages that are used again come back from the page cache, at about a microsecond for 64 kB. A call takes some
    /// milliseconds, or some microseconds if there is nothing to do.
    package mutating func trim() {
        guard residentPages > leftover + Self.worthwhile else { return }
        malloc_trim(0)
        for range in Self.cleanFileRanges(in: Self.lines(of: "/proc/self/smaps")) {
            // −1: the kernel keeps the pages, which is harmless.
            _ = madvise(UnsafeMutableRawPointer(bitPattern: range.lowerBound), range.count, MADV_DONTNEED)
        }
        leftover = residentPages
    }

    /// The second number of `statm`, see proc(5); 0 without such a file.
    private var residentPages: Int {
        let fields = Self.lines(of: "/proc/self/statm").first?.split(separator: " ") ?? []
        return fields.count > 1 ? Int(fields[1]) ?? 0 : 0
    }

    /// Returns the address ranges that map a file, are read-only, and equal the file, that is, without relocations.
    ///
    /// - Parameter lines: the lines of `/proc/PID/smaps`, see proc(5).
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
        // NULL: no /proc is mounted.
        guard let file = fopen(path, "re") else { return [] }
        defer { fclose(file) }
        var lines: [String] = []
        var buffer = [CChar](repeating: 0, count: 4_096)
        while let line = fgets(&buffer, Int32(buffer.count), file) { lines.append(String(cString: line)) }
        return lines
    }
}
