internal import DesktopFiles
internal import Apps
package import HunchModel

extension EnvironmentUser {
    /// Returns the desktop's default app for a type, such as `text/calendar` or `x-scheme-handler/tel`; `nil` if there is
    /// none or the user excluded it.
    package nonisolated func handler(for type: String, excluding excluded: Set<AppID>) async throws -> AppID? {
        let environment = configuration.environment
        let handler = try await installed.read { installed in
            DefaultApps(environment: environment, installed: installed).handler(for: type)
        }
        return handler.flatMap { excluded.contains($0) ? nil : $0 }
    }

    /// Returns the name of an app for people.
    package nonisolated func name(of application: AppID) async throws -> String {
        let locales = DesktopEntry.localeNames(for: configuration.messageLocale)
        return try await installed.read { $0.entry(application)?.name(locales: locales) } ?? application.rawValue
    }
}
