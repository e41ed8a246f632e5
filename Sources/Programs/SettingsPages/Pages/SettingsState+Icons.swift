internal import AgentInterface
internal import HunchModel

extension SettingsState {
    /// Returns the icon of an app, or of the browser for a web service.
    func icon(of application: AppID) -> Row.Icon {
        let isWeb = routingApps.contains { $0.isWeb && $0.id == application }
        return isWeb ? .symbol("web-browser-symbolic") : .app(application)
    }
}
