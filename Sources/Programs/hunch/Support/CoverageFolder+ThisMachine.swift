import HunchModel
import FoundationEssentials
import Regions

extension CoverageFolder {
    /// The standard folders of this machine.
    static var ofThisMachine: [CoverageFolder] {
        CoverageFolder.standard(
            environment: ProcessInfo.processInfo.environment, executableFolder: OwnProgram.folder)
    }
}
