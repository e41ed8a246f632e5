import Glibc
internal import HunchModel
internal import FoundationEssentials

/// Reads and atomically replaces a settings file of the person.
enum SettingsFile {
    /// Returns the text of a file; `nil` if there is none.
    static func text(of file: String) throws(DirectionsError) -> String? {
        guard access(file, F_OK) == 0 else { return nil }
        guard let text = InstalledApplications.text(ofFile: file) else {
            throw DirectionsError(
                .settingsFailed, "\(file) cannot be read as UTF-8 text and was not changed; check its permissions")
        }
        return text
    }

    /// Writes a file, creating its folder if it is missing. Symbolic links and permissions are kept.
    static func write(_ text: String, to file: String) throws(DirectionsError) {
        let target = resolved(file)
        let folder = target.lastIndex(of: "/").map { String(target[..<$0]) } ?? "."
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw DirectionsError(
                .settingsFailed, "the folder \(folder) cannot be created; check the permissions above it",
                underlying: error)
        }
        var status = stat()
        let mode = stat(target, &status) == 0 ? status.st_mode & 0o7777 : 0o644
        let partial = "\(target).hunch-\(getpid())"
        let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw failure(file) }
        var isWritten = true
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty, isWritten {
            // −1 on failure, with errno.
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            isWritten = count >= 0
            bytes = bytes.dropFirst(max(0, count))
        }
        // The umask may have removed permissions from the mode at creation, so set it again.
        isWritten = isWritten && fchmod(descriptor, mode) == 0 && fsync(descriptor) == 0
        guard close(descriptor) == 0, isWritten, rename(partial, target) == 0 else {
            let error = failure(file)
            unlink(partial)
            throw error
        }
    }

    /// Removes a file. A missing file is not an error.
    static func remove(_ file: String) throws(DirectionsError) {
        guard unlink(resolved(file)) == 0 || errno == ENOENT else { throw failure(file) }
    }

    private static func resolved(_ file: String) -> String {
        // NULL: no file at the path yet. The caller frees the result.
        guard let path = realpath(file, nil) else { return file }
        defer { free(path) }
        return String(cString: path)
    }

    private static func failure(_ file: String) -> DirectionsError {
        DirectionsError(.settingsFailed, "\(file) cannot be written: \(String(cString: strerror(errno)))")
    }
}
