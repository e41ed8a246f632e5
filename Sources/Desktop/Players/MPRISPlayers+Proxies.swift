internal import EventLoops
internal import HunchDBus
internal import Triggers

/// Players that represent others: plasma-browser-integration reports more than the browser's own player, and an app's own
/// player is more precise than the one of the browser engine inside it.
extension MPRISPlayers {
    func takePlayback(_ properties: VariantMap, of owner: BusName) {
        let former = followed[owner]?.state.proxiedProcess
        followed[owner]?.applyPlayer(properties, at: .now)
        for other in followed.pair(owner) { report(other) }
        let present = followed[owner]?.state.proxiedProcess
        guard former != present else { return }
        lookAtProxied(former)
        lookAtProxied(present)
    }

    /// Reports the changes of a process's players after another player started or stopped representing them.
    func lookAtProxied(_ process: UInt32?) {
        guard let process else { return }
        for (owner, player) in followed where player.processes?.first == process { report(owner) }
    }

    /// Reads the process of a player, once.
    func readProcess(of owner: BusName, _ generation: Int) async {
        guard let player = followed[owner], player.processes == nil else { return }
        let process: UInt32? = try? await bus.call(
            .bus, .bus, .bus, "GetConnectionUnixProcessID", owner.text, timeout: deadlines.reply)
        guard isCurrent(owner, generation) else { return }
        followed[owner]?.processes = process.map { ProcessLineage.of($0) } ?? []
        followed[owner]?.isBridge = process.map(PlayerTraits.isBridge) ?? false
    }
}
