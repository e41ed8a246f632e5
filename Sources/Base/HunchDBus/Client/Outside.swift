/// The root directory and mounts of processes outside sandboxes.
///
/// A sandbox has its own root (Flatpak, Snap, bubblewrap, containers) or at least its own mounts (Firejail).
struct Outside: Sendable {
    private let surroundings: Set<ProcessFiles.Surroundings>
    /// Whether the root and mounts of other processes can be read at all. In its own user namespace, such as a unit
    /// with `PrivateUsers=`, a program cannot read them. Then only control groups reveal sandboxes.
    private let isKnowable: Bool

    /// - Parameter bus: the process ID of the bus, which is not sandboxed; `nil` if unknown.
    init(bus: UInt32?) {
        let ofBus = bus.flatMap { ProcessFiles.surroundings(of: String($0)) }
        surroundings = Set([ProcessFiles.surroundings(of: "self"), ofBus].compactMap(\.self))
        isKnowable = ofBus != nil || bus.flatMap(ProcessFiles.groups) == nil
    }

    /// Returns whether a process is outside sandboxes, as far as known. Processes with unreadable files count as
    /// sandboxed, because they can cause that themselves (prctl(2), `PR_SET_DUMPABLE`).
    func contains(_ process: UInt32) -> Bool {
        guard isKnowable else { return true }
        guard let own = ProcessFiles.surroundings(of: String(process)) else { return false }
        return surroundings.contains(own) && ProcessFiles.executableName(of: process) != "xdg-dbus-proxy"
    }
}
