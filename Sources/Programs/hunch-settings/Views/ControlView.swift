import CAdwaita
import SettingsPages

/// Draws a control at the end of a row.
@MainActor
final class ControlView {
    /// The widget of a control.
    enum Shape: Equatable {
        case toggle, button, text, progress, none
    }

    let widget: Widget
    private var control: Control
    private var isUpdating = false

    /// The title of the expanded row that the control belongs to, so that screen readers distinguish equal controls.
    private let owner: String?

    init(_ control: Control, of row: Row, in owner: String?, _ perform: @escaping (Action) -> Void) {
        self.control = control
        self.owner = owner
        switch Self.shape(control) {
        case .toggle: widget = gtk_switch_new()
        case .button: widget = gtk_button_new()
        case .text:
            widget = gtk_label_new(nil)
            widget.style("dim-label")
        case .progress:
            widget = gtk_progress_bar_new()
            gtk_widget_set_size_request(widget, 90, -1)
        case .none: widget = gtk_label_new(nil)
        }
        gtk_widget_set_valign(widget, GTK_ALIGN_CENTER)
        switch Self.shape(control) {
        case .toggle:
            connect(widget, "notify::active") { [weak self] in
                guard let self, !isUpdating, case .toggle(let isOn, let on, let off) = self.control else { return }
                let wanted = gtk_switch_get_active(widget.opaque) != 0
                guard wanted != isOn else { return }
                let action = wanted ? on : off
                perform(action)
                // A question that the user cancels has no effect, nor has an action that fails. GTK sets the switch
                // once more after this signal, so even a question waits for that.
                let isQuestion = if case .ask = action { true } else { false }
                Task { [weak self] in
                    try? await Task.sleep(for: isQuestion ? .zero : Self.patience)
                    self?.showSwitch()
                }
            }
        case .button:
            connect(widget, "clicked") { [weak self] in
                if case .button(let button)? = self?.control { perform(button.action) }
            }
        case .text, .progress, .none: break
        }
        show(control, of: row)
    }

    /// The time after which a switch shows the state again, if the action did not change it.
    private static let patience = Duration.seconds(2)

    /// Sets a switch to its state.
    private func showSwitch() {
        guard case .toggle(let isOn, _, _) = control, gtk_switch_get_active(widget.opaque) != (isOn ? 1 : 0) else {
            // Setting it would end the animation of a press before that takes effect (GTK 4.8, gtkswitch.c).
            return
        }
        isUpdating = true
        defer { isUpdating = false }
        gtk_switch_set_active(widget.opaque, isOn ? 1 : 0)
    }

    static func shape(_ control: Control) -> Shape {
        switch control {
        case .toggle: .toggle
        case .button: .button
        case .text: .text
        case .progress: .progress
        case .choice, .entry: .none
        }
    }

    /// Shows another state of a control of the same shape.
    func show(_ control: Control, of row: Row) {
        self.control = control
        switch control {
        case .toggle:
            // The row names it.
            showSwitch()
            if let owner { widget.describe(GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, owner) }
        case .button(let button):
            Self.show(button, on: widget)
            widget.describe(
                GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, [owner, row.title].compactMap(\.self).joined(separator: ", "))
        case .text(let text): gtk_label_set_text(widget.opaque, text)
        case .progress(let fraction):
            widget.describe(GTK_ACCESSIBLE_PROPERTY_LABEL, row.title)
            guard let fraction else { return gtk_progress_bar_pulse(widget.opaque) }
            gtk_progress_bar_set_fraction(widget.opaque, fraction)
        case .choice, .entry: break
        }
    }

    /// Shows a button's label and weight.
    static func show(_ button: Button, on widget: Widget) {
        gtk_button_set_label(widget.cast(), button.label)
        for name in ["suggested-action", "destructive-action"] { gtk_widget_remove_css_class(widget, name) }
        switch button.style {
        case .plain: break
        case .suggested: widget.style("suggested-action")
        case .destructive: widget.style("destructive-action")
        }
    }
}
