internal import AgentInterface
internal import HunchModel
internal import Localization

extension Page {
    /// Returns the section with the search for content of apps, and what it found.
    static func finding(_ state: SettingsState) -> Section {
        let search = state.finding
        let label = localized("Search in your apps' content")
        var rows: [Row] = []
        if !search.text.isEmpty {
            rows = (search.items ?? []).map { row(for: $0, state) }
            if search.isWaiting {
                let text = localized("The search continues when the index is ready.")
                rows.insert(
                    Row("waiting", localized("The search index is being built…"), text, [.progress(nil)]), at: 0)
            } else if rows.isEmpty {
                rows = [
                    Row(
                        "nothing",
                        search.items == nil ? localized("Searching…") : localized("Nothing matches “%1”", search.text))
                ]
            }
            rows += search.continuing.sorted().map { application in
                Row(
                    "continue-\(application.rawValue)", localized("Search in %1", state.name(of: application)), "",
                    icon: .app(application),
                    [.button(Button(localizedIn("search", "Continue"), .continueSearch(application)))])
            }
        }
        return Section("finding", search: SearchField(search.text, label: label, .find), rows)
    }

    private static func row(for item: FoundItem, _ state: SettingsState) -> Row {
        let summary = item.attributes["description"]?.texts.first ?? item.attributes["authors"]?.texts.first
        let words = item.excerpt.isEmpty ? summary : item.excerpt
        let name = state.name(of: item.application)
        return Row(
            "\(item.application.rawValue)/\(item.index)/\(item.id)", item.title,
            [
                name == item.application.rawValue ? item.ownerName : name, item.date.map { LocalDay($0).words }, words,
            ].compactMap(\.self).joined(separator: " · "),
            icon: .app(item.application), item.isOpenable ? [.button(Button(localized("Open"), .open(item)))] : [])
    }
}
