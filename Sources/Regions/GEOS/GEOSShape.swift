internal import CGEOS

/// A geometry that is owned here and destroyed once. It must not outlive its context.
struct GEOSShape: ~Copyable {
    private let handle: GEOSContextHandle_t
    /// Lent for the length of a call.
    let pointer: OpaquePointer

    init(handle: GEOSContextHandle_t, owning pointer: OpaquePointer) {
        self.handle = handle
        self.pointer = pointer
    }

    deinit { GEOSGeom_destroy_r(handle, pointer) }

    /// Gives the geometry away to a call that takes it over.
    consuming func release() -> OpaquePointer {
        let pointer = self.pointer
        discard self
        return pointer
    }
}

/// Geometries that are owned here and destroyed once, with a hold on their context.
struct GEOSShapes: ~Copyable {
    private let context: GEOSContext
    private(set) var pointers: [OpaquePointer] = []

    init(context: GEOSContext) { self.context = context }

    deinit { for pointer in pointers { GEOSGeom_destroy_r(context.handle, pointer) } }

    mutating func append(_ shape: consuming GEOSShape) { pointers.append(shape.release()) }

    mutating func append(contentsOf others: consuming GEOSShapes) { pointers += others.releaseAll().compactMap { $0 } }

    /// Gives the geometries away to a call that takes them over.
    mutating func releaseAll() -> [OpaquePointer?] {
        defer { pointers = [] }
        return pointers
    }
}
