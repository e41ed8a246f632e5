package import HunchModel
internal import Localization

/// The tables of facts about other programs and services. A new one is a `DataRow`, a file in `Data` and a line here.
package enum DataTables {
    private static let rows: [any DataRow.Type] = [
        CallService.self, NotificationServerRow.self, PlayerRow.self, StreamingService.self,
    ]

    /// The names of the files.
    package static let files = rows.map { $0.file }.sorted()

    /// Returns the faults of the files of the user and of packages. Reads nothing more if there are no files.
    package static func problems(of own: OwnDataFiles) -> [DataProblem] {
        guard !own.files.isEmpty else { return [] }
        let unknown = own.files.filter { !files.contains(String($0.name)) }.map {
            DataProblem(
                place: $0.path,
                message: localized("no table has this name; use one of %1", files.joined(separator: ", ")))
        }
        return unknown + rows.flatMap { problems(of: $0, own) }
    }

    private static func problems<Row: DataRow>(of type: Row.Type, _ own: OwnDataFiles) -> [DataProblem] {
        DataTable<Row>(own).problems
    }
}
