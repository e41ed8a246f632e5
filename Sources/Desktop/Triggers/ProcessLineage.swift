internal import HunchDBus

/// Finds out which processes started which, from `/proc`; see proc(5).
public enum ProcessLineage {
    /// The maximum number of ancestors.
    private static let limit = 8

    /// Returns a process and its ancestors, nearest first, without the first process of the system.
    ///
    /// - Parameter binary: the file name of the program that the process must run; `nil` for any.
    /// - Returns: empty if there is no such process, or if it runs another program.
    public static func of(_ process: UInt32, running binary: String? = nil) -> [UInt32] {
        guard let status = ProcessFiles.status(of: process) else { return [] }
        // The kernel cuts a process's name to 15 bytes.
        if let binary, ProcessFiles.executableName(of: process) != binary,
            status.name.isEmpty || !binary.hasPrefix(status.name)
        {
            return []
        }
        var lineage = [process]
        var parent = status.parent
        while parent > 1, lineage.count <= limit, !lineage.contains(parent) {
            lineage.append(parent)
            parent = ProcessFiles.status(of: parent)?.parent ?? 0
        }
        return lineage
    }
}
