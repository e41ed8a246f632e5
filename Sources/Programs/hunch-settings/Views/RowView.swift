import CAdwaita
import HunchModel
import SettingsPages

/// Draws a row, and changes in place when the row changes, so that the focus stays.
@MainActor
final class RowView {
    /// The widgets of a row. Rows with different shapes have different widgets.
    private enum Shape: Equatable {
        case plain([ControlView.Shape])
        case expander([ControlView.Shape])
        case card(buttons: Int)
        case choice
        case entry
    }

    let widget: Widget
    private(set) var row: Row
    private let shape: Shape
    private let perform: (Action) -> Void
    private var image: Widget?
    private var card: CardView?
    private var controls: [ControlView] = []
    private lazy var children = RowList(in: row.title, of: .expander(widget), perform)
    private var isUpdating = false

    /// The title of the expanded row that this one belongs to.
    private let owner: String?

    init(_ row: Row, in owner: String?, _ perform: @escaping (Action) -> Void) {
        (self.row, self.owner, self.perform) = (row, owner, perform)
        shape = Self.shape(of: row)
        widget =
            switch shape {
            case .plain: adw_action_row_new()
            case .expander: adw_expander_row_new()
            case .card: adw_preferences_row_new()
            case .choice: adw_combo_row_new()
            case .entry: adw_entry_row_new()
            }
        // The page may remove and add it again.
        g_object_ref_sink(widget)
        adw_preferences_row_set_use_markup(widget.cast(), 0)
        build()
        show()
    }

    isolated deinit { g_object_unref(widget) }

    /// Shows another state of the row. Returns false if the row needs other widgets.
    func update(_ row: Row) -> Bool {
        guard Self.shape(of: row) == shape else { return false }
        guard row != self.row else { return true }
        self.row = row
        show()
        return true
    }

    private static func shape(of row: Row) -> Shape {
        let shapes = row.controls.map(ControlView.shape)
        if row.card != nil { return .card(buttons: shapes.count) }
        if !row.children.isEmpty { return .expander(shapes) }
        switch row.controls.first {
        case .choice?: return .choice
        case .entry?: return .entry
        default: return .plain(shapes)
        }
    }

    /// Whether a click on the row means the control.
    private static func isOfRow(_ control: Control) -> Bool {
        switch control {
        case .toggle: true
        case .button(let button):
            switch button.action {
            case .open, .continueSearch: true
            default: false
            }
        default: false
        }
    }

    private func build() {
        switch shape {
        case .plain, .expander:
            for control in row.controls {
                let view = ControlView(control, of: row, in: owner, perform)
                controls.append(view)
                if case .expander = shape {
                    adw_expander_row_add_action(widget.cast(), view.widget)
                } else {
                    adw_action_row_add_suffix(widget.cast(), view.widget)
                    if Self.isOfRow(control) { adw_action_row_set_activatable_widget(widget.cast(), view.widget) }
                }
            }
        case .card:
            controls = row.controls.map { ControlView($0, of: row, in: owner, perform) }
            let card = CardView(in: widget, controls.map(\.widget))
            self.card = card
            prepare(card.image)
            image = card.image
        case .choice:
            ChoiceLabels.use(in: widget)
            connect(widget, "notify::selected") { [weak self] in self?.choose() }
        case .entry:
            adw_entry_row_set_show_apply_button(widget.cast(), 1)
            connect(widget, "apply") { [weak self] in self?.apply() }
        }
    }

    private func show() {
        isUpdating = true
        defer { isUpdating = false }
        adw_preferences_row_set_title(widget.cast(), row.title)
        switch shape {
        case .plain, .choice:
            adw_action_row_set_subtitle(widget.cast(), row.subtitle)
            adw_action_row_set_subtitle_lines(widget.cast(), 0)
        case .expander: adw_expander_row_set_subtitle(widget.cast(), row.subtitle)
        case .card:
            card?.show(row)
            widget.describe(GTK_ACCESSIBLE_PROPERTY_LABEL, row.title)
        case .entry: widget.describe(GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, row.subtitle)
        }
        showIcon()
        for (view, control) in zip(controls, row.controls) { view.show(control, of: row) }
        if case .choice = shape, case .choice(let choices, let selected)? = row.controls.first {
            showChoices(choices.map(\.label), selected)
        }
        if case .expander = shape { children.show(row.children) }
    }

