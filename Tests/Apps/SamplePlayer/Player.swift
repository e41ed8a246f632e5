import FoundationEssentials
import HunchDBus
import HunchKit
import HunchModel

/// The player: its playback, and its two roles for Hunch.
///
/// It never plays by itself. Prepared is an item that is open and stands where it was left, with the output claimed and
/// silent; to other programs the player is stopped then.
actor Player {
    /// The errors for people.
    struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    /// The open item of the pipeline.
    struct Track {
        let id: ContentItem.ID
        var info: NowPlayingInfo
    }

    enum State {
        case empty
        case prepared(Track)
        case playing(Track)
        case paused(Track)

        var track: Track? {
            switch self {
            case .empty: nil
            case .prepared(let track), .playing(let track), .paused(let track): track
            }
        }
    }

    private let loop: EventLoop
    private let folder: MusicFolder
    private var bookmarks: Bookmarks
    private let pipeline: Pipeline
    private(set) var state = State.empty
    /// The item that is being opened, for all waiting tasks.
    private var opening: (id: ContentItem.ID, task: Task<NowPlayingInfo, any Error>)?
    /// The tasks that wait for the pipeline to settle.
    private var waiting: CheckedContinuation<Void, any Error>?
    private var told: (title: String?, artist: String?) = (nil, nil)
    /// The observer of changes.
    private var changed: @Sendable () async -> Void = {}

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(folder: MusicFolder, bookmarks: Bookmarks, on loop: EventLoop) async throws {
        self.loop = loop
        self.folder = folder
        self.bookmarks = bookmarks
        pipeline = try Pipeline()
        _ = loop.watch(pipeline.descriptor, for: .readable) { [weak self] _ in
            self?.assumeIsolated { $0.readEvents() }
        }
    }

    func onChange(_ changed: @escaping @Sendable () async -> Void) { self.changed = changed }

    /// Microseconds from the start of what plays or stands still.
    var position: Int64 { pipeline.position ?? 0 }

    // MARK: Playing

    /// Opens an item where it was left, silent.
    func prepare(_ id: ContentItem.ID) async throws -> NowPlayingInfo {
        if case .playing = state { throw Refusal(description: "something plays") }
        guard let item = folder.item(id, progress: bookmarks.progress), item.isPlayable else {
            throw Refusal(description: "there is no such file in the folder")
        }
        if let track = state.track, track.id == item.id { return present(track).info }
        if let opening, opening.id == item.id { return try await opening.task.value }
        let task = Task(executorPreference: loop) { [self] in try await open(item) }
        opening = (item.id, task)
        defer { if opening?.task == task { opening = nil } }
        return try await task.value
    }

    private func open(_ item: ContentItem) async throws -> NowPlayingInfo {
        leave()
        told = (nil, nil)
        try await settle { $0.open(item.id) }
        if let mark = bookmarks.mark(item.id), mark.position < mark.length ?? .max {
            try await settle { pipeline in
                guard pipeline.seek(to: mark.position) else { throw Refusal(description: "the file has no positions") }
            }
        }
        let info = NowPlayingInfo(
            title: told.title ?? item.title, artists: [told.artist ?? item.subtitle].compactMap { $0 },
            contentURL: item.id, length: pipeline.length, position: pipeline.position, item: item.id)
        state = .prepared(Track(id: item.id, info: info))
        return info
    }

    /// Plays an item from where it was left.
    func play(_ id: ContentItem.ID) async throws {
        // Playback continues if the requested item does not exist.
        guard contentItem(id)?.isPlayable == true else {
            throw Refusal(description: "there is no such file in the folder")
        }
        if case .playing(let track) = state {
            if track.id == id { return }
            try await pause()
        }
        _ = try await prepare(id)
        try await play()
    }

    /// Plays what is open.
    func play() async throws {
        guard let track = state.track else { throw Refusal(description: "nothing is open") }
        pipeline.play()
        state = .playing(track)
        await changed()
    }

    func pause() async throws {
        guard case .playing(let track) = state else { return }
        pipeline.pause()
        try keep(track)
        state = .paused(present(track))
        await changed()
    }

    func stop() async throws {
        guard let track = state.track else { return }
        if case .prepared = state {} else { try keep(track) }
        leave()
        await changed()
    }

    private func leave() {
        pipeline.close()
        state = .empty
    }

    private func keep(_ track: Track) throws {
        guard let position = pipeline.position else { return }
        try bookmarks.set(Bookmarks.Mark(position: position, length: pipeline.length), of: track.id)
    }

    private func present(_ track: Track) -> Track {
        var track = track
        track.info.position = pipeline.position ?? track.info.position
        return track
    }

    // MARK: Events of the pipeline

    /// Asks the pipeline for something, and waits until it is so.
    private func settle(_ ask: (Pipeline) throws -> Void) async throws {
        waiting?.resume(throwing: Refusal(description: "something else is wanted now"))
        waiting = nil
        try ask(pipeline)
        try await withCheckedThrowingContinuation { waiting = $0 }
    }

    private func readEvents() {
        while let event = pipeline.nextEvent() {
            switch event {
            case .settled:
                waiting?.resume()
                waiting = nil
            case .tags(let title, let artist): told = (title ?? told.title, artist ?? told.artist)
            case .ended: Task(executorPreference: loop) { [self] in try await end() }
            case .failed(let reason):
                waiting?.resume(throwing: Refusal(description: reason))
                waiting = nil
                leave()
                Task(executorPreference: loop) { [self] in await changed() }
            }
        }
    }

    private func end() async throws {
        guard let track = state.track else { return }
        let length = pipeline.length ?? 0
        try bookmarks.set(Bookmarks.Mark(position: length, length: length), of: track.id)
        leave()
        await changed()
    }
}

extension Player: PlayableContentDataSource {
    func childItems(of parent: ContentItem.ID?, offset: Int, limit: Int) -> [ContentItem] {
        Array(folder.children(of: parent, progress: bookmarks.progress).dropFirst(offset).prefix(limit))
    }

    func contentItem(_ identifier: ContentItem.ID) -> ContentItem? {
        folder.item(identifier, progress: bookmarks.progress)
    }

    var nowPlayingIdentifiers: [ContentItem.ID] {
        guard case .playing(let track) = state else { return [] }
        return [track.id]
    }
}

extension Player: PlayableContentDelegate {
    func initializePlaybackQueue(_ items: [ContentItem.ID], context: PlaybackContext) async throws -> NowPlayingInfo {
        // Hunch finds out which item was started.
        guard let item = items.first else { throw NothingChosen() }
        return try await prepare(item)
    }

    func initiatePlayback(of item: ContentItem.ID, context: PlaybackContext) async throws { try await play(item) }
}
