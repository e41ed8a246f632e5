import CAdwaita
import FoundationEssentials
import Glibc
import Localization

// The commands are found from here.
let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
Catalogue.open()
MainLoop.attach()
// Desktops find the entry of an X11 window by the name of its program.
g_set_prgname(SettingsApplication.identifier)
do {
    exit(try SettingsApplication(program: program).run())
} catch {
    let message = "hunch-settings: \(error)\n"
    write(STDERR_FILENO, message, message.utf8.count)
    exit(3)
}
