import ArgumentParser
import CommandSupport

/// `hunch-dev manual`: writes its manual page for `make install`.
struct ManualCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manual", abstract: "Write the manual page hunch-dev(1).", shouldDisplay: false)

    func run() throws {
        let page = try ManualPage(
            of: HunchDev.self,
            description: """
                Checks apps that offer content to Hunch, measures how well actions are predicted, and draws the coverage of
                routing apps.
                """,
            appendix: """
                .SH SEE ALSO
                .BR hunch (1)

                """)
        try Output.write(page.text, to: 1)
    }
}