    // MARK: Icons

    /// The size of all icons, in pixels, so that the titles of rows begin at one place.
    private static let iconSize: Int32 = 32

    private func showIcon() {
        guard let icon = row.icon else { return }
        let image = image ?? addImage()
        // A row may get another kind of icon, such as one of the history.
        if case .symbol = icon { image.style("dim-label") } else { gtk_widget_remove_css_class(image, "dim-label") }
        switch icon {
        case .symbol(let name): gtk_image_set_from_icon_name(image.opaque, name)
        case .app(let application):
            if let info = g_desktop_app_info_new(application.rawValue + ".desktop") {
                defer { g_object_unref(UnsafeMutableRawPointer(info)) }
                if let icon = g_app_info_get_icon(info) { return gtk_image_set_from_gicon(image.opaque, icon) }
            }
            gtk_image_set_from_icon_name(image.opaque, "application-x-executable-symbolic")
        case .image(let uri):
            let file = g_file_new_for_uri(uri)
            let path = g_file_get_path(file)
            gtk_image_set_from_file(image.opaque, path)
            g_free(path)
            g_object_unref(UnsafeMutableRawPointer(file))
        }
    }

    private func addImage() -> Widget {
        let image: Widget = gtk_image_new()
        prepare(image)
        switch shape {
        case .expander: adw_expander_row_add_prefix(widget.cast(), image)
        case .card: break
        case .entry: adw_entry_row_add_prefix(widget.cast(), image)
        case .plain, .choice: adw_action_row_add_prefix(widget.cast(), image)
        }
        self.image = image
        return image
    }

    private func prepare(_ image: Widget) {
        gtk_image_set_pixel_size(image.opaque, Self.iconSize)
        // The title says it all.
        hideFromScreenReaders(image)
    }

    // MARK: Choices and texts

    private var shownChoices: [String] = []

    private func showChoices(_ labels: [String], _ selected: Int?) {
        if labels != shownChoices {
            shownChoices = labels
            let list = gtk_string_list_new(nil)
            for label in labels { gtk_string_list_append(list, label) }
            adw_combo_row_set_model(widget.cast(), list)
            g_object_unref(UnsafeMutableRawPointer(list))
        }
        adw_combo_row_set_selected(widget.cast(), selected.map { UInt32(clamping: $0) } ?? UInt32.max)
    }

    private func choose() {
        guard !isUpdating, case .choice(let choices, let selected)? = row.controls.first else { return }
        let index = Int(adw_combo_row_get_selected(widget.cast()))
        guard choices.indices.contains(index), index != selected else { return }
        // The row shows the actual state, not the requested one, because the action may be refused.
        isUpdating = true
        showChoices(shownChoices, selected)
        isUpdating = false
        perform(choices[index].action)
    }

    private func apply() {
        guard case .entry(let kind)? = row.controls.first,
            let text = gtk_editable_get_text(widget.opaque).map({ String(cString: $0) }),
            let action = kind.action(text)
        else { return }
        // Otherwise the button that applies stays, since clearing the field changes it.
        adw_entry_row_set_show_apply_button(widget.cast(), 0)
        gtk_editable_set_text(widget.opaque, "")
        adw_entry_row_set_show_apply_button(widget.cast(), 1)
        perform(action)
    }
}

@MainActor
private func hideFromScreenReaders(_ widget: Widget) {
    var states = [GTK_ACCESSIBLE_STATE_HIDDEN]
    var value = GValue()
    gtk_accessible_state_init_value(GTK_ACCESSIBLE_STATE_HIDDEN, &value)
    g_value_set_boolean(&value, 1)
    gtk_accessible_update_state_value(widget.opaque, 1, &states, &value)
    g_value_unset(&value)
}
