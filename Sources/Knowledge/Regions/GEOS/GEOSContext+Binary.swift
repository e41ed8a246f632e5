internal import CGEOS

/// Conversion to and from Well-Known Binary, to copy a geometry from one context to another.
extension GEOSContext {
    /// Returns a borrowed geometry as bytes, or `nil` if GEOS cannot write it.
    func binary(ofLent geometry: OpaquePointer) -> [UInt8]? {
        // NULL: exception.
        guard let writer = GEOSWKBWriter_create_r(handle) else { return nil }
        defer { GEOSWKBWriter_destroy_r(handle, writer) }
        var count = 0
        // NULL: exception. We must free the bytes. The geometry stays with its owner.
        guard let bytes = GEOSWKBWriter_write_r(handle, writer, geometry, &count) else { return nil }
        defer { GEOSFree_r(handle, bytes) }
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    func shape(fromBinary bytes: [UInt8]) throws(RegionError) -> GEOSShape {
        // NULL: exception.
        guard let reader = GEOSWKBReader_create_r(handle) else { throw failure("copy a region") }
        defer { GEOSWKBReader_destroy_r(handle, reader) }
        return try owned(GEOSWKBReader_read_r(handle, reader, bytes, bytes.count), "copy a region")
    }
}
