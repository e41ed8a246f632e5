import CAdwaita

/// The right of another app to come to the front.
enum Activation {
    /// Returns a token for the app that opens next, because the user pressed a button here. Without one, Wayland compositors
    /// only announce that the app is ready.
    ///
    /// - Returns: `nil` on X11, where apps come to the front without one, and if the compositor gives none.
    static func token() -> String? {
        guard let display = gdk_display_get_default(), isWayland(display),
            let context = gdk_display_get_app_launch_context(display),
            // GLib before 2.82 wants an app; its values have no effect on Wayland.
            let app = g_app_info_create_from_commandline("true", "Hunch", G_APP_INFO_CREATE_NONE, nil)
        else { return nil }
        let pointer = UnsafeMutableRawPointer(context)
        defer {
            g_object_unref(pointer)
            g_object_unref(UnsafeMutableRawPointer(app))
        }
        // NULL: the compositor gives none.
        guard
            let token = g_app_launch_context_get_startup_notify_id(
                pointer.assumingMemoryBound(to: GAppLaunchContext.self), app, nil)
        else { return nil }
        defer { g_free(token) }
        return String(cString: token)
    }

    private static func isWayland(_ display: OpaquePointer) -> Bool {
        let instance = UnsafeMutableRawPointer(display).assumingMemoryBound(to: GTypeInstance.self)
        return g_type_name_from_instance(instance).map { String(cString: $0) } == "GdkWaylandDisplay"
    }
}
