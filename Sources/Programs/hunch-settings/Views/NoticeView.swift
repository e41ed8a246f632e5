import CAdwaita
import HunchModel
import Localization
import SettingsPages

/// Draws messages that fill a page, one after the other.
@MainActor
final class NoticeView {
    let widget: Widget
    private let carousel: Widget
    private let perform: (Action) -> Void
    private var notices: [Notice] = []
    /// The rows of each message.
    private var rows: [RowList] = []
    /// The main button of each message; `nil` if it has none.
    private var buttons: [Widget?] = []

    init(_ perform: @escaping (Action) -> Void) {
        self.perform = perform
        widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
        carousel = adw_carousel_new()
        let dots: Widget = adw_carousel_indicator_dots_new()
        adw_carousel_indicator_dots_set_carousel(dots.opaque, carousel.opaque)
        gtk_widget_set_vexpand(carousel, 1)
        gtk_box_append(widget.cast(), carousel)
        gtk_box_append(widget.cast(), dots)
        // A swipe turns it, too.
        for signal in ["map", "page-changed"] { connect(carousel, signal) { [weak self] in self?.pageChanged() } }
    }

    /// Shows messages. The first one is in front, unless they are the same as before.
    func show(_ notices: [Notice]) {
        guard notices != self.notices else { return }
        defer { for (list, notice) in zip(rows, notices) { list.show(notice.rows) } }
        let isSame = notices.map(\.withoutRows) == self.notices.map(\.withoutRows)
        self.notices = notices
        if isSame { return }
        rows = []
        buttons = []
        while adw_carousel_get_n_pages(carousel.opaque) > 0 {
            adw_carousel_remove(carousel.opaque, adw_carousel_get_nth_page(carousel.opaque, 0))
        }
        for (number, notice) in notices.enumerated() { adw_carousel_append(carousel.opaque, page(notice, number)) }
        if gtk_widget_get_mapped(carousel) != 0 { pageChanged() }
    }

    private func page(_ notice: Notice, _ number: Int) -> Widget {
        let page: Widget = adw_status_page_new()
        adw_status_page_set_icon_name(page.opaque, notice.icon)
        adw_status_page_set_title(page.opaque, escaped(notice.title))
        adw_status_page_set_description(page.opaque, escaped(notice.text))
        gtk_widget_set_hexpand(page, 1)
        if !notice.rows.isEmpty { page.style("compact") }
        let group: Widget = adw_preferences_group_new()
        rows.append(RowList(of: .group(group), perform))
        let isLast = number == notices.count - 1
        guard let shown = notice.button ?? (isLast ? nil : Button(localized("Next"), .none, .suggested)) else {
            buttons.append(nil)
            adw_status_page_set_child(page.opaque, group)
            return page
        }
        let button: Widget = gtk_button_new()
        buttons.append(button)
        ControlView.show(shown, on: button)
        button.style("pill")
        let choices: Widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6)
        gtk_widget_set_halign(choices, GTK_ALIGN_CENTER)
        gtk_box_append(choices.cast(), button)
        if number > 0 { gtk_box_append(choices.cast(), back(to: number - 1)) }
        let content: Widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 24)
        for part in [group, choices] { gtk_box_append(content.cast(), part) }
        adw_status_page_set_child(page.opaque, content)
        connect(button, "clicked") { [weak self] in
            guard let self else { return }
            if notice.button == nil, !isLast {
                turn(to: number + 1)
            } else {
                perform(shown.action)
            }
        }
        return page
    }

    private func back(to number: Int) -> Widget {
        let button: Widget = gtk_button_new_with_label(localized("Back"))
        button.style("pill", "flat")
        connect(button, "clicked") { [weak self] in self?.turn(to: number) }
        return button
    }

    /// Shows a message, and moves the keyboard focus to its button.
    private func turn(to number: Int) {
        allowFocus(only: number)
        adw_carousel_scroll_to(
            carousel.opaque, adw_carousel_get_nth_page(carousel.opaque, UInt32(clamping: number)), 1)
        if let button = buttons[number] { gtk_widget_grab_focus(button) }
    }

    /// Keeps the keyboard focus out of the messages that nobody sees.
    private func allowFocus(only number: Int) {
        for other in buttons.indices {
            let page = adw_carousel_get_nth_page(carousel.opaque, UInt32(clamping: other))
            gtk_widget_set_can_focus(page, other == number ? 1 : 0)
        }
    }

    /// Moves the keyboard focus to the button of the message in front, unless it is in that message already.
    private func pageChanged() {
        let number = Int(clamping: adw_carousel_get_position(carousel.opaque).rounded())
        allowFocus(only: number)
        guard buttons.count > 1, buttons.indices.contains(number), let button = buttons[number] else { return }
        let page = adw_carousel_get_nth_page(carousel.opaque, UInt32(clamping: number))
        if let root = gtk_widget_get_root(widget), let focused = gtk_root_get_focus(root), let page,
            gtk_widget_is_ancestor(focused, page) != 0
        {
            return
        }
        gtk_widget_grab_focus(button)
    }
}

extension Notice {
    /// The message without its rows, which change in place.
    fileprivate var withoutRows: Notice {
        var notice = self
        notice.rows = []
        return notice
    }
}
