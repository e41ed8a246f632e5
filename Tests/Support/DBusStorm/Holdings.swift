import CMalloc
import Glibc

/// Returns the memory of the process.
struct Holdings {
    /// Open descriptors.
    var descriptors: Int
    /// Bytes of the heap that were handed out and not given back.
    var bytes: Int

    static func now() -> Holdings { Holdings(descriptors: countDescriptors(), bytes: countBytes()) }

    private static func countDescriptors() -> Int {
        guard let folder = opendir("/proc/self/fd") else { fail("/proc/self/fd cannot be read (errno \(errno))") }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        return count
    }

    /// As the allocator of a sanitizer counts when there is one, whose `mallinfo2` is empty.
    private static func countBytes() -> Int {
        if let symbol = dlsym(nil, "__sanitizer_get_current_allocated_bytes") {
            return unsafeBitCast(symbol, to: (@convention(c) () -> Int).self)()
        }
        let heap = mallinfo2()
        return heap.uordblks + heap.hblkhd
    }
}
