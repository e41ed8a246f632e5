import CAdwaita
import HunchModel
import SettingsPages

/// The rows of a section or of an expanded row, in order. Rows that stay keep their widgets.
@MainActor
final class RowList {
    private var views: [RowView] = []
    private let owner: String?
    private let perform: (Action) -> Void
    private let container: Container

    /// - Parameter owner: the title of the expanded row that they belong to, if any.
    init(in owner: String? = nil, of container: Container, _ perform: @escaping (Action) -> Void) {
        (self.owner, self.container, self.perform) = (owner, container, perform)
    }

    /// Shows rows.
    func show(_ rows: [Row]) {
        var kept: [Row.ID: RowView] = [:]
        for view in views {
            if let row = rows.first(where: { $0.id == view.row.id }), kept[row.id] == nil, view.update(row) {
                kept[row.id] = view
            }
        }
        let next = rows.map { kept[$0.id] ?? RowView($0, in: owner, perform) }
        container.show(next.map(\.widget), insteadOf: views.map(\.widget))
        views = next
    }
}
