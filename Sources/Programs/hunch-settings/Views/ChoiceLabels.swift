import CAdwaita

/// The labels of a list to choose from.
///
/// libadwaita's own labels are cut at the width that the title of the row leaves them.
@MainActor
enum ChoiceLabels {
    /// Shows whole labels in a row and in its list.
    static func use(in row: Widget) {
        for (set, children) in [
            (adw_combo_row_set_factory, [label()]), (adw_combo_row_set_list_factory, [label(wraps: true), mark]),
        ] {
            let bytes = Array(description(children).utf8)
            let data = g_bytes_new(bytes, gsize(bytes.count))
            let factory = gtk_builder_list_item_factory_new_from_bytes(nil, data)
            g_bytes_unref(data)
            set(row.cast(), factory)
            g_object_unref(UnsafeMutableRawPointer(factory))
        }
    }

    private static func label(wraps: Bool = false) -> String {
        """
        <child><object class="GtkLabel"><property name="xalign">0</property><property name="hexpand">1</property>
        <property name="wrap">\(wraps)</property><property name="max-width-chars">32</property>
        <binding name="label"><lookup name="string" type="GtkStringObject"><lookup name="item">GtkListItem</lookup>
        </lookup></binding></object></child>
        """
    }

    private static let mark = """
        <child><object class="GtkImage"><property name="icon-name">object-select-symbolic</property>
        <binding name="visible"><lookup name="selected">GtkListItem</lookup></binding></object></child>
        """

    private static func description(_ children: [String]) -> String {
        """
        <interface><template class="GtkListItem"><property name="child"><object class="GtkBox">
        <property name="spacing">6</property>\(children.joined())</object></property></template></interface>
        """
    }
}
