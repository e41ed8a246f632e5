import CAdwaita

/// A container whose children follow a list of widgets.
@MainActor
struct Container {
    private let append: (Widget) -> Void
    /// Inserts a widget before one that the container has.
    private let insert: (Widget, _ sibling: Widget) -> Void
    private let remove: (Widget) -> Void

    /// A page of preferences, whose children are groups.
    static func page(_ page: Widget) -> Container {
        Container {
            adw_preferences_page_add(page.cast(), $0.cast())
        } insert: { widget, sibling in
            adw_preferences_page_add(page.cast(), widget.cast())
            guard let box = gtk_widget_get_parent(widget) else { return }
            gtk_box_reorder_child_after(box.cast(), widget, gtk_widget_get_prev_sibling(sibling))
        } remove: {
            adw_preferences_page_remove(page.cast(), $0.cast())
        }
    }

    /// A group of preferences, whose children are rows.
    static func group(_ group: Widget) -> Container {
        Container {
            adw_preferences_group_add(group.cast(), $0)
        } insert: {
            insertRow($0, before: $1)
        } remove: {
            adw_preferences_group_remove(group.cast(), $0)
        }
    }

    /// An expander row, whose children are rows.
    static func expander(_ row: Widget) -> Container {
        Container {
            adw_expander_row_add_row(row.cast(), $0)
        } insert: {
            insertRow($0, before: $1)
        } remove: {
            adw_expander_row_remove(row.cast(), $0)
        }
    }

    private static func insertRow(_ row: Widget, before sibling: Widget) {
        guard let list = gtk_widget_get_parent(sibling) else { return }
        gtk_list_box_insert(list.opaque, row, gtk_list_box_row_get_index(sibling.cast()))
    }

    /// Shows widgets instead of the former ones. Those that stay in their order are not touched, because a widget that is
    /// taken out and added again loses the focus and a press that has begun.
    func show(_ next: [Widget], insteadOf former: [Widget]) {
        var current = former
        for widget in former where !next.contains(widget) {
            remove(widget)
            if let place = current.firstIndex(of: widget) { current.remove(at: place) }
        }
        for (index, widget) in next.enumerated() where index >= current.count || current[index] != widget {
            if let place = current.firstIndex(of: widget) {
                remove(widget)
                current.remove(at: place)
            }
            if index < current.count { insert(widget, current[index]) } else { append(widget) }
            current.insert(widget, at: index)
        }
    }
}
