internal import CLinux
internal import Glibc
internal import HunchModel
internal import Synchronization

/// Notices events in folders through inotify(7) when it is asked, so that it never wakes a thread.
final class FolderWatch: Sendable {
    /// The inotify instance of all watches, because a user has only 128 by default; −1 if there is none. The folders are few, so
    /// their watches are never removed.
    private static let inotify = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    /// The number of reads that returned events.
    private static let events = Mutex(0)
    /// The value of ``events`` at the last check that found everything as it was.
    private let checked = Mutex<Int?>(nil)

    /// - Returns: `nil` if a folder cannot be watched: it is not there, or the kernel has no watches left.
    init?(_ folders: some Collection<String>) {
        guard Self.inotify >= 0 else { return nil }
        for folder in folders where inotify_add_watch(Self.inotify, folder, Self.changes) < 0 { return nil }
    }

    private static let changes =
        UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_MODIFY) | UInt32(IN_ATTRIB) | UInt32(IN_MOVED_FROM)
        | UInt32(IN_MOVED_TO) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF)

    /// Returns whether the files are as they were. It checks them only after events, also those of other watches.
    func isCurrent(_ check: () -> Bool) -> Bool {
        // An event during the check is read by the next call.
        let events = Self.readEvents()
        return checked.withLock { checked in
            if checked != events { checked = check() ? events : nil }
            return checked != nil
        }
    }

    private static func readEvents() -> Int {
        events.withLock { events in
            withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { buffer in
                while read(inotify, buffer.baseAddress, buffer.count) > 0 { events += 1 }
            }
            return events
        }
    }

    /// Whether all changes in a folder give events. A network or user-space file system may change elsewhere.
    static func isLocal(_ folder: String) -> Bool {
        var system = statfs()
        guard statfs(folder, &system) == 0 else { return false }
        return localSystems.contains(system.f_type)
    }

    /// The magic numbers of ext4, Btrfs, XFS, tmpfs, overlayfs, F2FS, ZFS and bcachefs, from statfs(2) and their sources.
    private static let localSystems: Set<Int> = [
        0xEF53, 0x9123_683E, 0x5846_5342, 0x0102_1994, 0x794C_7630, 0xF2F5_2010, 0x2FC1_2FC1, 0xCA45_1A4E,
    ]
}
