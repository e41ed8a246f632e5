internal import FoundationEssentials

/// The manifest that names a native messaging host for a browser, and the extensions that may use it.
package struct NativeHostManifest: Hashable, Sendable {
    /// The name by which extensions call the host. It is also the name of the file, before `.json`.
    package static let name = "org.hunch.browser"
    /// The identifier of the extension in Firefox.
    package static let firefoxExtension = "browser@hunch.org"
    /// The identifier of the extension in Chromium, which follows from the key in the extension's manifest.
    package static let chromiumExtension = "ggidpbhhpokkagkhghcojhmeadphdkai"

    /// The absolute path of the host's program.
    package let program: String
    /// The format.
    package let family: Browser.Family

    package init(program: String, family: Browser.Family) { (self.program, self.family) = (program, family) }

    /// Reads a manifest; `nil` if the text is not one.
    package init?(text: String, family: Browser.Family) {
        guard let wire = try? JSONDecoder().decode(Wire.self, from: Data(text.utf8)) else { return nil }
        self.init(program: wire.path, family: family)
    }

    /// The manifest as JSON.
    package var text: String {
        get throws {
            let wire = Wire(
                name: Self.name, description: "Hunch", path: program, type: "stdio",
                allowedOrigins: family == .chromium ? ["chrome-extension://\(Self.chromiumExtension)/"] : nil,
                allowedExtensions: family == .firefox ? [Self.firefoxExtension] : nil)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(wire), as: UTF8.self) + "\n"
        }
    }

    private struct Wire: Codable {
        let name, description, path, type: String
        let allowedOrigins, allowedExtensions: [String]?

        private enum CodingKeys: String, CodingKey {
            case name, description, path, type
            case allowedOrigins = "allowed_origins"
            case allowedExtensions = "allowed_extensions"
        }
    }
}
