import AgentInterface
import Browsers
import EventLoops
import FoundationEssentials
import Glibc
import HunchDBus
import HunchKit
import Localization

/// `hunch-browser`: the native messaging host of the browser extension.
@main
enum HunchBrowser {
    private static let program = ServiceProgram(
        name: "hunch-browser",
        usage: """
            usage: hunch-browser

            Passes on to Hunch what the page in front of a browser is about. The browser starts it for Hunch's extension, and
            talks to it over standard input and output; see “hunch browser”.

              --help     show this
              --version  show the version
            """)

    /// Serves the browser until it closes standard input.
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        // Browsers name themselves: Chromium the extension, Firefox the manifest and the extension.
        if arguments.first?.hasPrefix("-") == true, let code = program.answer(arguments) { exit(code) }
        signal(SIGPIPE, SIG_IGN)
        Catalogue.open()
        do {
            let loop = try EventLoop()
            let input = try WorkerThread(name: "input")
            try loop.run { try await serve(on: loop, input) }
        } catch {
            program.complain((error as? DBusError)?.message ?? "\(error)")
            exit(3)
        }
    }

    private static func serve(on loop: EventLoop, _ input: WorkerThread) async throws {
        let agent = try await HunchAgent(on: loop)
        let host = try await BrowserHost(agent: agent) { program.complain($0) }
        while let bytes = try await input.run({ try NativeMessaging.read(from: STDIN_FILENO) }) {
            let request: BrowserRequest
            do { request = try BrowserRequest(json: bytes) } catch {
                program.complain("the extension sent a message that is not understood; update the extension or Hunch")
                guard let id = BrowserRequest.id(of: bytes) else { continue }
                let problem = localized("Hunch does not understand this extension; update the extension or Hunch")
                try NativeMessaging.write(BrowserAnswer(id: id, problem: problem).json, to: STDOUT_FILENO)
                continue
            }
            try NativeMessaging.write(await host.answer(request).json, to: STDOUT_FILENO)
        }
        await agent.connection.close()
    }
}
