import CAdwaita

/// A widget. GTK's casting macros are not imported, so ``cast()`` replaces them.
typealias Widget = UnsafeMutablePointer<GtkWidget>

extension UnsafeMutablePointer<GtkWidget> {
    /// The widget as one of its classes or interfaces. The caller knows that it is one.
    func cast<Class>() -> UnsafeMutablePointer<Class> {
        UnsafeMutableRawPointer(self).assumingMemoryBound(to: Class.self)
    }

    /// The widget as a class whose structure is private.
    var opaque: OpaquePointer { OpaquePointer(self) }

    /// Adds style classes.
    func style(_ classes: String...) { for name in classes { gtk_widget_add_css_class(self, name) } }

    /// Sets the name or the description that screen readers say.
    func describe(_ property: GtkAccessibleProperty, _ text: String) {
        var properties = [property]
        var value = GValue()
        gtk_accessible_property_init_value(property, &value)
        g_value_set_string(&value, text)
        gtk_accessible_update_property_value(opaque, 1, &properties, &value)
        g_value_unset(&value)
    }
}

/// Keeps a closure for a signal.
private final class Handler {
    let body: @MainActor () -> Void
    init(_ body: @escaping @MainActor () -> Void) { self.body = body }
}

/// Calls a closure whenever an object emits a signal, which has no result.
///
/// - Parameter object: a `GObject`. It owns the closure.
@MainActor
func connect(_ object: some ObjectPointer, _ signal: String, _ body: @escaping @MainActor () -> Void) {
    // With swapped arguments the closure comes first, so that one function serves signals with any arguments.
    let callback: @convention(c) (UnsafeMutableRawPointer) -> Void = { data in
        let handler = Unmanaged<Handler>.fromOpaque(data).takeUnretainedValue()
        MainActor.assumeIsolated { handler.body() }
    }
    g_signal_connect_data(
        object.object, signal, unsafeBitCast(callback, to: GCallback.self),
        Unmanaged.passRetained(Handler(body)).toOpaque(),
        { data, _ in data.map { Unmanaged<Handler>.fromOpaque($0).release() } }, G_CONNECT_SWAPPED)
}

/// Keeps a closure for an action with a text.
private final class TextHandler {
    let body: @MainActor (String) -> Void
    init(_ body: @escaping @MainActor (String) -> Void) { self.body = body }
}

/// Calls a closure with the text whenever an action with a text as its parameter is activated.
///
/// - Parameter action: a `GSimpleAction`. It owns the closure.
@MainActor
func onActivation(of action: OpaquePointer, _ body: @escaping @MainActor (String) -> Void) {
    let callback: @convention(c) (UnsafeMutableRawPointer, OpaquePointer?, UnsafeMutableRawPointer) -> Void = {
        data, parameter, _ in
        let handler = Unmanaged<TextHandler>.fromOpaque(data).takeUnretainedValue()
        let text = parameter.flatMap { g_variant_get_string($0, nil) }.map { String(cString: $0) } ?? ""
        MainActor.assumeIsolated { handler.body(text) }
    }
    g_signal_connect_data(
        action.object, "activate", unsafeBitCast(callback, to: GCallback.self),
        Unmanaged.passRetained(TextHandler(body)).toOpaque(),
        { data, _ in data.map { Unmanaged<TextHandler>.fromOpaque($0).release() } }, G_CONNECT_SWAPPED)
}

/// A pointer to a `GObject`.
protocol ObjectPointer {
    var object: UnsafeMutableRawPointer { get }
}

extension UnsafeMutablePointer: ObjectPointer {
    var object: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }
}

extension OpaquePointer: ObjectPointer {
    var object: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }
}

/// Returns a text without the meaning of markup, for labels that always have markup.
func escaped(_ text: String) -> String {
    let copy = g_markup_escape_text(text, -1)
    defer { g_free(copy) }
    return copy.map { String(cString: $0) } ?? ""
}
