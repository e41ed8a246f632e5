internal import HunchModel
internal import Glibc

/// Finds out whether the USB device of a sound card is a gamepad, too: whether the kernel lists a joystick below it.
///
/// It looks into the kernel's tree of devices only when a sound card appears; see sysfs(5).
struct JoystickFinder {
    /// The depth of a joystick below its USB device, at most that of an Xbox controller:
    /// `1-2:1.0/gip0/gip0.0/input/input9/js0`.
    private static let maximumDepth = 6
    /// The maximum number of entries of folders that are looked at for a sound card. A gamepad has a few hundred.
    private static let maximumEntries = 2_000

    private let root: String
    /// The answers for the sound cards that are present.
    private var known: [String: Bool] = [:]

    /// - Parameter root: the folder in which the kernel lists its devices.
    init(root: String = "/sys") { self.root = root }

    /// Returns the sinks with ``AudioOutput/isJoystick``.
    ///
    /// - Parameter outputs: all sinks. Sound cards without a sink among them are looked at again when they return.
    mutating func mark(_ outputs: [AudioOutput]) -> [AudioOutput] {
        var present: [String: Bool] = [:]
        let marked = outputs.map { output in
            guard let card = output.properties["sysfs.path"] else { return output }
            let key = "\(card)\n\(output.deviceName)"
            let isJoystick = present[key] ?? known[key] ?? self.isJoystick(card)
            present[key] = isJoystick
            var output = output
            output.isJoystick = isJoystick
            return output
        }
        known = present
        return marked
    }

    /// - Parameter card: the path of a sound card, `/devices/…/1-2/1-2:1.0/sound/card1`, with or without `/sys`.
    private func isJoystick(_ card: String) -> Bool {
        let parts = card.split(separator: "/").drop { $0 == "sys" }
        guard parts.first == "devices", !parts.contains(".."), let sound = parts.lastIndex(of: "sound"),
            let device = parts.dropLast(parts.endIndex - sound + 1).last,
            parts[sound - 1].hasPrefix(device + ":")
        else { return false }
        var entries = Self.maximumEntries
        let folder = ([root[...]] + parts[..<(sound - 1)]).joined(separator: "/")
        return Self.hasJoystick(folder, depth: Self.maximumDepth, &entries)
    }

    private static func hasJoystick(_ folder: String, depth: Int, _ entries: inout Int) -> Bool {
        // NULL: the device is gone, or access is denied.
        guard let directory = opendir(folder) else { return false }
        defer { closedir(directory) }
        let isInput = folder.split(separator: "/").last?.hasPrefix("input") == true
        var folders: [String] = []
        while entries > 0, let entry = readdir(directory) {
            entries -= 1
            // Links lead to other devices, and to drivers.
            guard Int(entry.pointee.d_type) == Int(DT_DIR) else { continue }
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if isInput, name.hasPrefix("js"), UInt16(name.dropFirst(2)) != nil { return true }
            if !name.hasPrefix(".") { folders.append("\(folder)/\(name)") }
        }
        return depth > 1 && folders.contains { hasJoystick($0, depth: depth - 1, &entries) }
    }
}
