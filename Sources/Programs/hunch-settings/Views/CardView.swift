import CAdwaita
import SettingsPages

/// Draws the texts and buttons of a card: the buttons are below the texts, so that a long title has the whole width.
@MainActor
final class CardView {
    /// The image at the start. The owner sets its icon.
    let image: Widget
    private let title: Widget
    private let subtitle: Widget
    private let lines: Widget

    /// Fills a row.
    ///
    /// - Parameter controls: the buttons.
    init(in row: Widget, _ controls: [Widget]) {
        image = gtk_image_new()
        (title, subtitle, lines) = (Self.label(), Self.label("dim-label"), Self.label("dim-label", "caption"))
        gtk_widget_set_valign(image, GTK_ALIGN_START)
        let texts: Widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 3)
        for label in [title, subtitle, lines] { gtk_box_append(texts.cast(), label) }
        let top: Widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12)
        for part in [image, texts] { gtk_box_append(top.cast(), part) }
        let buttons: Widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6)
        gtk_widget_set_halign(buttons, GTK_ALIGN_END)
        for control in controls { gtk_box_append(buttons.cast(), control) }
        let box: Widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 9)
        for part in [top, buttons] { gtk_box_append(box.cast(), part) }
        for set in [
            gtk_widget_set_margin_top, gtk_widget_set_margin_bottom, gtk_widget_set_margin_start,
            gtk_widget_set_margin_end,
        ] { set(box, 12) }
        gtk_list_box_row_set_child(row.cast(), box)
        gtk_list_box_row_set_activatable(row.cast(), 0)
    }

    private static func label(_ classes: String...) -> Widget {
        let label: Widget = gtk_label_new(nil)
        gtk_label_set_wrap(label.opaque, 1)
        gtk_label_set_wrap_mode(label.opaque, PANGO_WRAP_WORD_CHAR)
        gtk_label_set_xalign(label.opaque, 0)
        for name in classes { label.style(name) }
        return label
    }

    /// Shows the texts of a row.
    func show(_ row: Row) {
        let texts = [
            (title, row.title), (subtitle, row.subtitle),
            (lines, (row.card ?? []).map { "• \($0)" }.joined(separator: "\n")),
        ]
        for (label, text) in texts {
            gtk_label_set_text(label.opaque, text)
            gtk_widget_set_visible(label, text.isEmpty ? 0 : 1)
        }
    }
}
