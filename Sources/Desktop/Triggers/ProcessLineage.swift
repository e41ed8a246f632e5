internal import Glibc
internal import HunchModel

/// Finds out which processes started which, from `/proc`; see proc(5).
public enum ProcessLineage {
    /// The maximum number of ancestors.
    private static let limit = 8

    /// Returns a process and its ancestors, nearest first, without the first process of the system.
    ///
    /// - Parameter binary: the file name of the program that the process must run; `nil` for any.
    /// - Returns: empty if there is no such process, or if it runs another program.
    public static func of(_ process: UInt32, running binary: String? = nil) -> [UInt32] {
        guard let status = status(of: process) else { return [] }
        // The kernel cuts a process's name to 15 bytes.
        if let binary, program(of: process) != binary, status.name.isEmpty || !binary.hasPrefix(status.name) {
            return []
        }
        var lineage = [process]
        var parent = status.parent
        while parent > 1, lineage.count <= limit, !lineage.contains(parent) {
            lineage.append(parent)
            parent = self.status(of: parent)?.parent ?? 0
        }
        return lineage
    }

    /// Returns the file name of a process's program; `nil` if it may not be read.
    private static func program(of process: UInt32) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            guard let base = buffer.baseAddress else { return nil }
            // −1: the process does not exist, or access is denied.
            let count = readlink("/proc/\(process)/exe", base, buffer.count)
            guard count > 0 else { return nil }
            let path = String(decoding: buffer[..<count].lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let name = path.split(separator: "/").last.map(String.init) ?? ""
            // An update replaced the program since it started.
            return name.hasSuffix(" (deleted)") ? String(name.dropLast(10)) : name
        }
    }

    /// Returns the name and the parent of a process. The name is in parentheses, and may contain anything.
    private static func status(of process: UInt32) -> (name: String, parent: UInt32)? {
        // −1: the process does not exist, or access is denied.
        let descriptor = open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 512)
        // −1 on failure, for example if the process has ended; 0 for an empty file.
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return nil }
        let text = String(decoding: buffer[..<count], as: UTF8.self)
        guard let start = text.firstIndex(of: "("), let end = text.lastIndex(of: ")"), start < end else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ", maxSplits: 2)
        guard fields.count > 1, let parent = UInt32(fields[1]) else { return nil }
        return (String(text[text.index(after: start)..<end]), parent)
    }
}
