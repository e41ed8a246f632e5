internal import Localization
internal import Synchronization

/// Collects the regions of files and their geometry, which an index then takes over.
struct RegionLoader: ~Copyable {
    var problems: [RegionError] = []
    private let builder: RegionBuilder
    private var shapes: GEOSShapes
    /// Each region with the position of its shape, or `nil` for the whole earth.
    private var found: [(region: Region, shape: Int?)] = []
    private var known: Set<Region.ID> = []
    private let former: RegionIndex?

    /// - Parameter former: the previous index, whose version of a file or feature is kept if the new one is broken.
    init(makesValid: Bool, former: RegionIndex? = nil) throws(RegionError) {
        self.former = former
        let context = try GEOSContext()
        builder = RegionBuilder(context: context, makesValid: makesValid)
        shapes = GEOSShapes(context: context)
    }

    /// Loads the files of one folder. Features with the identifier of one from an earlier folder are skipped. Two with
    /// the same identifier in this folder are a problem.
    mutating func load(files: [String]) {
        var here: [Region.ID: String] = [:]
        for file in files {
            load(file, &here) { () throws(RegionError) in try CoverageFile.text(ofFile: file) }
        }
        known.formUnion(here.keys)
    }

    /// Loads a file from memory.
    mutating func load(document: String, name: String) {
        var here: [Region.ID: String] = [:]
        load(name, &here) { () throws(RegionError) in
            guard document.utf8.count <= CoverageLimits.fileSize else { throw CoverageFile.tooLarge(name) }
            return Array(document.utf8) + [0]
        }
        known.formUnion(here.keys)
    }

    /// - Parameter text: returns the bytes of the file, followed by a NUL.
    private mutating func load(
        _ file: String, _ here: inout [Region.ID: String], _ text: () throws(RegionError) -> [UInt8]
    ) {
        do throws(RegionError) {
            let features = try CoverageReader.features(in: try text())
            for (index, feature) in features.enumerated() {
                let stem = CoverageFile.stem(of: file)
                let id = feature.id ?? (features.count == 1 ? stem : "\(stem)#\(index + 1)")
                if let other = here[id] {
                    let reason =
                        other == file
                        ? localized("another feature of this file has the same id and is used instead")
                        : localized("another feature of %1 has the same id and is used instead", other)
                    problems.append(RegionError(.duplicate, reason, file: file, feature: id))
                } else if known.contains(id) {
                    here[id] = file
                } else {
                    let before = problems.count
                    if add(feature, id: id, file: file) {
                        here[id] = file
                    } else {
                        keepFormer(of: file, after: before, &here) { $0 == id }
                    }
                }
            }
        } catch {
            let before = problems.count
            problems.append(error.inFile(file))
            keepFormer(of: file, after: before, &here) { _ in true }
        }
    }

    /// Keeps the previous version of features of a broken file, unless their identifiers are in use by now. If it keeps
    /// any, marks the problems from index `first` on.
    ///
    /// - Parameter isWanted: whether to keep the feature with an identifier.
    private mutating func keepFormer(
        of file: String, after first: Int, _ here: inout [Region.ID: String], where isWanted: (Region.ID) -> Bool
    ) {
        var isKept = false
        for (region, geometry) in former?.copies(ofFile: file) ?? [] {
            guard isWanted(region.id), here[region.id] == nil, !known.contains(region.id) else { continue }
            var shape: Int?
            if let geometry {
                guard let copy = try? builder.context.shape(fromBinary: geometry) else { continue }
                shape = shapes.pointers.count
                shapes.append(copy)
            }
            found.append((region, shape))
            here[region.id] = file
            isKept = true
        }
        guard isKept else { return }
        for index in problems.indices where index >= first { problems[index].keepsFormer = true }
    }

    private mutating func add(_ feature: CoverageFeature, id: Region.ID, file: String) -> Bool {
        var repair: RegionRepair?
        var shape: Int?
        if let polygons = feature.polygons {
            var errors: [RegionError] = []
            let area = builder.area(of: polygons, mayOverlap: feature.mayOverlap, errors: &errors)
            guard let area else {
                problems += errors.map { $0.inFile(file, feature: id) }
                return false
            }
            repair = area.repair
            shape = shapes.pointers.count
            shapes.append(area.takeShape())
        }
        let region = Region(
            id: id, hasOwnIdentifier: feature.id != nil, file: file, properties: feature.properties,
            isEverywhere: feature.polygons == nil,
            polygonCount: feature.polygons?.count ?? 0,
            positionCount: feature.polygons?.reduce(0) { $1.rings.reduce($0) { $0 + $1.count } } ?? 0,
            squareKilometres: feature.polygons?.reduce(0) { $0 + SphericalArea.ofPolygon($1) } ?? 0, repair: repair)
        found.append((region, shape))
        return true
    }

    /// Sorts the regions by identifier and returns them.
    mutating func sortedRegions() -> [Region] {
        found.sort { $0.region.id < $1.region.id }
        return found.map(\.region)
    }

    /// Returns the geometry of a loader's regions, in the order of the regions.
    static func geometry(of loader: consuming sending RegionLoader) throws(RegionError) -> sending RegionGeometry {
        let order = loader.found.map(\.shape)
        return try RegionGeometry(context: loader.builder.context, shapes: loader.shapes, order: order)
    }
}
