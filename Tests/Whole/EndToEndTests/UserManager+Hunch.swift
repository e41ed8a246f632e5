import FoundationEssentials
import TestSupport

extension UserManager {
    /// Installs programs, unit and activation file for the manager, as `make install` does.
    ///
    /// - Parameter dropIn: additional lines of the unit.
    /// - Returns: the path of `hunch`.
    @discardableResult
    func installHunch(dropIn: String = "") async throws -> String {
        _ = try install(program: builtProduct("hunchd"))
        let hunch = try install(program: builtProduct("hunch"))
        for (file, folder) in [
            ("hunchd.service", units), ("org.hunch.Agent1.service", "\(data)/dbus-1/services"),
        ] {
            let template = try String(
                contentsOf: URL(filePath: "\(Surroundings.packageRoot)/Systemd/\(file).in"), encoding: .utf8)
            try write(template.replacing("@LIBEXECDIR@", with: directory.file("bin")), to: "\(folder)/\(file)")
        }
        if !dropIn.isEmpty { try write(dropIn, to: "\(units)/hunchd.service.d/probe.conf") }
        try await reload()
        return hunch
    }
}
