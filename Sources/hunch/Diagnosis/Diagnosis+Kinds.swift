internal import Apps
import AgentInterface
import Directions
import HunchDBus
import HunchModel

extension Diagnosis {
    /// Checks the kinds of actions that apps declare in their desktop entries. Kinds with faults are not recorded.
    func kinds() -> [Finding] {
        let (check, subject) = ("kinds", "kinds of actions")
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
                        Finding(check, subject, .limited, "\(file): \(error.message); until then it is refused"))
                }
            }
        }
        let sound = Finding(check, subject, .ok, "\(count) declared in desktop entries")
        return (count > 0 ? [sound] : []) + broken
    }
}
