import AgentInterface
import CAdwaita
import FoundationEssentials
import HunchModel
import Localization
import SettingsPages

/// The window: one page at a time, with a switcher at the top, or at the bottom where the window is narrow.
@MainActor
final class SettingsWindow {
    private let window: Widget
    private let toasts: Widget
    private let stack: Widget
    /// The bar below the header with the last error.
    private let errors: Widget
    private let error: Widget
    private var pages: [Page.ID: PageView] = [:]
    private let controller: SettingsController
    private let loop: WindowLoop

    init(_ application: UnsafeMutablePointer<AdwApplication>, _ loop: WindowLoop) {
        self.loop = loop
        window = adw_application_window_new(
            UnsafeMutableRawPointer(application).assumingMemoryBound(to: GtkApplication.self))
        toasts = adw_toast_overlay_new()
        stack = adw_view_stack_new()
        errors = gtk_info_bar_new()
        error = gtk_label_new(nil)
        weak var own: SettingsWindow?
        controller = SettingsController {
            own?.show()
        } say: {
            own?.say($0, isError: $1)
        }
        own = self
        build()
        show()
    }

    // MARK: Building

    private func build() {
        gtk_window_set_title(window.cast(), localized("Hunch"))
        gtk_window_set_default_size(window.cast(), 760, 780)
        gtk_widget_set_size_request(window, 360, 294)
        for id in Page.ID.allCases {
            let view = PageView { [weak self] in self?.perform($0) }
            pages[id] = view
            let (title, icon) = Self.title(of: id)
            let page = adw_view_stack_add_titled(stack.opaque, view.widget, id.rawValue, title)
            adw_view_stack_page_set_icon_name(page, icon)
        }
        let title: Widget = adw_view_switcher_title_new()
        adw_view_switcher_title_set_stack(title.opaque, stack.opaque)
        adw_view_switcher_title_set_title(title.opaque, localized("Hunch"))
        let bar: Widget = adw_view_switcher_bar_new()
        adw_view_switcher_bar_set_stack(bar.opaque, stack.opaque)
        g_object_bind_property(title, "title-visible", bar, "reveal", G_BINDING_SYNC_CREATE)
        let header: Widget = adw_header_bar_new()
        adw_header_bar_set_title_widget(header.opaque, title)
        adw_header_bar_pack_end(header.opaque, menuButton())
        let box: Widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
        gtk_widget_set_vexpand(stack, 1)
        adw_toast_overlay_set_child(toasts.opaque, stack)
        buildErrors()
        for child in [header, errors, toasts, bar] { gtk_box_append(box.cast(), child) }
        adw_application_window_set_content(window.cast(), box)
        connect(stack, "notify::visible-child-name") { [weak self] in
            guard let self, let id = visiblePage else { return }
            controller.page = id
            show()
        }
        connect(window, "notify::is-active") { [weak self] in self?.refresh() }
    }

    private func buildErrors() {
        gtk_info_bar_set_message_type(errors.opaque, GTK_MESSAGE_ERROR)
        gtk_info_bar_set_show_close_button(errors.opaque, 1)
        gtk_info_bar_set_revealed(errors.opaque, 0)
        gtk_label_set_wrap(error.opaque, 1)
        gtk_label_set_wrap_mode(error.opaque, PANGO_WRAP_WORD_CHAR)
        gtk_label_set_xalign(error.opaque, 0)
        gtk_widget_set_hexpand(error, 1)
        gtk_info_bar_add_child(errors.opaque, error)
        connect(errors, "response") { [errors] in gtk_info_bar_set_revealed(errors.opaque, 0) }
    }

    private func menuButton() -> Widget {
        let menu: OpaquePointer = g_menu_new()
        g_menu_append(menu, localized("Keyboard Shortcuts"), "app.shortcuts")
        g_menu_append(menu, localized("About Hunch"), "app.about")
        let button: Widget = gtk_menu_button_new()
        gtk_menu_button_set_icon_name(button.opaque, "open-menu-symbolic")
        gtk_menu_button_set_menu_model(button.opaque, menu.object.assumingMemoryBound(to: GMenuModel.self))
        gtk_menu_button_set_primary(button.opaque, 1)
        gtk_widget_set_tooltip_text(button, localized("Main Menu"))
        button.describe(GTK_ACCESSIBLE_PROPERTY_LABEL, localized("Main Menu"))
        g_object_unref(UnsafeMutableRawPointer(menu))
        return button
    }

