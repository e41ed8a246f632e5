internal import DesktopFiles
internal import Apps
import AgentInterface
import Directions
import HunchDBus
import HunchModel
import Localization

extension Diagnosis {
    /// Checks the kinds of actions that apps declare in their desktop entries. Kinds with faults are not recorded.
    func kinds() -> [Finding] {
        let (check, subject) = ("kinds", localized("kinds of actions"))
        let interface = HunchNames.donations.text
        let installed = InstalledApps(environment: environment)
        var count = 0
        var broken: [Finding] = []
        for id in installed.identifiers(mentioning: "[\(interface) Kind ") {
            guard let file = installed.file(of: id), let entry = installed.entry(id) else { continue }
            for (_, declaration) in KindDeclaration.declared(in: entry, interface: interface) {
                switch declaration {
                case .success: count += 1
                case .failure(let error):
                    broken.append(
                        Finding(
                            check, subject, .limited, localized("%1: %2; until then it is refused", file, error.message)
                        ))
                }
            }
        }
        let sound = Finding(check, subject, .ok, localized("%1 declared in desktop entries", count))
        return (count > 0 ? [sound] : []) + broken
    }
}
