internal import Apps
import Files
import Glibc
internal import HunchModel
internal import FoundationEssentials
internal import Localization

/// Reads and atomically replaces a settings file of the user.
enum SettingsFile {
    /// Returns the text of a file; `nil` if there is none.
    static func text(of file: String) throws(DirectionsError) -> String? {
        guard access(file, F_OK) == 0 else { return nil }
        guard let text = InstalledApps.text(ofFile: file) else {
            throw DirectionsError(
                .settingsFailed,
                localized("%1 cannot be read as UTF-8 text and was not changed; check its permissions", file))
        }
        return text
    }

    /// Writes a file, creating its folder if it is missing. Symbolic links and permissions are kept.
    static func write(_ text: String, to file: String) throws(DirectionsError) {
        let target = ReplacementFile.resolved(file)
        let folder = target.lastIndex(of: "/").map { String(target[..<$0]) } ?? "."
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw DirectionsError(
                .settingsFailed, localized("the folder %1 cannot be created; check the permissions above it", folder),
                underlying: error)
        }
        var status = stat()
        let mode = stat(target, &status) == 0 ? status.st_mode & 0o7777 : 0o644
        do throws(SystemError) {
            let replacement = try ReplacementFile(
                of: target, at: "\(target).hunch-\(getpid())", mode: mode, isExact: true)
            try replacement.write(Array(text.utf8))
            try replacement.finish()
        } catch {
            throw failure(file, error)
        }
    }

    /// Removes a file; of a symbolic link, only the link. A missing file is not an error.
    static func remove(_ file: String) throws(DirectionsError) {
        guard unlink(file) == 0 || errno == ENOENT else { throw failure(file, SystemError()) }
    }

    private static func failure(_ file: String, _ error: SystemError) -> DirectionsError {
        DirectionsError(.settingsFailed, localized("%1 cannot be written: %2", file, error))
    }
}
