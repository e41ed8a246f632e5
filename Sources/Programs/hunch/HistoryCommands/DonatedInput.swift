import CommandSupport
import FoundationEssentials
import Glibc
import HunchDBus
internal import HunchModel
import Localization

/// The input of `hunch donate`. Owns its file descriptor.
final class DonatedInput {
    /// The descriptor, positioned at the beginning.
    let descriptor: Int32
    /// The name in errors.
    let name: String
    /// Whether the input begins like an export.
    let isExport: Bool

    private struct Head: Decodable { let type: String? }

    /// - Parameter path: `-` for standard input. Input that cannot be read twice is copied into an unnamed file.
    /// - Throws: ``CommandError`` if it cannot be read.
    init(_ path: String) throws(CommandError) {
        name = path == "-" ? localized("standard input") : path
        let opened = path == "-" ? dup(STDIN_FILENO) : try InputFile.open(path)
        // −1: nothing to close.
        guard opened >= 0 else { throw Self.failure(name) }
        do throws(CommandError) {
            descriptor = try Self.isFile(opened) ? opened : Self.copy(opened, name)
        } catch {
            close(opened)
            throw error
        }
        if descriptor != opened { close(opened) }
        var beginning = [UInt8](repeating: 0, count: 4_096)
        let count = pread(descriptor, &beginning, beginning.count, 0)
        let line = beginning.prefix(max(0, count)).prefix { $0 != 0x0A }
        isExport = (try? JSONDecoder().decode(Head.self, from: Data(line)))?.type == "export"
        lseek(descriptor, 0, SEEK_SET)
    }

    deinit { close(descriptor) }

    /// Returns to the beginning.
    func rewind() throws(CommandError) {
        // −1 if it is not a file, which cannot happen here.
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw Self.failure(name) }
    }

    /// Returns a duplicate of the descriptor.
    func file() throws -> UnixDescriptor { try UnixDescriptor(duplicating: descriptor) }

    private static func isFile(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Copies the source to its end into an unnamed file.
    private static func copy(_ source: Int32, _ name: String) throws(CommandError) -> Int32 {
        // The first folder is in memory and accessible to the user only.
        let folders = [getenv("XDG_RUNTIME_DIR").map { String(cString: $0) }, "/tmp"].compactMap { $0 }
        var target: Int32 = -1
        for folder in folders where target < 0 { target = unnamedFile(in: folder) }
        guard target >= 0 else { throw failure(localized("a copy of %1", name)) }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(source, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count == 0 { return target }
            // −1 with errno.
            guard count > 0, Glibc.write(target, buffer, count) == count else {
                defer { close(target) }
                throw failure(count > 0 ? localized("a copy of %1", name) : name)
            }
        }
    }

    /// Returns an unnamed file; −1 on failure.
    private static func unnamedFile(in folder: String) -> Int32 {
        var template = Array("\(folder)/hunch.XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        if descriptor >= 0 { unlink(template) }
        return descriptor
    }

    private static func failure(_ name: String) -> CommandError {
        CommandError(
            localized("“%1” cannot be read: %2", name, String(cString: strerror(errno))), ExitStatus.badInput,
            code: "unreadable")
    }
}
