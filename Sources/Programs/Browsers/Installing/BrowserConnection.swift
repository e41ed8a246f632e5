internal import Files
internal import FoundationEssentials
internal import Glibc
internal import HunchModel
internal import Localization

/// The connection of a browser to Hunch on this computer: the manifest by which the browser finds the native host.
package struct BrowserConnection: Sendable {
    /// The people who can use the native host.
    package enum State: String, Hashable, Sendable {
        /// Nobody.
        case none
        /// The user.
        case user
        /// All users of the computer.
        case system
        /// Nobody, because the program of the manifest is missing.
        case broken
    }

    /// A failure to write or remove a file.
    package struct Failure: Error, CustomStringConvertible {
        /// The file.
        package let file: String
        /// The cause in words.
        package let reason: String

        package var description: String { localized("%1 cannot be changed: %2", file, reason) }
    }

    /// The browser.
    package let browser: Browser
    private let home: String
    private let base: String
    /// `$XDG_DATA_HOME`.
    private let data: String
    private let searchPath: [String]

    /// - Parameter environment: the environment, with `HOME`, the XDG folders and `PATH`.
    /// - Returns: `nil` if there is no home folder.
    package init?(_ browser: Browser, environment: [String: String]) {
        let directories = BaseDirectories(environment: environment)
        guard let home = environment["HOME"], home.hasPrefix("/"), let config = directories.configHome,
            let data = directories.dataHome
        else { return nil }
        self.browser = browser
        (self.home, self.data) = (home, data)
        searchPath = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
        let isFirefox = browser.family == .firefox
        if let flatpak = browser.flatpak {
            base = "\(home)/.var/app/\(flatpak)/\(isFirefox ? "" : "config/")\(browser.folder)"
        } else {
            base = "\(isFirefox ? home : config)/\(browser.folder)"
        }
    }

    /// Whether the browser is installed, or was used by the user.
    package var isPresent: Bool {
        if let flatpak = browser.flatpak {
            // Flatpak makes the last one. The folder above may have been made for a manifest alone.
            return [
                "/var/lib/flatpak/app/\(flatpak)", "\(data)/flatpak/app/\(flatpak)",
                "\(home)/.var/app/\(flatpak)/cache",
            ].contains(where: exists)
        }
        let isInstalled = browser.programs.contains { name in searchPath.contains { exists("\($0)/\(name)") } }
        // Firefox's folder may have been made for a manifest alone.
        return isInstalled || exists(browser.family == .firefox ? "\(base)/firefox" : base)
    }

    /// The user's manifest.
    package var file: String {
        let folder = browser.family == .firefox ? "native-messaging-hosts" : "NativeMessagingHosts"
        return "\(base)/\(folder)/\(NativeHostManifest.name).json"
    }

    /// The manifest for all users; `nil` for browsers without one.
    package var systemFile: String? { browser.systemFolder.map { "\($0)/\(NativeHostManifest.name).json" } }

    /// The script that leaves the sandbox of a Flatpak; `nil` for other browsers.
    private var wrapper: String? { browser.flatpak.map { "\(home)/.var/app/\($0)/hunch-browser" } }

    /// The program that the script starts; `nil` if there is no script.
    private var wrappedProgram: String? {
        let text = wrapper.flatMap { try? String(contentsOfFile: $0, encoding: .utf8) }
        return text?.split(separator: "'").dropFirst().first.map(String.init)
    }

    /// The state of the connection. The user's manifest counts before that for all users, as in the browsers.
    package var state: State {
        for (file, state) in [(file, State.user), (systemFile, .system)] {
            guard let file, let text = try? String(contentsOfFile: file, encoding: .utf8) else { continue }
            let program = NativeHostManifest(text: text, family: browser.family)?.program
            let programs = [program, wrapper == nil ? program : wrappedProgram]
            return programs.allSatisfy { $0.map { access($0, X_OK) == 0 } == true } ? state : .broken
        }
        return .none
    }

    /// Writes the user's manifest.
    ///
    /// - Parameter program: the absolute path of the native host.
    /// - Throws: ``Failure``.
    package func install(program: String) throws(Failure) {
        if let wrapper {
            let script = "#!/bin/sh\n# Starts the native host of Hunch outside the sandbox of this Flatpak.\n"
            let word = program.replacing("'", with: #"'\''"#)
            try write("\(script)exec flatpak-spawn --host '\(word)' \"$@\"\n", to: wrapper, mode: 0o755)
        }
        let manifest = NativeHostManifest(program: wrapper ?? program, family: browser.family)
        let text: String
        do { text = try manifest.text } catch { throw Failure(file: file, reason: "\(error)") }
        try write(text, to: file, mode: 0o644)
    }

    /// Removes the user's manifest. Returns whether there was one.
    ///
    /// - Throws: ``Failure``.
    package func remove() throws(Failure) -> Bool {
        if let wrapper { _ = try remove(wrapper) }
        return try remove(file)
    }

    private func remove(_ file: String) throws(Failure) -> Bool {
        if unlink(file) == 0 { return true }
        guard errno == ENOENT || errno == ENOTDIR else { throw Failure(file: file, reason: SystemError().description) }
        return false
    }

    private func write(_ text: String, to file: String, mode: mode_t) throws(Failure) {
        let folder = file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "/"
        guard (try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)) != nil
        else {
            throw Failure(file: file, reason: localized("its folder cannot be created; check the permissions above it"))
        }
        do throws(SystemError) {
            let replacement = try ReplacementFile(of: file, at: "\(file).\(getpid())", mode: mode, isExact: true)
            try replacement.write(Array(text.utf8))
            try replacement.finish()
        } catch {
            throw Failure(file: file, reason: error.description)
        }
    }

    private func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
}
