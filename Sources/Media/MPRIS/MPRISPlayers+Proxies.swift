internal import EventLoops
internal import HunchDBus

/// Players that represent others: plasma-browser-integration reports more than the browser's own player.
extension MPRISPlayers {
    /// The browser processes that another player represents.
    var proxiedProcesses: Set<UInt32> { Set(followed.values.compactMap(\.state.proxiedProcess)) }

    func takePlayback(_ properties: VariantMap, of owner: BusName) {
        let former = followed[owner]?.state.proxiedProcess
        followed[owner]?.state.applyPlayer(properties, at: .now)
        let present = followed[owner]?.state.proxiedProcess
        guard former != present else { return }
        lookAtProxied(former)
        lookAtProxied(present)
    }

    /// Reports the changes of a process's players after another player started or stopped representing them.
    func lookAtProxied(_ process: UInt32?) {
        guard let process else { return }
        for (owner, player) in followed where player.process == process { report(owner) }
    }

    /// Reads the process of a browser, once.
    func readProcess(of owner: BusName, _ generation: Int) async {
        guard let player = followed[owner], player.process == nil, player.snapshot(owner, at: .now).isBrowser else {
            return
        }
        let process: UInt32? = try? await bus.call(
            .bus, .bus, .bus, "GetConnectionUnixProcessID", owner.text, timeout: deadlines.reply)
        if isCurrent(owner, generation) { followed[owner]?.process = process ?? 0 }
    }
}
