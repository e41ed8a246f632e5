internal import Glibc

/// Reads files of `/proc/PID`; see proc(5).
package enum ProcessFiles {
    /// The root directory and the mount namespace of a process.
    struct Surroundings: Hashable, Sendable {
        let device: dev_t
        let folder: ino_t
        let mounts: ino_t
    }

    /// - Parameter process: a process ID, or `self`.
    static func surroundings(of process: String) -> Surroundings? {
        var root = stat()
        var mounts = stat()
        // −1: the process does not exist, or access is denied.
        guard stat("/proc/\(process)/root", &root) == 0, stat("/proc/\(process)/ns/mnt", &mounts) == 0 else {
            return nil
        }
        return Surroundings(device: root.st_dev, folder: root.st_ino, mounts: mounts.st_ino)
    }

    /// Returns the file name of a process's executable, without its directory; `nil` if it may not be read.
    package static func executableName(of process: UInt32) -> String? {
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

    /// Returns the control groups of a process, or `nil` if it does not exist or access is denied.
    static func groups(of process: UInt32) -> String? { read("/proc/\(process)/cgroup", limit: 16_384) }

    /// Returns the name of a process, which the kernel cuts to 15 bytes, and its parent. `nil` if it does not exist or
    /// access is denied. The name is in parentheses, and may contain anything.
    package static func status(of process: UInt32) -> (name: String, parent: UInt32)? {
        guard let text = read("/proc/\(process)/stat", limit: 4_096), let start = text.firstIndex(of: "("),
            let end = text.lastIndex(of: ")"), start < end
        else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ", maxSplits: 2)
        guard fields.count > 1, let parent = UInt32(fields[1]) else { return nil }
        return (String(text[text.index(after: start)..<end]), parent)
    }

    /// Returns the start time of a process in clock ticks since boot, or `nil` if it has ended or is inaccessible.
    static func start(of process: UInt32) -> UInt64? {
        read("/proc/\(process)/stat", limit: 4_096).flatMap(start(inStatus:))
    }

    /// Returns the start time, which is the 22nd field, or `nil` if the state in the third field says that the process
    /// has ended. The second field is the program's name in parentheses, which may contain anything.
    static func start(inStatus text: String) -> UInt64? {
        guard let end = text.utf8.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = text.utf8[end...].split(separator: UInt8(ascii: " "), maxSplits: 21)
        guard fields.count > 20, !["Z", "X"].contains(Substring(fields[1])) else { return nil }
        return UInt64(Substring(fields[20]))
    }

    private static func read(_ path: String, limit: Int) -> String? {
        // -1: the process does not exist, or access is denied.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return withUnsafeTemporaryAllocation(byteCount: limit, alignment: 1) { buffer in
            // -1 on failure, for example if the process has ended; 0 for an empty file.
            let count = Glibc.read(descriptor, buffer.baseAddress, limit)
            return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
        }
    }
}
