public import HunchModel
internal import Synchronization

/// Which regions hold a place: prepared geometry of every region and an STR tree over them.
///
/// A point on a boundary is inside. The meridians 180° east and west are one; at a pole every longitude is.
///
/// All geometry and its GEOS context lie behind one lock, because GEOS fills indexes while it answers. So an index may be
/// used from any thread; a batch takes the lock once. The edges of a region are indexed at the first query within its
/// bounds, which takes some 0.1 ms for 1,000 positions.
public final class RegionIndex: Sendable {
    /// The regions, ordered by identifier.
    public let regions: [Region]
    /// The faults, in the order in which they were found. Everything else was loaded.
    public let problems: [RegionError]
    /// Positions in `regions` of those that are everywhere, in ascending order.
    private let everywhere: [Int]
    private let geometry: Mutex<RegionGeometry>

    /// Loads the coverage files of folders. Folders that do not exist are passed over.
    ///
    /// - Parameters:
    ///   - folders: most important first; a feature replaces those of the same identifier in later folders.
    ///   - makingValid: whether invalid geometry is repaired instead of refused.
    ///   - former: what was loaded before. Where a file that was sound then is broken now, or one of its features is, what
    ///     it said before is kept, and the problem says so.
    /// - Throws: ``RegionError`` (`operationFailed`) when GEOS cannot be started. Faults of files are in ``problems``.
    public convenience init(
        folders: [CoverageFolder], makingValid: Bool = false, keeping former: RegionIndex? = nil
    ) throws(RegionError) {
        var loader = try RegionLoader(makesValid: makingValid, former: former)
        for folder in folders where folder.exists {
            do throws(RegionError) {
                loader.load(files: try folder.files())
            } catch {
                loader.problems.append(error)
            }
        }
        try self.init(loader)
    }

    /// Loads coverage files, the features of which must have different identifiers.
    ///
    /// - Parameters:
    ///   - files: paths.
    ///   - makingValid: whether invalid geometry is repaired instead of refused.
    /// - Throws: ``RegionError`` (`operationFailed`) when GEOS cannot be started. Faults of files are in ``problems``.
    public convenience init(files: [String], makingValid: Bool = false) throws(RegionError) {
        var loader = try RegionLoader(makesValid: makingValid)
        loader.load(files: files)
        try self.init(loader)
    }

    /// Loads one coverage file that is in memory.
    ///
    /// - Parameters:
    ///   - document: its text.
    ///   - name: what problems call it.
    /// - Throws: ``RegionError`` (`operationFailed`) when GEOS cannot be started. Faults of the document are in ``problems``.
    public convenience init(document: String, name: String) throws(RegionError) {
        var loader = try RegionLoader(makesValid: false)
        loader.load(document: document, name: name)
        try self.init(loader)
    }

    private init(_ loader: consuming sending RegionLoader) throws(RegionError) {
        problems = loader.problems
        let regions = loader.sortedRegions()
        self.regions = regions
        geometry = Mutex(try RegionLoader.geometry(of: loader))
        everywhere = regions.indices.filter { regions[$0].isEverywhere }
    }

    /// Identifiers of the regions that hold a place, in ascending order.
    public func regions(containing place: Coordinate) -> [Region.ID] { regions(containing: [place])[0] }

    /// For each place the identifiers of the regions that hold it, in ascending order.
    public func regions(containing places: [Coordinate]) -> [[Region.ID]] {
        positions(containing: places).map { $0.map { regions[$0].id } }
    }

    /// For each place the positions in ``regions`` of those that hold it, in ascending order.
    public func positions(containing places: [Coordinate]) -> [[Int]] {
        geometry.withLock { geometry in
            let found = geometry.regions(containing: places)
            return everywhere.isEmpty ? found : found.map { ($0 + everywhere).sorted() }
        }
    }

    /// The rings of a region, each closed, within ±180° of longitude: what lies within an odd number of them is inside. Empty
    /// for a region that is everywhere or not in this index.
    public func rings(of region: Region.ID) -> [[Coordinate]] {
        guard let position = regions.firstIndex(where: { $0.id == region }) else { return [] }
        return geometry.withLock { $0.rings(at: position) }
    }

    /// The regions that came from a file, with their geometry in Well-Known Binary; `nil` in its place where one is
    /// everywhere.
    func copies(ofFile file: String) -> [(region: Region, geometry: [UInt8]?)] {
        let found = regions.indices.filter { regions[$0].file == file }
        guard !found.isEmpty else { return [] }
        return geometry.withLock { geometry in
            found.compactMap { position in
                if regions[position].isEverywhere { return (regions[position], nil) }
                return geometry.binary(at: position).map { (regions[position], $0) }
            }
        }
    }

    /// The area of a region in km² on the sphere; `nil` for one that is everywhere or not in this index.
    public func area(of region: Region.ID) -> Double? {
        guard let position = regions.firstIndex(where: { $0.id == region }) else { return nil }
        return geometry.withLock { $0.area(at: position) }
    }
}
