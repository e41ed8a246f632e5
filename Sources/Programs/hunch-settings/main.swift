import AgentInterface
import CAdwaita
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
var arguments = Array(CommandLine.arguments.dropFirst())
// The bus starts the program with it, to open the window with a search.
let isService = arguments == ["--gapplication-service"]
if isService { arguments = [] }
if let code = service.answer(arguments) { exit(code) }
Catalogue.open()
MainLoop.attach()
// Desktops find the entry of an X11 window by the name of its program.
g_set_prgname(SettingsApplication.identifier)
do {
    exit(try SettingsApplication(isService: isService).run())
} catch {
    service.complain("\(error)")
    exit(3)
}
