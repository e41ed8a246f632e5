import CGStreamer
import HunchDBus

/// Something that GStreamer cannot do.
struct PipelineError: Error, CustomStringConvertible {
    let description: String
}

/// GStreamer's `playbin` for sound: opens one address at a time, paused, and plays it.
///
/// Confined to one thread; GStreamer's own threads post to a bus, whose descriptor is readable while a message waits.
final class Pipeline {
    /// The metadata.
    enum Event {
        /// The request is complete: the item is open, or the position changed.
        case settled
        /// A title or an artist was found.
        case tags(title: String?, artist: String?)
        /// The end was reached.
        case ended
        /// It cannot go on.
        case failed(String)
    }

    private let playbin: OpaquePointer
    private let bus: OpaquePointer

    /// Readable while ``nextEvent()`` has an event to return.
    let descriptor: Int32

    /// Makes a pipeline that plays through the default output of the audio server.
    ///
    /// - Throws: ``PipelineError`` if a plugin of GStreamer is missing.
    init() throws {
        gst_init(nil, nil)
        var error: UnsafeMutablePointer<GError>?
        defer { g_clear_error(&error) }
        // Sound alone: no window, no subtitles. NULL with an error when there is no such plugin; or something with one, which
        // is of no use then. The reference is ours.
        let made = gst_parse_launch("playbin flags=audio+soft-volume audio-sink=pulsesink", &error)
        guard let made, error == nil else {
            if let made { gst_object_unref(UnsafeMutableRawPointer(made)) }
            let reason = error.map { String(cString: $0.pointee.message) } ?? "it does not say why"
            throw PipelineError(
                description: "GStreamer cannot play: \(reason); install gstreamer1.0-plugins-base and -good")
        }
        playbin = made
        // Never NULL for a pipeline; the reference is ours.
        bus = gst_element_get_bus(made)
        var poll = GPollFD()
        gst_bus_get_pollfd(bus, &poll)
        descriptor = poll.fd
    }

    deinit {
        set(GST_STATE_NULL)
        gst_object_unref(UnsafeMutableRawPointer(bus))
        gst_object_unref(UnsafeMutableRawPointer(playbin))
    }

    /// Opens an address, paused: the output is claimed and nothing sounds. ``Event/settled`` follows, or
    /// ``Event/failed(_:)``.
    func open(_ uri: String) {
        // Waiting events are about the previous address. After a fault nothing but this makes it usable again.
        set(GST_STATE_NULL)
        while nextEvent() != nil {}
        gst_util_set_object_arg(playbin, "uri", uri)
        set(GST_STATE_PAUSED)
    }

    /// Plays what is open. ``Event/settled`` may follow.
    func play() { set(GST_STATE_PLAYING) }

    func pause() { set(GST_STATE_PAUSED) }

    /// Lets go of the output.
    func close() { set(GST_STATE_NULL) }

    /// Goes to a position in microseconds; ``Event/settled`` follows. Returns whether that is possible.
    func seek(to position: Int64) -> Bool {
        let flags = Int32(GST_SEEK_FLAG_FLUSH | GST_SEEK_FLAG_ACCURATE)
        return gst_element_seek_simple(playbin, Int32(GST_FORMAT_TIME), flags, max(0, position) * 1_000) != 0
    }

    /// Microseconds from the start; `nil` if nothing is open.
    var position: Int64? { query(gst_element_query_position) }

    /// Microseconds in all; `nil` if unknown.
    var length: Int64? { query(gst_element_query_duration) }

    /// Returns the next message; `nil` if there is none.
    func nextEvent() -> Event? {
        // NULL when nothing waits; the reference is ours.
        while let message = gst_bus_pop(bus) {
            defer { gst_mini_object_unref(message) }
            switch Int(message.pointee.type) {
            case GST_MESSAGE_ASYNC_DONE: return .settled
            case GST_MESSAGE_EOS: return .ended
            case GST_MESSAGE_ERROR: return .failed(Self.fault(message))
            case GST_MESSAGE_TAG:
                let (title, artist) = Self.tags(message)
                if title != nil || artist != nil { return .tags(title: title, artist: artist) }
            default: break
            }
        }
        return nil
    }

    /// A failure comes as ``Event/failed(_:)``, too.
    private func set(_ state: Int) { _ = gst_element_set_state(playbin, Int32(state)) }

    private func query(_ ask: (OpaquePointer?, Int32, UnsafeMutablePointer<Int64>?) -> Int32) -> Int64? {
        var nanoseconds: Int64 = -1
        // FALSE when it is not known.
        guard ask(playbin, Int32(GST_FORMAT_TIME), &nanoseconds) != 0, nanoseconds >= 0 else { return nil }
        return nanoseconds / 1_000
    }

    private static func fault(_ message: UnsafeMutablePointer<GstMessage>) -> String {
        var error: UnsafeMutablePointer<GError>?
        // The copy is ours.
        gst_message_parse_error(message, &error, nil)
        defer { g_clear_error(&error) }
        return error.map { String(cString: $0.pointee.message) } ?? "GStreamer does not say why"
    }

    private static func tags(_ message: UnsafeMutablePointer<GstMessage>) -> (title: String?, artist: String?) {
        var list: OpaquePointer?
        // The list is ours.
        gst_message_parse_tag(message, &list)
        guard let list else { return (nil, nil) }
        defer { gst_mini_object_unref(UnsafeMutableRawPointer(list)) }
        return (text(list, "title"), text(list, "artist"))
    }

    private static func text(_ list: OpaquePointer, _ tag: String) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        // FALSE when there is no such tag; the copy is ours.
        guard gst_tag_list_get_string(list, tag, &text) != 0, let text else { return nil }
        defer { g_free(text) }
        return String(cString: text)
    }
}
