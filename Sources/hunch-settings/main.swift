import AgentInterface
import CAdwaita
import FoundationEssentials
import Glibc
import Localization

let service = ServiceProgram(
    name: "hunch-settings",
    usage: """
        usage: hunch-settings

        The window of Hunch. “hunch settings” and the app grid open it. It needs a display of Wayland or X11.

          --help     show this
          --version  show the version
        """)
if let code = service.answer(Array(CommandLine.arguments.dropFirst())) { exit(code) }
// The commands are found from here.
let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
Catalogue.open()
MainLoop.attach()
// Desktops find the entry of an X11 window by the name of its program.
g_set_prgname(SettingsApplication.identifier)
do {
    exit(try SettingsApplication(program: program).run())
} catch {
    service.complain("\(error)")
    exit(3)
}
