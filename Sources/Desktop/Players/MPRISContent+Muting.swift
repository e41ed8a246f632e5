internal import EventLoops
internal import HunchDBus
internal import HunchModel

/// A player at volume 0 until it has jumped to the right position.
struct MutedPlayer: Sendable {
    /// The highest volume that counts as 0. Some players round.
    fileprivate static let inaudible = 0.001

    fileprivate let commands: PlayerCommands
    fileprivate let loop: EventLoop
    fileprivate let volume: Double

    /// Restores the volume, unless somebody changed it meanwhile. Has no effect the second time.
    ///
    /// Also completes in a cancelled task, so that no player stays silent.
    func restore() async {
        await Task(executorPreference: loop) { [commands, volume] in
            do {
                guard try await commands.volume() <= Self.inaudible else { return }
            } catch let error as MediaError where error.code == .noReply {
                // A busy player handles this after the request that muted it.
            } catch {
                // A player that is gone has no volume to restore.
                return
            }
            try? await commands.set(volume: volume)
        }.value
    }
}

extension MPRISContent {
    /// Runs `body` while a player is at volume 0, and restores the volume on every path.
    ///
    /// - Parameters:
    ///   - isNeeded: whether to mute the player.
    ///   - body: gets the muted player, to restore its volume earlier; `nil` if it is not muted. A player without a
    ///     volume of its own, or at volume 0, is not.
    func muting<Result>(
        _ player: MPRISPlayer, if isNeeded: Bool, _ body: (MutedPlayer?) async throws -> Result
    ) async throws -> Result {
        guard isNeeded, let muted = try await mute(player) else { return try await body(nil) }
        do {
            let result = try await body(muted)
            await muted.restore()
            return result
        } catch {
            await muted.restore()
            throw error
        }
    }

    private func mute(_ player: MPRISPlayer) async throws -> MutedPlayer? {
        let commands = commands(for: player)
        guard let volume = try? await commands.volume(), volume > MutedPlayer.inaudible else { return nil }
        let muted = MutedPlayer(commands: commands, loop: players.bus.loop, volume: volume)
        do {
            try await commands.set(volume: 0)
        } catch {
            // It may have been set, although the answer did not arrive.
            await muted.restore()
            try Task.checkCancellation()
            return nil
        }
        return muted
    }
}
