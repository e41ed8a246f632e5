import FoundationEssentials
import GazetteerImport
import Places

extension Gazetteer {
    /// The person's gazetteer. When there is none yet, it is first filled from GNOME's place list, which is told
    /// on standard error, since it takes seconds.
    ///
    /// - Throws: ``CommandError`` when there is none and nothing to fill it from, or when it cannot be used.
    static func filledOnFirstUse(environment: [String: String]) throws -> Gazetteer {
        let file = try GazetteerFile(environment: environment)
        if !file.exists {
            guard let list = GazetteerImport.installedPlaceList(environment: environment) else {
                throw CommandError(
                    "there is no gazetteer yet; install libgweather-4-common or run “hunch gazetteer import FILE”",
                    ExitStatus.trouble, code: "noGazetteer")
            }
            Output.complain("filling the gazetteer from \(list), which is done only once")
            _ = try file.importShowingProgress(list)
        }
        return try Gazetteer(file)
    }
}

extension GazetteerFile {
    /// Imports a file with a progress bar on standard error.
    func importShowingProgress(_ path: String) throws -> GazetteerImport.Outcome {
        var bar = ProgressBar("Filling the gazetteer")
        defer { bar.end() }
        return try GazetteerImport(into: self).importFile(at: path, date: Date()) { progress in
            switch progress {
            case .reading(let fraction, let places): bar.show(fraction / 2, "\(places) places")
            case .indexing(let fraction, let places): bar.show(0.5 + fraction / 2, "\(places) places")
            }
        }
    }
}
