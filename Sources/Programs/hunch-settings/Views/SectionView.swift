import CAdwaita
import Localization
import SettingsPages

/// Draws a section of a page.
@MainActor
final class SectionView {
    let widget: Widget
    private(set) var section: Section
    private let perform: (Action) -> Void
    private let rows: RowList
    private var button: Widget?
    private var picture: (widget: Widget, shown: Picture)?
    /// The search field; the page gives it the focus.
    private(set) var search: Widget?

    init(_ section: Section, _ perform: @escaping (Action) -> Void) {
        (self.section, self.perform) = (section, perform)
        let group: Widget = adw_preferences_group_new()
        widget = group
        g_object_ref_sink(group)
        rows = RowList(of: .group(group), perform)
        if let search = section.search { addSearch(search) }
        show()
    }

    isolated deinit { g_object_unref(widget) }

    /// Shows another state of the section.
    func update(_ section: Section) {
        guard section != self.section else { return }
        self.section = section
        show()
    }

    private func show() {
        adw_preferences_group_set_title(widget.cast(), escaped(section.title))
        adw_preferences_group_set_description(widget.cast(), section.text.isEmpty ? nil : escaped(section.text))
        showButton()
        showPicture()
        rows.show(section.rows)
    }

    private func showButton() {
        guard let shown = section.button else {
            if button != nil { adw_preferences_group_set_header_suffix(widget.cast(), nil) }
            button = nil
            return
        }
        if button == nil {
            let new: Widget = gtk_button_new()
            gtk_widget_set_valign(new, GTK_ALIGN_CENTER)
            connect(new, "clicked") { [weak self] in
                if let action = self?.section.button?.action { self?.perform(action) }
            }
            adw_preferences_group_set_header_suffix(widget.cast(), new)
            button = new
        }
        if let button { ControlView.show(shown, on: button) }
    }

    // MARK: Search

    private func addSearch(_ field: SearchField) {
        let entry: Widget = gtk_search_entry_new()
        entry.describe(GTK_ACCESSIBLE_PROPERTY_LABEL, field.label)
        setPlaceholder(entry, field.label)
        gtk_editable_set_text(entry.opaque, field.text)
        for set in [
            gtk_widget_set_margin_top, gtk_widget_set_margin_bottom, gtk_widget_set_margin_start,
            gtk_widget_set_margin_end,
        ] {
            set(entry, 6)
        }
        connect(entry, "search-changed") { [weak self] in
            guard let self, let text = gtk_editable_get_text(entry.opaque) else { return }
            if let action = field.action.action(String(cString: text)) { perform(action) }
        }
        connect(entry, "activate") { [weak self] in
            // Return opens the first item.
            if case .button(let button)? = self?.section.rows.first?.controls.first { self?.perform(button.action) }
        }
        connect(entry, "stop-search") { gtk_editable_set_text(entry.opaque, "") }
        // A group puts all that is not a row below its rows.
        let row: Widget = adw_preferences_row_new()
        gtk_list_box_row_set_activatable(row.cast(), 0)
        gtk_list_box_row_set_child(row.cast(), entry)
        gtk_widget_set_focusable(row, 0)
        adw_preferences_group_add(widget.cast(), row)
        search = entry
    }

    // MARK: Pictures

    private func showPicture() {
        guard let shown = section.picture, picture?.shown != shown else { return }
        let drawing = picture?.widget ?? addPicture()
        picture = (drawing, shown)
        let bytes = Array(shown.svg.utf8)
        let data = g_bytes_new(bytes, gsize(bytes.count))
        defer { g_bytes_unref(data) }
        // Returns nil without a loader for SVG (librsvg); the section then has no picture.
        guard let texture = gdk_texture_new_from_bytes(data, nil) else { return gtk_widget_set_visible(drawing, 0) }
        gtk_picture_set_paintable(drawing.opaque, texture)
        gtk_picture_set_alternative_text(drawing.opaque, shown.text)
        g_object_unref(UnsafeMutableRawPointer(texture))
    }

    private func addPicture() -> Widget {
        let new: Widget = gtk_picture_new()
        gtk_widget_set_size_request(new, -1, 160)
        gtk_widget_set_margin_top(new, 12)
        new.style("card")
        gtk_widget_set_overflow(new, GTK_OVERFLOW_HIDDEN)
        adw_preferences_group_add(widget.cast(), new)
        return new
    }
}

/// Sets the placeholder, for which GTK 4.8 has no function on search entries.
@MainActor
private func setPlaceholder(_ entry: Widget, _ text: String) {
    var value = GValue()
    g_value_init(&value, GType(16 << 2))  // G_TYPE_STRING, a macro
    g_value_set_string(&value, text)
    g_object_set_property(entry.cast(), "placeholder-text", &value)
    g_value_unset(&value)
}
