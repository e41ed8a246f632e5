import CAdwaita
import SettingsPages

/// Draws a page: its sections, or its notice.
@MainActor
final class PageView {
    let widget: Widget
    private let perform: (Action) -> Void
    private let content: Widget
    private let notice: Widget
    private let help: Widget
    private var page: Page?
    private var sections: [SectionView] = []

    init(_ perform: @escaping (Action) -> Void) {
        self.perform = perform
        widget = gtk_stack_new()
        content = adw_preferences_page_new()
        notice = adw_status_page_new()
        help = gtk_button_new()
        help.style("pill")
        gtk_widget_set_halign(help, GTK_ALIGN_CENTER)
        adw_status_page_set_child(notice.opaque, help)
        gtk_stack_add_named(widget.opaque, content, "content")
        gtk_stack_add_named(widget.opaque, notice, "notice")
        connect(help, "clicked") { [weak self] in
            if let action = self?.page?.notice?.button?.action { perform(action) }
        }
    }

    /// The search field of the page, if it has one.
    var search: Widget? { page?.notice == nil ? sections.lazy.compactMap(\.search).first : nil }

    /// Shows a page.
    func show(_ page: Page) {
        guard page != self.page else { return }
        self.page = page
        if let shown = page.notice { show(shown) } else { show(page.sections) }
        gtk_stack_set_visible_child(widget.opaque, page.notice == nil ? content : notice)
    }

    private func show(_ shown: Notice) {
        adw_status_page_set_icon_name(notice.opaque, shown.icon)
        adw_status_page_set_title(notice.opaque, escaped(shown.title))
        adw_status_page_set_description(notice.opaque, escaped(shown.text))
        if let button = shown.button { ControlView.show(button, on: help) }
        gtk_widget_set_visible(help, shown.button == nil ? 0 : 1)
    }

    private func show(_ shown: [Section]) {
        let next = shown.map { section in
            if let view = sections.first(where: { $0.section.id == section.id }) {
                view.update(section)
                return view
            }
            return SectionView(section, perform)
        }
        let staying = sections.filter { view in next.contains { $0 === view } }
        let same = zip(staying, next).prefix { $0 === $1 }.count
        for view in sections where !staying.prefix(same).contains(where: { $0 === view }) {
            adw_preferences_page_remove(content.cast(), view.widget.cast())
        }
        for view in next[same...] { adw_preferences_page_add(content.cast(), view.widget.cast()) }
        sections = next
    }
}
