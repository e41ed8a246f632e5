internal import FoundationEssentials

/// The program that this process runs.
package enum OwnProgram {
    /// The path of its file; `nil` if `/proc` is not mounted.
    package static var path: String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    }

    /// The folder of its file. The programs and data that are installed with it are found from here.
    package static var folder: String? {
        path.flatMap { path in path.lastIndex(of: "/").map { String(path[..<$0]) } }
    }
}
