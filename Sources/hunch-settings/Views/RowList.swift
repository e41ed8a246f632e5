import CAdwaita
import HunchModel
import SettingsPages

/// The rows of a section or of an expanded row, in order. Rows that stay keep their widgets.
@MainActor
final class RowList {
    private var views: [RowView] = []
    private let owner: String?
    private let perform: (Action) -> Void
    private let add: (Widget) -> Void
    private let remove: (Widget) -> Void

    /// - Parameters:
    ///   - owner: the title of the expanded row that they belong to, if any.
    ///   - add: appends a widget to the container.
    ///   - remove: removes a widget from it.
    init(
        in owner: String? = nil, _ perform: @escaping (Action) -> Void, add: @escaping (Widget) -> Void,
        remove: @escaping (Widget) -> Void
    ) {
        (self.owner, self.perform, self.add, self.remove) = (owner, perform, add, remove)
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
        // Containers only append, so everything after the first difference is added anew.
        let staying = views.filter { view in next.contains { $0 === view } }
        let same = zip(staying, next).prefix { $0 === $1 }.count
        for view in views where !staying.prefix(same).contains(where: { $0 === view }) { remove(view.widget) }
        for view in next[same...] { add(view.widget) }
        views = next
    }
}