    private static func title(of page: Page.ID) -> (title: String, icon: String) {
        switch page {
        case .overview: (localized("Overview"), "user-home-symbolic")
        case .devices: (localized("Devices"), "audio-headphones-symbolic")
        case .apps: (localized("Apps"), "view-app-grid-symbolic")
        case .places: (localized("Places"), "mark-location-symbolic")
        case .privacy: (localized("Privacy"), "channel-secure-symbolic")
        }
    }

    private var visiblePage: Page.ID? {
        adw_view_stack_get_visible_child_name(stack.opaque).flatMap { Page.ID(rawValue: String(cString: $0)) }
    }

    // MARK: Showing

    /// Presents the window, and follows the agent.
    func present() {
        gtk_window_present(window.cast())
        Task { await controller.run(on: loop.events) }
        Task { [weak self] in
            while !Task.isCancelled {
                try? await Task.sleep(for: SettingsController.interval)
                guard let self else { return }
                refresh()
            }
        }
    }

    /// Shows a page.
    func open(_ page: Page.ID) {
        adw_view_stack_set_visible_child_name(stack.opaque, page.rawValue)
        gtk_window_present(window.cast())
    }

    /// Shows a page, and moves the focus from the former one into it.
    func turn(to page: Page.ID) {
        guard page != visiblePage else { return open(page) }
        open(page)
        pages[page].map { forgetFocus(in: $0.widget) }
        Task {
            // Before a page is drawn for the first time, its rows cannot take the focus, but its scrolled area can.
            for _ in 0..<Self.mostTries {
                try? await Task.sleep(for: Self.drawingTime)
                guard visiblePage == page, let view = pages[page]?.widget else { return }
                let area = focusedArea(in: view)
                gtk_widget_child_focus(
                    area.flatMap { gtk_scrolled_window_get_child($0.opaque) } ?? view, GTK_DIR_TAB_FORWARD)
                if let focused = gtk_window_get_focus(window.cast()), gtk_widget_is_ancestor(focused, view) != 0,
                    focusedArea(in: view) == nil
                {
                    return
                }
            }
        }
    }

    /// Discards the child of each container that had the focus last. Otherwise GTK continues with the one behind it.
    private func forgetFocus(in view: Widget) {
        var container: Widget? = view
        while let current = container {
            container = gtk_widget_get_focus_child(current)
            gtk_widget_set_focus_child(current, nil)
        }
    }

    /// Returns the scrolled area of a page if it has the focus itself.
    private func focusedArea(in view: Widget) -> Widget? {
        guard let focused = gtk_window_get_focus(window.cast()), gtk_widget_is_ancestor(focused, view) != 0,
            gtk_widget_get_ancestor(focused, gtk_scrolled_window_get_type()) == focused
        else { return nil }
        return focused
    }

    private static let mostTries = 30

    /// The time after which a page has its size, when it is drawn for the first time.
    private static let drawingTime = Duration.milliseconds(100)

    /// Searches for content of apps, and puts the focus into the search field.
    ///
    /// - Parameter text: the text; `nil` leaves the one that is there.
    func find(_ text: String?) {
        if let text { controller.perform(.find(text)) }
        open(.overview)
        guard let field = pages[.overview]?.search else { return }
        if let text { gtk_editable_set_text(field.opaque, text) }
        gtk_widget_grab_focus(field)
    }

    /// Puts the focus into the search field of the history.
    func search() {
        open(.privacy)
        guard let field = pages[.privacy]?.search else { return }
        gtk_widget_grab_focus(field)
        Task {
            try? await Task.sleep(for: Self.drawingTime)
            Self.scroll(to: field)
        }
    }

    /// Scrolls a page until a widget is near its top.
    private static func scroll(to widget: Widget) {
        guard let scrolled = gtk_widget_get_ancestor(widget, gtk_scrolled_window_get_type()) else { return }
        let adjustment = gtk_scrolled_window_get_vadjustment(scrolled.opaque)
        var (x, y) = (0.0, 0.0)
        guard gtk_widget_translate_coordinates(widget, scrolled, 0, 0, &x, &y) != 0 else { return }
        let heading = 60.0
        gtk_adjustment_set_value(adjustment, gtk_adjustment_get_value(adjustment) + y - heading)
    }

