import CommandSupport
import HunchModel
import AgentInterface
import Apps
import FoundationEssentials
import Glibc
import History
import HunchDBus
import HunchKit
import Localization

/// The checks of the agent: whether it runs and answers, the problems that it reports, and its history.
extension Diagnosis {
    private static let subject = localized("agent")
    /// The parts that are checked without the agent, too.
    private static let ownChecks: Set = ["notifications", "bluez", "audio", "gazetteer", "coverage"]

    /// Checks the agent, then the problems that it reports.
    func agent(_ bus: Connection) async -> [Finding] {
        do {
            guard let owner = try await bus.owner(of: HunchNames.agent) else { return [await absence(bus)] }
            do {
                let status: VariantMap = try await bus.call(
                    HunchNames.agent, HunchNames.root, HunchNames.agentInterface, "Status",
                    timeout: HunchAgent.answerTime)
                return findings(in: try AgentStatus(transfer: status), owner)
            } catch {
                return [await silence(bus, error)]
            }
        } catch {
            return [
                Finding(
                    "agent", Self.subject, .missing, localized("the bus does not answer: %1", Self.message(of: error)))
            ]
        }
    }

    private func absence(_ bus: Connection) async -> Finding {
        (try? await bus.activatableNames().contains(HunchNames.agent)) == true
            ? Finding("agent", Self.subject, .limited, localized("installed, not running"), fix: .enable)
            : Finding(
                "agent", Self.subject, .missing, localized("not installed on this session bus"), remedy: "make install")
    }

    private func silence(_ bus: Connection, _ error: any Error) async -> Finding {
        let process = try? await bus.identity(of: HunchNames.agent).processID
        let message =
            process.map { localized("process %1 does not answer: %2", $0, Self.message(of: error)) }
            ?? localized("it does not answer: %1", Self.message(of: error))
        if await UserManager(bus).isRunning() {
            return Finding("agent", Self.subject, .missing, message, fix: .restartAgent)
        }
        // A stopped process handles no other signal. The bus starts the agent again.
        return Finding("agent", Self.subject, .missing, message, remedy: process.map { "kill -KILL \($0)" })
    }

    private func findings(in status: AgentStatus, _ owner: BusName) -> [Finding] {
        let process = status.processIdentifier
        if let other = Self.foreignProgram(process) {
            // The mark of Linux for a file that was replaced or removed.
            if other.hasSuffix(" (deleted)") {
                return [
                    Finding(
                        "agent", Self.subject, .missing,
                        localized("process %1 is of a version that is no longer installed; end it", process),
                        remedy: "kill \(process)")
                ]
            }
            return [
                Finding(
                    "agent", Self.subject, .missing,
                    localized("another instance is running: process %1, %2, as %3", process, other, owner),
                    remedy: "kill \(process)")
            ]
        }
        return [state(in: status)]
            + status.parts.filter { !Self.ownChecks.contains($0.id) }.map(Finding.init)
            + (status.files == "unsupported" ? [Self.unconfined] : [])
            + (status.problems ?? []).map { Finding("agent-problem", Self.subject, .limited, $0) }
            + (status.holds ?? []).map { Finding("held-back", localized("hold"), .limited, $0.description) }
    }

    private static let unconfined = Finding(
        "files", localized("files"), .limited,
        localized("this kernel has no Landlock (Linux 5.13), so the agent's access to files is not confined"))

    private func state(in status: AgentStatus) -> Finding {
        guard status.isEnabled else {
            return Finding(
                "agent", Self.subject, .limited, localized("running, but off: it records nothing"), fix: .enable)
        }
        if let reason = status.withheld {
            return Finding("agent", Self.subject, .limited, localized("running, but it records nothing: %1", reason))
        }
        if status.isPaused {
            return Finding("agent", Self.subject, .limited, localized("running, but paused"), fix: .unpause)
        }
        return Finding("agent", Self.subject, .ok, localized("running, process %1, and on", status.processIdentifier))
    }

    /// Returns the program of a running agent if it is not the one installed next to this command.
    private static func foreignProgram(_ process: UInt32) -> String? {
        let link = "/proc/\(process)/exe"
        // Compare files, not paths: a file may have several paths.
        guard let running = try? FileManager.default.destinationOfSymbolicLink(atPath: link),
            let file = FileNumber(of: link),
            let own = SiblingProgram(name: "hunchd").path.flatMap(FileNumber.init(of:))
        else { return nil }
        return file == own ? nil : running
    }

    /// Checks the history on disk, and earlier ones that were set aside.
    func history() -> [Finding] {
        let subject = localized("history")
        do {
            let path = try HistoryStore.defaultPath(environment: environment)
            let aside = HistoryStore.setAsideFiles(besides: path)
            let damaged = aside.first.map { first in
                Finding(
                    "history-set-aside", subject, .limited,
                    localized("a damaged history was set aside as %1; a fresh one is in use since", first),
                    remedy: "rm \(aside.map { ShellWord($0).description }.joined(separator: " "))")
            }
            guard let store = try HistoryStore.openReadOnly(at: path) else {
                return [Finding("history", subject, .off, localized("nothing is recorded yet"))]
                    + [damaged].compactMap { $0 }
            }
            let counts = try store.counts()
            try store.close()
            return [
                counts.donations + counts.engagements == 0
                    ? Finding("history", subject, .off, localized("nothing is recorded yet"))
                    : Finding(
                        "history", subject, .ok,
                        localized(
                            "%1 and %2 recorded",
                            localizedPlural("%1 action", "%1 actions", Int(clamping: counts.donations)),
                            localizedPlural("%1 suggestion", "%1 suggestions", Int(clamping: counts.suggestions))))
            ]
                + [damaged].compactMap { $0 }
        } catch {
            return [Finding("history", subject, .missing, error.message)]
        }
    }
}
