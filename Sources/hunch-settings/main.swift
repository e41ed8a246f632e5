import CAdwaita
import FoundationEssentials
import Glibc
import Localization

// The commands, and the catalogues in ../share/locale, are found from here.
let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
let prefix = program.split(separator: "/", omittingEmptySubsequences: false).dropLast(2).joined(separator: "/")
Catalogue.open(in: ProcessInfo.processInfo.environment["TEXTDOMAINDIR"] ?? prefix + "/share/locale")
MainLoop.attach()
do {
    exit(try SettingsApplication(program: program).run())
} catch {
    let message = "hunch-settings: \(error)\n"
    write(STDERR_FILENO, message, message.utf8.count)
    exit(3)
}