    private func refresh() {
        guard gtk_window_is_active(window.cast()) != 0 else { return }
        // The texts have relative times.
        show()
        guard controller.changesSilently else { return }
        Task { await controller.read(startsAgent: false) }
    }

    private func show() {
        let (state, now) = (controller.state, Date.now)
        guard let id = visiblePage, let view = pages[id] else { return }
        switch id {
        case .overview: view.show(.overview(state, now: now))
        case .devices: view.show(.devices(state))
        case .apps: view.show(.apps(state, now: now))
        case .places: view.show(.places(state, now: now))
        case .privacy: view.show(.privacy(state, now: now))
        }
    }

    /// Shows a message for five seconds, and an error until the user closes it.
    private func say(_ text: String, isError: Bool) {
        guard isError else {
            return adw_toast_overlay_add_toast(toasts.opaque, adw_toast_new(escaped(text)))
        }
        // The title of a toast is one line.
        gtk_label_set_text(error.opaque, text)
        gtk_info_bar_set_revealed(errors.opaque, 1)
    }

    // MARK: Actions

    private func perform(_ action: Action) {
        switch action {
        case .ask(let question, let then): ask(question) { [weak self] in self?.perform(then) }
        case .choose(let choice): choose(choice)
        case .showHistory: search()
        case .forgetTime(let date, let question):
            Task { [weak self] in
                let count = await self?.controller.forgettingCount(since: date)
                self?.perform(.forgetting(since: date, question: question, count))
            }
        case .find:
            // An error of an earlier search says nothing about this one.
            gtk_info_bar_set_revealed(errors.opaque, 0)
            controller.perform(action)
        default: controller.perform(action)
        }
    }

    private func ask(_ question: Question, _ agreed: @escaping @MainActor () -> Void) {
        let dialog: Widget = adw_message_dialog_new(window.cast(), question.title, question.text)
        let (pointer, agree) = (dialog, "agree")
        adw_message_dialog_add_response(pointer.cast(), "cancel", localized("Cancel"))
        adw_message_dialog_add_response(pointer.cast(), agree, question.agree)
        adw_message_dialog_set_response_appearance(
            pointer.cast(), agree, question.isDestructive ? ADW_RESPONSE_DESTRUCTIVE : ADW_RESPONSE_SUGGESTED)
        adw_message_dialog_set_default_response(pointer.cast(), "cancel")
        adw_message_dialog_set_close_response(pointer.cast(), "cancel")
        connect(pointer, "response::agree", agreed)
        gtk_window_present(pointer.cast())
    }

    private func choose(_ choice: FileChoice) {
        let (title, action) =
            switch choice {
            case .export: (localized("Export"), GTK_FILE_CHOOSER_ACTION_SAVE)
            case .places: (localized("Import Places"), GTK_FILE_CHOOSER_ACTION_OPEN)
            }
        let chooser: OpaquePointer = gtk_file_chooser_native_new(title, window.cast(), action, nil, nil)
        switch choice {
        case .export: gtk_file_chooser_set_current_name(chooser, "hunch.jsonl")
        case .places:
            addFilter(localized("Lists of places"), FileChoice.placeSuffixes.map { "*.\($0)" }, to: chooser)
            addFilter(localized("All files"), ["*"], to: chooser)
        }
        connect(chooser, "response") { [weak self] in
            let file = gtk_file_chooser_get_file(chooser)
            gtk_native_dialog_hide(chooser.object.assumingMemoryBound(to: GtkNativeDialog.self))
            g_object_unref(chooser.object)
            guard let file else { return }
            let path = g_file_get_path(file)
            defer {
                g_free(path)
                g_object_unref(UnsafeMutableRawPointer(file))
            }
            if let path { self?.perform(choice.action(String(cString: path))) }
        }
        gtk_native_dialog_show(chooser.object.assumingMemoryBound(to: GtkNativeDialog.self))
    }

    private func addFilter(_ name: String, _ patterns: [String], to chooser: OpaquePointer) {
        let filter = gtk_file_filter_new()
        gtk_file_filter_set_name(filter, name)
        for pattern in patterns { gtk_file_filter_add_pattern(filter, pattern) }
        gtk_file_chooser_add_filter(chooser, filter)
    }
}
