import CommandSupport
package import ArgumentParser
import FoundationEssentials
import Regions
import Localization

/// `hunch regions`: manages the coverage files.
package struct RegionsCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "regions",
        abstract: localized("List, check and draw the coverage of routing apps."),
        discussion: localized(
            """
            Coverage files are GeoJSON Features in hunch/regions below \
            $XDG_DATA_HOME and each of $XDG_DATA_DIRS; a feature in an earlier \
            folder replaces that of the same id in a later one.

            Example:
              hunch regions check 60.17 24.94
            """),
        subcommands: [
            RegionsListCommand.self, RegionsCheckCommand.self, RegionsValidateCommand.self, RegionsShowCommand.self,
        ])

    package init() {}
}

/// The options for the source of coverage files, and for faulty ones.
struct CoverageOptions: ParsableArguments {
    @Option(
        help: .localized("Read the coverage files of this folder (or this one file) instead of the installed ones."),
        completion: .directory)
    var regions: String?

    @Flag(help: .localized("Repair invalid areas instead of leaving them out, and report how they changed."))
    var makeValid = false

    /// Returns the index of the regions. Reports faulty and repaired files on standard error, one line for each.
    ///
    /// - Throws: ``CommandError`` if the folder does not exist.
    func index() throws -> RegionIndex {
        let index: RegionIndex
        if let regions {
            let folder = CoverageFolder(path: regions)
            if folder.exists {
                index = try RegionIndex(folders: [folder], makingValid: makeValid)
            } else if FileManager.default.fileExists(atPath: regions) {
                index = try RegionIndex(files: [regions], makingValid: makeValid)
            } else {
                throw CommandError(localized("there is no folder %1", regions), ExitStatus.badInput, code: "unreadable")
            }
        } else {
            index = try RegionIndex(folders: CoverageFolder.ofThisMachine, makingValid: makeValid)
        }
        CoverageProblems.tell(index.problems.map { ($0.file, $0.message) })
        for region in index.regions {
            guard let repair = region.repair else { continue }
            for fault in repair.faults {
                Output.complain(localized("%1: feature \"%2\": %3", region.file, region.id, fault))
            }
            Output.complain(localized("%1: feature \"%2\": %3", region.file, region.id, repair.summary))
        }
        return index
    }
}
