import BulkFiles
import HunchModel
import Localization
import Gazetteers

/// GeoNames' `alternateNames.txt` and `alternateNamesV2.txt`: additional names for the places of a GeoNames dump, which
/// must be imported first. Tab-separated UTF-8 with 8 or 10 columns. Colloquial and historic names become doubtful
/// names.
///
/// Source: the "alternate names" table in GeoNames' `readme.txt`.
struct AlternateNamesReader: SourceReader {
    /// The number of places whose names are collected in one pass over the file.
    private static let placesAtOnce = 1_000_000
    /// Pseudo-languages: links, and identifiers of other catalogues.
    private static let noLanguages: Set<String> = ["link", "wkdt", "unlc", "phon", "piny", "tcid"]

    /// The columns that mark a name with “1”.
    private static let (colloquial, historic) = (6, 7)

    let kind = SourceKind.geoNames
    let input: SourceInput

    /// Returns whether a line is a row of such a file: two numbers, a language and a name.
    static func isRow(_ line: ArraySlice<UInt8>) -> Bool {
        let columns = line.split(separator: 0x09, maxSplits: 4, omittingEmptySubsequences: false)
        return columns.count > 3 && !columns[3].isEmpty
            && columns[..<2].allSatisfy { !$0.isEmpty && $0.allSatisfy { (0x30...0x39).contains($0) } }
    }

    func read(into writer: GazetteerWriter, progress: (Double) -> Void) throws -> Int {
        let origins = try writer.origins()
        guard !origins.isEmpty else {
            throw ImportError(
                .incomplete,
                localized(
                    "%1 only adds names to places; first import a GeoNames dump such as cities500.txt", input.name))
        }
        var skipped = 0
        let parts = stride(from: 0, to: origins.count, by: Self.placesAtOnce).map {
            Set(origins[$0..<min($0 + Self.placesAtOnce, origins.count)])
        }
        for (index, part) in parts.enumerated() {
            var names: [Int64: GazetteerWriter.Names] = [:]
            var broken = 0
            try LineReader(try input.open(), name: input.name).forEachLine(progress: {
                progress((Double(index) + $0 * 0.9) / Double(parts.count))
            }) { line in
                guard !line.isEmpty else { return }
                let columns = TabSeparated(line)
                guard columns.count >= 8, let origin = columns.text(1).flatMap(Int64.init),
                    let language = columns.text(2), let name = columns.text(3)
                else {
                    broken += 1
                    return
                }
                guard part.contains(origin), !Self.noLanguages.contains(language) else { return }
                let isDoubtful = [Self.colloquial, Self.historic].contains { columns.text($0) == "1" }
                if isDoubtful {
                    names[origin, default: .init()].doubtful.insert(name)
                } else {
                    names[origin, default: .init()].current.insert(name)
                }
            }
            skipped = broken
            try writer.addNames(names)
        }
        return skipped
    }
}
