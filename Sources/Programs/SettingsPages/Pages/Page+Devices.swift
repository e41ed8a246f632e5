internal import AgentInterface
internal import HunchModel
internal import Localization

extension Page {
    /// Returns the page of the audio devices.
    public static func devices(_ state: SettingsState) -> Page {
        if let notice = notice(state.agent) { return Page(.devices, notice: notice) }
        let isOn = state.status?.isEnabled == true
        let isPaused = isOn && state.status?.isPaused == true
        guard isOn || !state.devices.isEmpty else {
            return Page(
                .devices,
                notice: Notice(
                    icon: "audio-headphones-symbolic", title: localized("Hunch is off"),
                    text: localized("It watches no devices before you switch it on."),
                    button: Button(localized("Switch On"), .enable(true), .suggested)))
        }
        guard !state.devices.isEmpty else {
            return Page(
                .devices,
                notice: Notice(
                    icon: "audio-headphones-symbolic", title: localized("No devices yet"),
                    text: localized("Headphones, speakers and cars appear here when they are paired or plugged in.")))
        }
        let (connected, known) = (state.devices.filter(\.isConnected), state.devices.filter { !$0.isConnected })
        return Page(
            .devices,
            [
                connected.isEmpty
                    ? nil
                    : Section("connected", title: localized("Connected"), connected.map { row(for: $0, state) }),
                known.isEmpty
                    ? nil
                    : Section(
                        "known",
                        title: !isOn
                            ? localized("Hunch is off") : isPaused ? localized("Hunch is paused") : localized("Known"),
                        text: !isOn
                            ? localized("It watches no devices before you switch it on.")
                            : isPaused ? localized("It watches no devices until the pause ends.") : "",
                        button: isOn ? nil : Button(localized("Switch On"), .enable(true), .suggested),
                        known.map { row(for: $0, state) }),
            ].compactMap(\.self))
    }

    private static func row(for device: DeviceReport, _ state: SettingsState) -> Row {
        func policy(_ id: String, _ title: String, _ text: String, _ isOn: Bool, _ change: (Bool) -> DevicePolicyChange)
            -> Row
        {
            Row(
                id, title, text,
                [
                    .toggle(
                        isOn, on: .setPolicy(change(true), of: device.id), off: .setPolicy(change(false), of: device.id)
                    )
                ])
        }
        var children = [
            policy(
                "suggest", localized("Suggest something"), localized("When it connects and sound goes to it"),
                device.suggests
            ) { DevicePolicyChange(suggests: $0) },
            policy(
                "resume", localized("Continue playback"),
                localized("Plays what was paused as soon as it connects, without asking"), device.resumes
            ) { DevicePolicyChange(resumes: $0) },
            policy(
                "pause", localized("Pause playback"),
                device.pausedBy.map { localized("When it disconnects. At present %1 does this.", $0) }
                    ?? localized("When it disconnects"), device.pauses
            ) { DevicePolicyChange(pauses: $0) },
        ]
        for pair in state.muted where pair.trigger == .device(device.id) {
            let name = pair.subject?.words ?? state.name(of: pair.application)
            children.append(muted(pair, title: localized("%1 is muted here", name)))
        }
        children.append(
            Row(
                "forget", localized("Forget"),
                localized("Deletes all that was recorded while it was connected, and its settings"),
                [
                    .button(
                        Button(localized("Forget…"), .forgetting(.device(device.id), what: device.name), .destructive))
                ]))
        return Row(
            device.id.rawValue, device.name,
            stateWords(of: device, isWatched: state.status.map { $0.isEnabled && !$0.isPaused } ?? false),
            icon: .symbol(symbol(of: device)), [],
            children: children)
    }

    /// Returns the row of a muted pair, with a button that ends the mute.
    ///
    /// - Parameter title: the title, which says what is muted.
    static func muted(_ pair: SuggestionPair, title: String) -> Row {
        Row(
            "muted-\(pair.subject?.name ?? pair.application.rawValue)-\(pair.kind.rawValue)-\(pair.trigger?.description ?? "")",
            title, localized("Its suggestions come back after 30 days."),
            icon: pair.subject == nil ? .app(pair.application) : .symbol("mark-location-symbolic"),
            [.button(Button(localizedIn("mute", "Undo"), .unmute(pair)))])
    }

    private static func stateWords(of device: DeviceReport, isWatched: Bool) -> String {
        let state =
            if !isWatched {
                localized("Not watched")
            } else if device.isReady {
                localized("In use")
            } else {
                device.hold?.description ?? (device.isConnected ? localized("Connected") : localized("Not connected"))
            }
        return device.suggests ? state : state + " · " + localized("no suggestions")
    }

    private static func symbol(of device: DeviceReport) -> String {
        switch AudioDevice.Kind(rawValue: device.kind) {
        case .headphones, .earbuds: "audio-headphones-symbolic"
        case .headset: "audio-headset-symbolic"
        case .display: "video-display-symbolic"
        case .speaker: "audio-speakers-symbolic"
        case .car: "org.hunch.Hunch-car-symbolic"
        case .hearingAid, .dock, .other, nil:
            device.transport == "bluetooth" ? "bluetooth-symbolic" : "audio-card-symbolic"
        }
    }
}
