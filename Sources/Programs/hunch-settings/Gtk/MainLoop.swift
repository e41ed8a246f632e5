import CAdwaita
import Dispatch
import Glibc

/// Swift's main actor on GLib's main loop.
enum MainLoop {
    /// Runs the jobs of the main actor in the default main context. Call it once, on the main thread, before the loop runs.
    static func attach() {
        // Without an import of Dispatch the library is not linked.
        _ = DispatchQueue.main
        let callback: GUnixFDSourceFunc = { descriptor, _, _ in
            // An eventfd stays readable until it is read.
            var count: UInt64 = 0
            read(descriptor, &count, MemoryLayout.size(ofValue: count))
            _dispatch_main_queue_callback_4CF(nil)
            return 1
        }
        g_unix_fd_add_full(
            G_PRIORITY_DEFAULT, _dispatch_get_main_queue_handle_4CF(), G_IO_IN, callback, nil, nil)
    }
}
