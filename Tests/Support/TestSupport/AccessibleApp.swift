/// A program with windows, as a screen reader sees it. See ``withAccessibility(on:environment:_:)``.
public struct AccessibleApp: Sendable {
    /// A widget on the display.
    public struct Element: Sendable {
        /// The role, such as `push button`, `check box`, `list item`, `page tab` or `label`.
        public let role: String
        /// The name that a screen reader says.
        public let name: String
        /// The description that it says after that.
        public let description: String
        /// The states, such as `checked` and `focused`.
        public let states: Set<String>
        /// The width and height in pixels; 0 for what is not shown.
        public let width, height: Int
    }

    private let environment: [String: String]

    init(environment: [String: String]) { self.environment = environment }

    /// Lists all elements, a line each. With arguments, presses the first element with this role, name, and a description that
    /// contains the third.
    private static let script = """
        import gi, sys
        gi.require_version("Atspi", "2.0")
        from gi.repository import Atspi
        wanted = sys.argv[1:]

        def clean(text):
            text = (text or "").replace("\\n", " ").replace("\\t", " ")
            # libadwaita 1.2 names some buttons twice.
            half = text[:len(text) // 2]
            return half if half and text == half + " " + half else text

        def walk(node, depth=0):
            for index in range(node.get_child_count()):
                try:
                    child = node.get_child_at_index(index)
                    if child is None or depth > 40:
                        continue
                    role, name, text = child.get_role_name(), clean(child.get_name()), clean(child.get_description())
                    if wanted:
                        if [role, name] == wanted[:2] and wanted[2] in text:
                            child.do_action(0)
                            sys.exit(0)
                    else:
                        try:
                            box = child.get_extents(Atspi.CoordType.WINDOW)
                            size = (box.width, box.height)
                        except Exception:
                            size = (0, 0)
                        states = " ".join(state.value_nick for state in child.get_state_set().get_states())
                        print(role, name, text, states, *size, sep="\\t")
                except SystemExit:
                    raise
                except Exception:
                    # It disappeared meanwhile.
                    continue
                walk(child, depth + 1)

        walk(Atspi.get_desktop(0))
        sys.exit(1 if wanted else 0)
        """

    private func python(_ arguments: [String]) async throws -> CommandResult {
        try await run("/usr/bin/python3", ["-W", "ignore", "-c", Self.script] + arguments, environment: environment)
    }

    /// Returns everything that the programs on the display have.
    public func elements() async throws -> [Element] {
        try await python([]).standardOutput.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard cells.count == 6 else { return nil }
            return Element(
                role: cells[0], name: cells[1], description: cells[2],
                states: Set(cells[3].split(separator: " ").map(String.init)), width: Int(cells[4]) ?? 0,
                height: Int(cells[5]) ?? 0)
        }
    }

    /// Waits until an element is there.
    ///
    /// - Parameter condition: what else must be true of it.
    /// - Throws: `BenchError` if it does not appear.
    @discardableResult
    public func wait(
        for role: String, _ name: String, where condition: @Sendable (Element) -> Bool = { _ in true }
    ) async throws -> Element {
        try await eventually("the \(role) “\(name)”", because: "screen readers are not told of everything") {
            try await elements().first { $0.role == role && $0.name == name && condition($0) }
        }
    }

    /// Waits until a text is drawn.
    ///
    /// - Throws: `BenchError` if it does not appear.
    public func waitForText(_ text: String) async throws {
        try await eventually("the text “\(text)”", because: "screen readers are not told of everything") {
            try await elements().contains { $0.role == "label" && $0.name.contains(text) && $0.width > 0 } ? () : nil
        }
    }

    /// Presses an element, as a screen reader does.
    ///
    /// - Parameter description: a part of its description.
    /// - Throws: `BenchError` if it does not appear.
    public func press(_ role: String, _ name: String, description: String = "") async throws {
        try await eventually("the \(role) “\(name)”", because: "screen readers are not told of everything") {
            try await python([role, name, description]).status == .exited(0) ? () : nil
        }
    }

    /// Moves the focus to an element with the Tab key.
    ///
    /// - Throws: `BenchError` if the key does not lead there.
    public func focus(_ role: String, _ name: String) async throws {
        try await wait(for: role, name)
        for _ in 0..<40 {
            let focused = try await elements().first { $0.states.contains("focused") }
            if focused?.role == role, focused?.name == name { return }
            try await type("Tab")
        }
        throw BenchError("the Tab key does not lead to the \(role) “\(name)”")
    }

    /// Expands a row by the keyboard.
    ///
    /// - Throws: `BenchError` if it does not appear.
    public func expand(_ row: String) async throws {
        try await focus("list item", row)
        try await type("space")
    }

    /// Presses keys, as `xdotool` names them.
    public func type(_ keys: String...) async throws {
        _ = try await run("xdotool", ["key", "--delay", "50"] + keys, environment: environment).output()
    }
}

/// Runs the accessibility bus while `body` runs.
///
/// - Parameter environment: the environment of the programs, with a display.
/// - Throws: what `body` throws; `BenchError` if it does not start.
public nonisolated(nonsending) func withAccessibility<Value>(
    on bus: PrivateBus, environment: [String: String],
    _ body: nonisolated(nonsending) (AccessibleApp) async throws -> Value
) async throws -> Value {
    let launcher = Command(
        "/usr/libexec/at-spi-bus-launcher", ["--launch-immediately"], environment: environment,
        ready: .busName("org.a11y.Bus", on: bus))
    return try await withDaemon(launcher) { _ in try await body(AccessibleApp(environment: environment)) }
}
