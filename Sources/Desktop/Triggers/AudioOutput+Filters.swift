import HunchModel

/// Filters: sinks that software creates, which play on into other sinks.
extension AudioOutput {
    /// The sinks of filters that connect to the output themselves, without a stream that the server lists.
    ///
    /// EasyEffects (`src/tags_pipewire.hpp`), PulseEffects 4 and 5, and JamesDSP (`PwPipelineManager.h`) use nodes of
    /// PipeWire that are not streams. They play into the output that would be the default without them.
    private static let unlistedFilters: Set<String> = [
        "easyeffects_sink", "pulseeffects_sink", "PulseEffects_apps", "jamesdsp_sink",
    ]

    /// Whether software created the sink: a filter in front of another sink, or a sink that plays nothing.
    var isVirtual: Bool {
        if properties["device.master_device"] != nil || properties["node.virtual"] == "true" { return true }
        return ["filter", "monitor"].contains(properties["device.class"] ?? "") || Self.unlistedFilters.contains(name)
    }

    /// Returns whether the default may become another one without a report: it is a filter, or none of the outputs.
    static func mayChangeUnreported(_ outputs: [AudioOutput]) -> Bool {
        let chosen = outputs.filter(\.isDefault)
        return chosen.isEmpty ? !outputs.isEmpty : chosen.contains(where: \.isVirtual)
    }

    /// Returns the sinks with the default one marked. A default filter also marks the sinks into which it plays, through
    /// any number of further filters.
    ///
    /// - Parameter streams: all streams; `nil` if the server does not report them.
    package static func mark(
        default name: String, in outputs: [AudioOutput], streams: [AudioStream]? = nil
    ) -> [AudioOutput] {
        var chain: Set<String> = []
        var pending = [name]
        while let name = pending.popLast() {
            guard chain.insert(name).inserted, let output = outputs.first(where: { $0.name == name }) else { continue }
            pending += output.targets(among: outputs, streams)
        }
        return outputs.map { output in
            var output = output
            output.isDefault = chain.contains(output.name)
            return output
        }
    }

    /// Returns the default sink of marked sinks: the one into which no other marked one plays.
    package static func defaultSink(of outputs: [AudioOutput], streams: [AudioStream]?) -> AudioOutput? {
        let marked = outputs.filter(\.isDefault)
        let passedOn = Set(marked.flatMap { output in output.targets(among: outputs, streams) })
        return marked.first { !passedOn.contains($0.name) } ?? marked.first
    }

    /// Returns the names of the sinks into which this filter plays; none for any other sink.
    ///
    /// A filter's streams come first, since they follow when the filter is moved. PulseAudio does not change
    /// `device.master_device` then. The driver is the hardware that sets the pace of a filter that plays.
    private func targets(among outputs: [AudioOutput], _ streams: [AudioStream]?) -> [String] {
        let groups = groups.union([properties["node.link-group"]].compactMap(\.self))
        let played = (streams ?? []).filter { !$0.groups.isDisjoint(with: groups) && !$0.sink.isEmpty }
        if !played.isEmpty { return played.map(\.sink) }
        if let master = properties["device.master_device"] { return [master] }
        guard isVirtual else { return [] }
        if let driver = properties["node.driver-id"],
            let output = outputs.first(where: { $0.properties["object.id"] == driver && $0.name != name })
        {
            return [output.name]
        }
        let isUnlisted = Self.unlistedFilters.contains(name)
        let isUntold = streams == nil && properties["node.virtual"] == "true" && !isDeadEnd
        return isUnlisted || isUntold ? Self.likeliestOutput(among: outputs).map { [$0.name] } ?? [] : []
    }

    /// Whether the sink plays nothing: a null sink, or the source of a recorder.
    private var isDeadEnd: Bool {
        ["abstract", "monitor"].contains(properties["device.class"] ?? "")
            || properties["factory.name"] == "support.null-audio-sink"
    }

    /// Returns the output to which sound would go without filters: the only one, or the only one that was connected to
    /// the machine; `nil` if that is not clear.
    private static func likeliestOutput(among outputs: [AudioOutput]) -> AudioOutput? {
        let usable = outputs.filter { output in
            !output.isVirtual && (output.ports.isEmpty || output.ports.contains { $0.availability != .no })
        }
        let connected = usable.filter { $0.transport != .other }
        let choices = connected.isEmpty ? usable.filter { !$0.isDeadEnd } : connected
        return choices.count == 1 ? choices.first : nil
    }
}
