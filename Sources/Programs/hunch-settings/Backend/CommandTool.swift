import FoundationEssentials
import HunchModel
import Subprocess
import SystemPackage

/// Runs the commands that are installed with this program, for what happens in files and not in the agent.
struct CommandTool: Sendable {
    /// A command that failed, with its message for people.
    struct Failure: Error {
        let message: String
    }

    /// The maximum size of an answer, in bytes.
    private static let outputLimit = 16 << 20

    /// The folder of the commands.
    private let folder = OwnProgram.folder ?? ""

    /// A line that says why a command found nothing.
    private struct Nothing: Decodable {
        struct Reason: Decodable { let code: String }
        let error: Reason
    }

    /// Returns the JSON objects that a command prints, one a line.
    ///
    /// - Returns: an empty list if the command found nothing.
    /// - Throws: ``Failure`` if the command failed.
    func objects<Report: Decodable & Sendable>(
        _ command: String, _ arguments: [String]
    ) async throws -> [Report] {
        let output = try await text(command, arguments)
        let decoder = JSONDecoder()
        return try output.utf8.split(separator: UInt8(ascii: "\n")).map { Data($0) }
            .filter { (try? decoder.decode(Nothing.self, from: $0)) == nil }
            .map { try decoder.decode(Report.self, from: $0) }
    }

    /// Returns what a command prints.
    ///
    /// - Parameter progress: receives the progress 0…1 with a remark.
    /// - Throws: ``Failure``. If the task is cancelled, the command ends.
    @discardableResult
    func text(
        _ command: String, _ arguments: [String], progress: (@Sendable (Double, String) async -> Void)? = nil
    ) async throws -> String {
        var options = PlatformOptions()
        options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: .seconds(5))]
        let result = try await run(
            .path(FilePath("\(folder)/\(command)")), arguments: Arguments(arguments),
            environment: .inherit.updating(["HUNCH_PROGRESS": progress == nil ? nil : "lines"]),
            platformOptions: options, input: .none, output: .sequence, error: .sequence
        ) { execution in
            async let output = Self.collected(execution.standardOutput)
            var errors = ""
            for try await line in execution.standardError.strings() {
                let line = line.split(whereSeparator: \.isNewline).first ?? ""
                if let (fraction, remark) = Self.progress(line) {
                    await progress?(fraction, remark)
                } else if errors.utf8.count < 4_096 {
                    errors += line + "\n"
                }
            }
            return (try await output, errors)
        }
        let (output, errors) = result.closureResult
        switch result.terminationStatus {
        case .exited(0), .exited(1): return output
        default: throw Failure(message: Self.message(errors, command))
        }
    }

    private static func collected(_ sequence: SubprocessOutputSequence) async throws -> String {
        var bytes: [UInt8] = []
        for try await buffer in sequence {
            buffer.withUnsafeBytes { bytes.append(contentsOf: $0) }
            guard bytes.count <= outputLimit else { throw Failure(message: "the answer is larger than 16 MiB") }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads a line of progress, `progress PERCENT REMARK`.
    private static func progress(_ line: some StringProtocol) -> (Double, String)? {
        let words = line.split(separator: " ", maxSplits: 2)
        guard words.first == "progress", words.count > 1, let percent = Double(words[1]) else { return nil }
        return (percent / 100, words.count > 2 ? String(words[2]) : "")
    }

    /// Returns the message of an error without the name of the command.
    private static func message(_ errors: String, _ command: String) -> String {
        let first = errors.split(separator: "\n").first.map(String.init) ?? ""
        let prefixes = ["Error: ", "hunch: ", "\(command): "]
        let message = prefixes.reduce(first) { $0.hasPrefix($1) ? String($0.dropFirst($1.count)) : $0 }
        return message.isEmpty ? "\(command) failed" : message
    }
}
