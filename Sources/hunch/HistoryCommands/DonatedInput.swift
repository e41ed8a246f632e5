import FoundationEssentials
import Glibc
import HunchDBus
internal import HunchModel

/// What `hunch donate` reads, and whether it is a whole export. Owns the file, if it is one.
final class DonatedInput {
    /// Where to read from, from the beginning.
    let descriptor: Int32
    /// What errors call it.
    let name: String
    /// Whether it begins as an export does.
    let isExport: Bool

    private struct Head: Decodable { let type: String? }

    /// - Parameter path: `-` for standard input. What cannot be read twice is copied into a file without a name.
    /// - Throws: ``CommandError`` when it cannot be read.
    init(_ path: String) throws(CommandError) {
        name = path == "-" ? "standard input" : path
        let opened = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
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

    /// Reads from the beginning again.
    func rewind() throws(CommandError) {
        // −1 for what is no file, which it never is.
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw Self.failure(name) }
    }

    /// A descriptor to hand on.
    func file() throws -> UnixDescriptor { try UnixDescriptor(duplicating: descriptor) }

    private static func isFile(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Copies until the end.
    private static func copy(_ source: Int32, _ name: String) throws(CommandError) -> Int32 {
        // The first is in memory and the person's alone.
        let folders = [getenv("XDG_RUNTIME_DIR").map { String(cString: $0) }, "/tmp"].compactMap { $0 }
        var target: Int32 = -1
        for folder in folders where target < 0 { target = unnamedFile(in: folder) }
        guard target >= 0 else { throw failure("a copy of \(name)") }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(source, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count == 0 { return target }
            // −1 with errno.
            guard count > 0, Glibc.write(target, buffer, count) == count else {
                defer { close(target) }
                throw failure(count > 0 ? "a copy of \(name)" : name)
            }
        }
    }

    /// −1 when none can be made.
    private static func unnamedFile(in folder: String) -> Int32 {
        var template = Array("\(folder)/hunch.XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        if descriptor >= 0 { unlink(template) }
        return descriptor
    }

    private static func failure(_ name: String) -> CommandError {
        CommandError(
            "\(name) cannot be read: \(String(cString: strerror(errno)))", ExitStatus.badInput, code: "unreadable")
    }
}
