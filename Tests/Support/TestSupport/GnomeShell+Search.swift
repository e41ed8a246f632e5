import FoundationEssentials

/// The search in the overview of GNOME Shell.
extension GnomeShell {
    /// A row of a search provider.
    public struct Result: Hashable, Sendable, Decodable {
        public let id, name, description: String
    }

    /// The search of the shell: its controller, its results, its text field, and one provider.
    private static func script(_ provider: String, _ body: String) -> String {
        """
        (function() {
            const controller = Main.overview._overview.controls._searchController;
            const view = controller._searchResults, entry = Main.overview.searchEntry;
            const provider = view._providers.find(provider => provider.id === '\(provider).desktop');
            \(body)
        })()
        """
    }

    /// Waits until the shell has loaded a search provider.
    ///
    /// - Parameter provider: the identifier of its desktop entry.
    /// - Throws: `BenchError` if it does not.
    public func waitForProvider(_ provider: String) async throws {
        try await waitUntil("the provider \(provider)", Self.script(provider, "return !!provider;"))
    }

    /// Opens the overview, searches for a text, and waits until all providers have answered.
    ///
    /// - Throws: `BenchError` if they do not.
    public func search(_ text: String) async throws {
        try await run("Main.overview.show()")
        try await waitUntil(
            "the overview",
            "Main.overview.visible && !Main.overview.animationInProgress && Main.overview.searchEntry.mapped")
        let json = String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
        // Without the focus, a later key does not arrive.
        try await run(Self.script("", "entry.grab_key_focus(); entry.set_text(\(json)); return true;"))
        try await waitUntil(
            "the results of “\(text)”",
            Self.script(
                "", "return controller.searchActive && !view._searchTimeoutId && !view.searchInProgress;"))
    }

    /// Empties the search field and closes the overview.
    public func endSearch() async throws {
        try await run(Self.script("", "entry.set_text(''); Main.overview.hide(); return true;"))
        try await waitUntil("the overview being closed", "!Main.overview.visible")
    }

    /// Returns the rows of a provider that are on the screen.
    public func results(of provider: String) async throws -> [Result] {
        let script = Self.script(
            provider,
            """
            if (!provider?.display.visible)
                return [];
            return provider.display._content.get_children().filter(row => row.mapped).map(row => (
                {id: row.metaInfo.id, name: row.metaInfo.name, description: row._descriptionLabel?.text ?? ''}));
            """)
        return try JSONDecoder().decode([Result].self, from: Data(try await run(script).utf8))
    }

    /// Chooses the first row of a provider with the Return key.
    ///
    /// - Throws: `BenchError` if another row would be chosen.
    public func chooseFirst(of provider: String) async throws {
        try await waitUntil(
            "the first result being chosen by Return",
            Self.script(provider, "return view._defaultResult === provider.display.getFirstResult();"))
        try await press(key: "Return")
    }

    /// Continues the search in the app of a provider.
    public func continueSearch(in provider: String) async throws {
        try await run(Self.script(provider, "provider.display.providerInfo.emit('clicked', 1); return true;"))
    }

    /// Runs a program with windows on the shell's display while `body` runs.
    ///
    /// - Parameters:
    ///   - environment: its environment, without the display.
    ///   - name: the name on the bus that it takes.
    /// - Throws: what `body` throws; `BenchError` if it does not start.
    public nonisolated(nonsending) func withProgram(
        _ program: String, environment: [String: String], name: String,
        _ body: nonisolated(nonsending) (AccessibleApp) async throws -> Void
    ) async throws {
        let runtime = self.environment["XDG_RUNTIME_DIR"] ?? ""
        let display = ["WAYLAND_DISPLAY": "\(runtime)/wayland-0", "GDK_BACKEND": "wayland", "GSK_RENDERER": "cairo"]
        let environment = environment.merging(bus.environment) { $1 }.merging(display) { $1 }
        try await withAccessibility(on: bus, environment: environment) { accessible in
            let command = Command(program, [], environment: environment, ready: .busName(name, on: bus))
            try await withDaemon(command) { _ in try await body(accessible) }
        }
    }

    /// Writes what is on the display to a file, as PNG, without the current notification.
    public func screenshot(to file: String) async throws {
        try await run("Main.messageTray.hide(); true")
        try await run(
            """
            (function() {
                const {Gio, Shell} = imports.gi;
                const stream = Gio.File.new_for_path('\(file)').replace(null, false, Gio.FileCreateFlags.NONE, null);
                new Shell.Screenshot().screenshot(false, stream, () => stream.close(null));
                return true;
            })()
            """)
        try await eventually("the screenshot", because: "the shell writes it in the background") {
            FileManager.default.contents(atPath: file).map { $0.suffix(8).starts(with: [0x49, 0x45, 0x4E, 0x44]) }
                == true
                ? () : nil
        }
    }
}
