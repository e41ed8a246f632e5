public import HunchModel
internal import Synchronization

/// An index that finds the regions of a coordinate. It has the prepared geometry of every region and an STR tree.
///
/// A point on a boundary is inside. The meridians 180° east and west are the same, as are all longitudes at a pole.
///
/// A lock protects all geometry and its GEOS context, because GEOS fills indexes during queries. So any thread may use
/// the index, and a batch takes the lock once. The edges of a region are indexed at the first query within its bounds,
/// which takes about 0.1 ms for 1,000 positions.
public final class RegionIndex: Sendable {
    /// The regions, ordered by identifier.
    public let regions: [Region]
    /// The faults, in the order in which they were found. All other features were loaded.
    public let problems: [RegionError]
    /// Positions in `regions` of regions that are the whole earth, in ascending order.
    private let everywhere: [Int]
    private let geometry: Mutex<RegionGeometry>

    /// Loads the coverage files of folders. Folders that do not exist are skipped.
    ///
    /// - Parameters:
    ///   - folders: most important first. A feature replaces those with the same identifier in later folders.
    ///   - makingValid: whether invalid geometry is repaired instead of refused.
    ///   - former: the previous index. Its version of a file or feature is kept if the new version is broken. The
    ///     problem says so.
    /// - Throws: ``RegionError`` (`operationFailed`) if GEOS cannot be started. Faults of files are in ``problems``.
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

    /// Loads coverage files whose features must have different identifiers.
    ///
    /// - Parameters:
    ///   - files: paths of the files.
    ///   - makingValid: whether invalid geometry is repaired instead of refused.
    /// - Throws: ``RegionError`` (`operationFailed`) if GEOS cannot be started. Faults of files are in ``problems``.
    public convenience init(files: [String], makingValid: Bool = false) throws(RegionError) {
        var loader = try RegionLoader(makesValid: makingValid)
        loader.load(files: files)
        try self.init(loader)
    }

    /// Loads one coverage file from memory.
    ///
    /// - Parameters:
    ///   - document: the text of the file.
    ///   - name: the file name in problems.
    /// - Throws: ``RegionError`` (`operationFailed`) if GEOS cannot be started. Faults are in ``problems``.
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

    /// Returns the identifiers of the regions that contain a coordinate, in ascending order.
    public func regions(containing place: Coordinate) -> [Region.ID] { regions(containing: [place])[0] }

    /// Returns, for each coordinate, the identifiers of the regions that contain it, in ascending order.
    public func regions(containing places: [Coordinate]) -> [[Region.ID]] {
        positions(containing: places).map { $0.map { regions[$0].id } }
    }

    /// Returns, for each coordinate, the positions in ``regions`` of those that contain it, in ascending order.
    public func positions(containing places: [Coordinate]) -> [[Int]] {
        geometry.withLock { geometry in
            let found = geometry.regions(containing: places)
            return everywhere.isEmpty ? found : found.map { ($0 + everywhere).sorted() }
        }
    }

    /// Returns the closed rings of a region, within ±180° of longitude. A point within an odd number of rings is
    /// inside. Empty for the whole earth or for a region that is not in this index.
    public func rings(of region: Region.ID) -> [[Coordinate]] {
        guard let position = regions.firstIndex(where: { $0.id == region }) else { return [] }
        return geometry.withLock { $0.rings(at: position) }
    }

    /// Returns the regions from a file, each with its geometry in Well-Known Binary, or `nil` for the whole earth.
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

    /// Returns the area of a region in km² on the sphere, or `nil` for the whole earth or an unknown region.
    public func area(of region: Region.ID) -> Double? {
        guard let position = regions.firstIndex(where: { $0.id == region }) else { return nil }
        return geometry.withLock { $0.area(at: position) }
    }
}
