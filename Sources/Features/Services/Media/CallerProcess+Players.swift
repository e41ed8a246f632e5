internal import Players
internal import Agent
internal import Apps
internal import HunchDBus
internal import HunchModel
internal import Media

extension CallerProcess {
    /// Returns the desktop identifiers that a player of this process may claim, likeliest first.
    ///
    /// In a sandbox it is only its own app, or the player's bus name if that is unknown. Outside sandboxes a player may
    /// name an app in `DesktopEntry` that matches its unit, its program or its bus name.
    func desktopIDs(of player: MPRISPlayer) -> [AppID] {
        if identity.confinement == .sandboxed { return [application ?? AppID(player.name.text)] }
        let named = player.namedDesktopIDs
        let proven = [unitApp].compactMap(\.self) + owners.map(\.application)
        let claimed = [player.desktopEntry].compactMap { $0.map { AppID($0) } }.filter { claim in
            proven.contains(claim) || named.contains { Self.areSame(claim, $0) }
        }
        let agreeing = proven.filter { app in named.contains { Self.areSame(app, $0) } }
        // An app on Chromium's engine has a player named after the engine, which may be installed, too.
        if player.isNamedByEngine, agreeing.isEmpty, let own = onlyOwner ?? unitApp.flatMap({ $0.isBrowser ? $0 : nil })
        {
            return claimed.filter(proven.contains) + [own] + named
        }
        return claimed + agreeing + [onlyOwner].compactMap(\.self) + named
    }

    /// Whether two identifiers mean the same app. Bus names often are only the last part of the identifier.
    private static func areSame(_ left: AppID, _ right: AppID) -> Bool {
        let (left, right) = (left.rawValue.lowercased(), right.rawValue.lowercased())
        return left == right || left.split(separator: ".").last == right.split(separator: ".").last
    }
}
