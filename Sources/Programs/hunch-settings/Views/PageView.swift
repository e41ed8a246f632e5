import CAdwaita
import HunchModel
import SettingsPages

/// Draws a page: its sections, or its messages.
@MainActor
final class PageView {
    let widget: Widget
    private let perform: (Action) -> Void
    private let content: Widget
    private let notices: NoticeView
    private var page: Page?
    private var sections: [SectionView] = []

    init(_ perform: @escaping (Action) -> Void) {
        self.perform = perform
        widget = gtk_stack_new()
        content = adw_preferences_page_new()
        notices = NoticeView(perform)
        gtk_stack_add_named(widget.opaque, content, "content")
        gtk_stack_add_named(widget.opaque, notices.widget, "notices")
    }

    /// The search field of the page, if it has one.
    var search: Widget? { page?.notices.isEmpty == true ? sections.lazy.compactMap(\.search).first : nil }

    /// Shows a page.
    func show(_ page: Page) {
        guard page != self.page else { return }
        self.page = page
        if page.notices.isEmpty { show(page.sections) } else { notices.show(page.notices) }
        gtk_stack_set_visible_child(widget.opaque, page.notices.isEmpty ? content : notices.widget)
    }

    private func show(_ shown: [Section]) {
        let next = shown.map { section in
            if let view = sections.first(where: { $0.section.id == section.id }) {
                view.update(section)
                return view
            }
            return SectionView(section, perform)
        }
        Container.page(content).show(next.map(\.widget), insteadOf: sections.map(\.widget))
        sections = next
    }
}
