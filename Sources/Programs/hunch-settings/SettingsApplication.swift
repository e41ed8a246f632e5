import AgentInterface
import CAdwaita
import FoundationEssentials
import Localization
import SettingsPages

/// The application: one instance a session, with one window.
@MainActor
final class SettingsApplication {
    /// The application identifier, and the name of the desktop entry.
    static let identifier = "org.hunch.Settings"

    private let application: UnsafeMutablePointer<AdwApplication>
    private let loop: WindowLoop
    private var window: SettingsWindow?

    /// - Parameter isService: whether the bus started the program. Then it opens no window before it is asked to.
    init(isService: Bool) throws {
        loop = try WindowLoop()
        application = adw_application_new(
            Self.identifier, isService ? G_APPLICATION_IS_SERVICE : GApplicationFlags(rawValue: 0))
        connect(application, "activate") { [weak self] in self?.activate() }
        connect(application, "startup") { [weak self] in
            gtk_window_set_default_icon_name("org.hunch.Hunch")
            self?.addActions()
        }
    }

    /// Runs until the window closes. Returns the exit code.
    func run() -> Int32 {
        g_application_run(application.application, 0, nil)
    }

    private func activate() { show().open(.overview) }

    /// Opens the window, or brings it to the front.
    private func show() -> SettingsWindow {
        if let window { return window }
        let window = SettingsWindow(application, loop)
        self.window = window
        window.present()
        return window
    }

    private func addActions() {
        add("quit", ["<Control>q"]) { [application] in g_application_quit(application.application) }
        add("search", ["<Control>f"]) { [weak self] in self?.window?.find(nil) }
        add("search-history", ["<Control><Shift>f"]) { [weak self] in self?.window?.search() }
        let text = g_variant_type_new("s")
        let find: OpaquePointer = g_simple_action_new("find", text)
        g_variant_type_free(text)
        onActivation(of: find) { [weak self] in self?.show().find($0) }
        g_action_map_add_action(application.actions, find)
        g_object_unref(UnsafeMutableRawPointer(find))
        add("shortcuts", ["<Control>question"]) { [weak self] in self?.showShortcuts() }
        add("about", []) { [weak self] in self?.showAbout() }
        for (number, page) in Page.ID.allCases.enumerated() {
            add("page-\(page.rawValue)", ["<Alt>\(number + 1)"]) { [weak self] in self?.window?.turn(to: page) }
        }
    }

    private func add(_ name: String, _ keys: [String], _ body: @escaping @MainActor () -> Void) {
        let action: OpaquePointer = g_simple_action_new(name, nil)
        connect(action, "activate", body)
        g_action_map_add_action(application.actions, action)
        g_object_unref(UnsafeMutableRawPointer(action))
        var words = keys.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        words.withUnsafeMutableBufferPointer { words in
            words.withMemoryRebound(to: UnsafePointer<CChar>?.self) {
                gtk_application_set_accels_for_action(application.gtk, "app.\(name)", $0.baseAddress)
            }
        }
    }

    // MARK: Dialogs

    private func showAbout() {
        let about: Widget = adw_about_window_new()
        gtk_window_set_transient_for(about.cast(), gtk_application_get_active_window(application.gtk))
        adw_about_window_set_application_name(about.opaque, localized("Hunch"))
        adw_about_window_set_application_icon(about.opaque, "org.hunch.Hunch")
        adw_about_window_set_version(about.opaque, HunchVersion.full)
        adw_about_window_set_developer_name(about.opaque, localized("The Hunch developers"))
        adw_about_window_set_license_type(about.opaque, GTK_LICENSE_APACHE_2_0)
        adw_about_window_set_comments(about.opaque, localized("Suggests what to play and how to get there."))
        gtk_window_present(about.cast())
    }

    private func showShortcuts() {
        let keys = [
            ("<Control>f", localized("Search")), ("<Control><Shift>f", localized("Search the history")),
            ("<Alt>1...5", localized("Show a page")),
            ("F10", localized("Main Menu")), ("<Control>q", localized("Quit")),
        ]
        let rows = keys.map { key, title in
            "<child><object class=\"GtkShortcutsShortcut\"><property name=\"accelerator\">\(escaped(key))</property>"
                + "<property name=\"title\">\(escaped(title))</property></object></child>"
        }
        // GtkShortcutsWindow can only be made from a description.
        let description =
            "<interface><object class=\"GtkShortcutsWindow\" id=\"window\"><property name=\"modal\">1</property>"
            + "<child><object class=\"GtkShortcutsSection\"><child><object class=\"GtkShortcutsGroup\">"
            + rows.joined() + "</object></child></object></child></object></interface>"
        guard let builder = gtk_builder_new_from_string(description, -1) else { return }
        defer { g_object_unref(UnsafeMutableRawPointer(builder)) }
        guard let object = gtk_builder_get_object(builder, "window") else { return }
        let shortcuts = UnsafeMutableRawPointer(object).assumingMemoryBound(to: GtkWindow.self)
        gtk_window_set_transient_for(shortcuts, gtk_application_get_active_window(application.gtk))
        gtk_window_present(shortcuts)
    }
}

extension UnsafeMutablePointer<AdwApplication> {
    fileprivate var application: UnsafeMutablePointer<GApplication> {
        UnsafeMutableRawPointer(self).assumingMemoryBound(to: GApplication.self)
    }
    fileprivate var gtk: UnsafeMutablePointer<GtkApplication> {
        UnsafeMutableRawPointer(self).assumingMemoryBound(to: GtkApplication.self)
    }
    fileprivate var actions: OpaquePointer { OpaquePointer(self) }
}
