import CommandSupport
import Files
import Glibc

/// A file that is written next to its destination and renamed when it is complete, so that the previous file stays
/// until then. Pipes and devices are written directly, and links are followed.
final class PartialFile {
    private let path: String
    /// The partial file; `nil` if the destination is written directly.
    private let replacement: ReplacementFile?
    /// The pipe or device that is written directly; -1 for none.
    private let direct: Int32
    private var pending = ""
    private static let block = 65_536

    /// Creates the file next to its destination.
    ///
    /// - Throws: ``CommandError`` if that fails.
    init(path: String) throws(CommandError) {
        var status = stat()
        // −1: there is no file yet.
        if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            (self.path, replacement) = (path, nil)
            // −1 on failure, with errno.
            direct = open(path, O_WRONLY | O_CLOEXEC)
            guard direct >= 0 else { throw Self.failure(path, SystemError()) }
        } else {
            let target = ReplacementFile.resolved(path)
            (self.path, direct) = (target, -1)
            do throws(SystemError) {
                // A unique name: two commands may write to one destination.
                replacement = try ReplacementFile(of: target, at: "\(target).\(getpid()).partial", mode: 0o644)
            } catch {
                throw Self.failure(path, error)
            }
        }
    }

    deinit { if direct >= 0 { close(direct) } }

    /// Appends a line.
    func line(_ text: String) throws(CommandError) {
        pending += text + "\n"
        if pending.utf8.count >= Self.block { try flush() }
    }

    /// Moves the file to its destination. Nothing can be appended afterwards.
    func finish() throws(CommandError) {
        try flush()
        do throws(SystemError) { try replacement?.finish() } catch { throw Self.failure(path, error) }
    }

    private func flush() throws(CommandError) {
        let bytes = Array(pending.utf8)
        pending = ""
        do throws(SystemError) {
            if let replacement { try replacement.write(bytes) } else { try writeAll(bytes, to: direct) }
        } catch {
            throw Self.failure(path, error)
        }
    }

    private static func failure(_ path: String, _ error: SystemError) -> CommandError {
        CommandError("“\(path)” cannot be written: \(error)", ExitStatus.systemFailure)
    }
}
