import FoundationEssentials
import Regions

extension CoverageFolder {
    /// The standard folders of this machine.
    static var ofThisMachine: [CoverageFolder] {
        let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let folder = program.map { "/" + $0.split(separator: "/").dropLast().joined(separator: "/") }
        return CoverageFolder.standard(
            environment: ProcessInfo.processInfo.environment, executableFolder: folder)
    }
}
