internal import Glibc
internal import HunchModel
internal import Synchronization

/// Tells whether anything has changed in folders, or in some files, since they were last looked at; inotify(7).
///
/// Nothing wakes the agent: what the kernel notes is read when somebody asks, in one call that does not block. Folders that
/// do not exist yet are seen once they are made, as is a folder that takes the place of one on the way, or a link to one.
/// Where more has changed than the kernel notes, something has changed. A file that is written in place counts when its writer
/// closes it.
///
/// A person's programs have 128 instances of inotify in all, and some do not come up without one: for all its folders an agent
/// takes one, gives it back when it ends, and does without where there is none.
final class FolderWatch: Sendable {
    /// One look at folders. What changes after it is seen until the next one.
    struct Look: Equatable {
        fileprivate let number: Int
    }

    private struct State {
        /// −1 where there is none.
        var descriptor: Int32 = -1
        var isClosed = false
        var number = 0
        var hasChanged = false
        /// The names that count by the folder's watch; `nil` where all do.
        var names: [Int32: Set<String>?] = [:]
    }

    private static let changes = UInt32(
        IN_CREATE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF)
    private static let writing = UInt32(IN_CLOSE_WRITE)
    /// Enough for many events at once, and for the longest.
    private static let bufferSize = 16_384

    private let state = Mutex(State())
    private let open: @Sendable () -> Int32

    /// Watches nothing yet.
    ///
    /// - Parameter open: takes an instance, which is then closed here; −1 when there is none.
    init(open: @escaping @Sendable () -> Int32 = { inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC)) }) {
        self.open = open
    }

    deinit { close() }

    /// Gives the instance back, for good.
    func close() {
        state.withLock { state in
            state.isClosed = true
            Self.giveBack(&state)
        }
    }

    /// Begins to watch folders and files, and no longer what was watched before.
    ///
    /// - Parameters:
    ///   - folders: whatever changes in them counts, but for what is in folders within.
    ///   - files: these count, whether they are there or not.
    /// - Returns: `nil` when the kernel has no room for an instance or for another watch; none is taken then.
    func begin(folders: [String], files: [String]) -> Look? {
        state.withLock { state in
            state.number += 1
            state.hasChanged = false
            guard !state.isClosed else { return nil }
            if state.descriptor < 0 { state.descriptor = open() }
            guard state.descriptor >= 0 else { return nil }
            for number in state.names.keys { _ = inotify_rm_watch(state.descriptor, number) }
            state.names = [:]
            _ = Self.drain(state)
            for file in files where !Self.watch(wayTo: file, Self.writing, &state) { return nil }
            return Self.add(folders, &state) ? Look(number: state.number) : nil
        }
    }

    /// Watches more folders.
    ///
    /// - Returns: whether they are watched; if not, nothing is any more.
    func extend(_ look: Look, folders: [String]) -> Bool {
        state.withLock { state in state.number == look.number && Self.add(folders, &state) }
    }

    /// Whether anything has changed since a look, or something else is watched by now or is about to be. Does not look at the
    /// disk, and does not block.
    func hasChanged(since look: Look) -> Bool {
        // Whoever is at it on another thread may wait for the disk, and begins anew or takes more in.
        state.withLockIfAvailable { state in
            guard look.number == state.number, state.descriptor >= 0 else { return true }
            if !state.hasChanged { state.hasChanged = Self.drain(state) }
            return state.hasChanged
        } ?? true
    }

    private static func giveBack(_ state: inout State) {
        if state.descriptor >= 0 { Glibc.close(state.descriptor) }
        state.descriptor = -1
        state.names = [:]
    }

    private static func add(_ folders: [String], _ state: inout State) -> Bool {
        guard state.descriptor >= 0 else { return false }
        for folder in folders {
            guard watch(wayTo: folder, 0, &state), watch(folder, name: nil, writing, &state) else { return false }
        }
        return true
    }

    /// Watches each folder on the way to a path for the name of the next, the outermost first: so whatever is made while this
    /// goes on is seen.
    ///
    /// - Parameter more: what counts besides at the path itself.
    private static func watch(wayTo path: String, _ more: UInt32, _ state: inout State) -> Bool {
        var folder = path.hasPrefix("/") ? "/" : "."
        let names = path.split(separator: "/").filter { $0 != "." }
        for (index, name) in names.enumerated() {
            let isLast = index == names.count - 1
            guard watch(folder, name: String(name), isLast ? more : 0, &state) else { return false }
            folder += folder == "/" ? String(name) : "/\(name)"
        }
        return true
    }

    /// - Parameter name: what counts in the folder; `nil` for everything.
    /// - Returns: whether the folder is watched, or there is none that could be. If not, the instance is given back.
    private static func watch(_ folder: String, name: String?, _ more: UInt32, _ state: inout State) -> Bool {
        let mask = changes | more | UInt32(IN_ONLYDIR) | UInt32(IN_MASK_ADD)
        // -1 on failure, with errno. A folder that is watched already has the same number again.
        let number = inotify_add_watch(state.descriptor, folder, mask)
        guard number >= 0 else {
            if [ENOENT, ENOTDIR, EACCES, ELOOP, ENAMETOOLONG].contains(errno) { return true }
            giveBack(&state)
            return false
        }
        switch (state.names[number], name) {
        case (.some(.none), _): break
        case (_, nil): state.names[number] = .some(nil)
        case (.some(.some(let known)), .some(let name)): state.names[number] = known.union([name])
        case (.none, .some(let name)): state.names[number] = [name]
        }
        return true
    }

    /// Reads what has been noted.
    ///
    /// - Returns: whether some of it counts.
    private static func drain(_ state: borrowing State) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: bufferSize, alignment: 8) { buffer in
            var found = false
            while true {
                // -1: nothing more is noted (EAGAIN), or a signal came. Events are never cut.
                let count = read(state.descriptor, buffer.baseAddress, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return found }
                var offset = 0
                while offset + MemoryLayout<inotify_event>.size <= count {
                    let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                    let start = offset + MemoryLayout<inotify_event>.size
                    let end = min(start + Int(event.len), count)
                    let name = buffer[start..<end].prefix { $0 != 0 }
                    if counts(event, String(decoding: name, as: UTF8.self), state.names) { found = true }
                    offset = end
                }
            }
        }
    }

    private static func counts(_ event: inotify_event, _ name: String, _ names: [Int32: Set<String>?]) -> Bool {
        if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return true }
        // What is noted of former watches does not.
        guard let known = names[event.wd] else { return false }
        // What is about the folder itself: gone, or moved. Its times and rights are of no account here: who may no longer
        // read it, or may again, finds that out by the folder on the way.
        guard !name.isEmpty else { return event.mask & UInt32(IN_ATTRIB) == 0 }
        return known?.contains(name) ?? true
    }
}
