internal import CGEOS

/// One reentrant GEOS context and the message of its last failure.
///
/// GEOS wants one context per thread at a time, so this class is deliberately not `Sendable`: whoever owns it, and all
/// shapes made with it, is one isolation domain.
final class GEOSContext {
    let handle: GEOSContextHandle_t
    fileprivate var lastMessage = ""

    /// - Throws: ``RegionError`` when memory for a context cannot be had.
    init() throws(RegionError) {
        // NULL: out of memory.
        guard let handle = GEOS_init_r() else {
            throw RegionError(.operationFailed, "GEOS could not be started")
        }
        self.handle = handle
        // The context keeps a plain pointer to this object, which ends the context before it goes itself.
        _ = GEOSContext_setErrorMessageHandler_r(
            handle,
            { message, context in
                guard let message, let context else { return }
                Unmanaged<GEOSContext>.fromOpaque(context).takeUnretainedValue().lastMessage = String(cString: message)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit { GEOS_finish_r(handle) }

    /// The error for an operation that just failed.
    func failure(_ operation: String) -> RegionError {
        let message = lastMessage.isEmpty ? "no reason given" : lastMessage
        lastMessage = ""
        return RegionError(.operationFailed, "GEOS failed to \(operation): \(message)")
    }

    /// Takes the result of an operation that makes a geometry. NULL is GEOS's sentinel for an exception.
    func owned(_ pointer: OpaquePointer?, _ operation: String) throws(RegionError) -> GEOSShape {
        guard let pointer else { throw failure(operation) }
        return GEOSShape(handle: handle, owning: pointer)
    }
}
