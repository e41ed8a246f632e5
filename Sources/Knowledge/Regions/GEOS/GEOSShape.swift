internal import CGEOS

/// An owned geometry, destroyed once. It must not outlive its context.
struct GEOSShape: ~Copyable {
    private let handle: GEOSContextHandle_t
    /// The geometry, valid for the duration of a call.
    let pointer: OpaquePointer

    init(handle: GEOSContextHandle_t, owning pointer: OpaquePointer) {
        self.handle = handle
        self.pointer = pointer
    }

    deinit { GEOSGeom_destroy_r(handle, pointer) }

    /// Returns the geometry for a call that takes ownership.
    consuming func release() -> OpaquePointer {
        let pointer = self.pointer
        discard self
        return pointer
    }
}

/// Owned geometries, destroyed once, and a reference to their context.
struct GEOSShapes: ~Copyable {
    private let context: GEOSContext
    private(set) var pointers: [OpaquePointer] = []

    init(context: GEOSContext) { self.context = context }

    deinit { for pointer in pointers { GEOSGeom_destroy_r(context.handle, pointer) } }

    mutating func append(_ shape: consuming GEOSShape) { pointers.append(shape.release()) }

    mutating func append(contentsOf others: consuming GEOSShapes) { pointers += others.releaseAll().compactMap { $0 } }

    /// Returns the geometries for a call that takes ownership.
    mutating func releaseAll() -> [OpaquePointer?] {
        defer { pointers = [] }
        return pointers
    }
}
