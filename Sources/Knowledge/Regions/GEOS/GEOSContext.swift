internal import CGEOS
internal import Localization

/// A reentrant GEOS context and the message of its last failure.
///
/// GEOS allows only one thread at a time to use a context, so this class is deliberately not `Sendable`. Its owner,
/// with all its shapes, is one isolation domain.
final class GEOSContext {
    let handle: GEOSContextHandle_t
    fileprivate var lastMessage = ""

    /// - Throws: ``RegionError`` if there is not enough memory.
    init() throws(RegionError) {
        // NULL: out of memory.
        guard let handle = GEOS_init_r() else {
            throw RegionError(.operationFailed, localized("GEOS could not be started"))
        }
        self.handle = handle
        // The context keeps a plain pointer to this object. `deinit` finishes the context before the object is freed.
        _ = GEOSContext_setErrorMessageHandler_r(
            handle,
            { message, context in
                guard let message, let context else { return }
                Unmanaged<GEOSContext>.fromOpaque(context).takeUnretainedValue().lastMessage = String(cString: message)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit { GEOS_finish_r(handle) }

    /// Returns the error for an operation that just failed. The names of operations are not translated.
    func failure(_ operation: String) -> RegionError {
        let message = lastMessage.isEmpty ? localized("no reason given") : lastMessage
        lastMessage = ""
        return RegionError(.operationFailed, localized("GEOS failed to %1: %2", operation, message))
    }

    /// Takes ownership of a new geometry. GEOS returns NULL for an exception.
    func owned(_ pointer: OpaquePointer?, _ operation: String) throws(RegionError) -> GEOSShape {
        guard let pointer else { throw failure(operation) }
        return GEOSShape(handle: handle, owning: pointer)
    }
}
