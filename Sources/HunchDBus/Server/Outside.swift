/// The root folder and the mounts that processes outside sandboxes have.
///
/// A sandbox has a root of its own (Flatpak, Snap, bubblewrap, containers) or at least mounts of its own (Firejail).
struct Outside: Sendable {
    private let surroundings: Set<ProcessFiles.Surroundings>
    /// Whether other processes' surroundings can be read at all. In a user namespace of its own, as a unit with
    /// `PrivateUsers=` has it, a program reads nobody's; control groups are then all that tells of sandboxes.
    private let isKnowable: Bool

    /// - Parameter bus: the process of the bus, which is in no sandbox; `nil` when it is not known.
    init(bus: UInt32?) {
        let ofBus = bus.flatMap { ProcessFiles.surroundings(of: String($0)) }
        surroundings = Set([ProcessFiles.surroundings(of: "self"), ofBus].compactMap(\.self))
        isKnowable = ofBus != nil || bus.flatMap(ProcessFiles.groups) == nil
    }

    /// Whether a process is outside sandboxes, as far as can be known. One whose files cannot be read counts as being in
    /// one, since it may itself see to that (prctl(2), `PR_SET_DUMPABLE`).
    func contains(_ process: UInt32) -> Bool {
        guard isKnowable else { return true }
        guard let own = ProcessFiles.surroundings(of: String(process)) else { return false }
        return surroundings.contains(own) && ProcessFiles.executableName(of: process) != "xdg-dbus-proxy"
    }
}
