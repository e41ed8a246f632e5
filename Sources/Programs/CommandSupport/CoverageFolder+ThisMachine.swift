import HunchModel
import FoundationEssentials
package import Regions

extension CoverageFolder {
    /// The standard folders of this machine.
    package static var ofThisMachine: [CoverageFolder] {
        CoverageFolder.standard(
            environment: ProcessInfo.processInfo.environment, executableFolder: OwnProgram.folder)
    }
}
