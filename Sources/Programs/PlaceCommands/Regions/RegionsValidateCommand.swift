import CommandSupport
import ArgumentParser
import Directions
import Regions
import Localization

/// `hunch regions validate`: checks coverage files.
struct RegionsValidateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract: localized("Check coverage files and report faults with their position."),
        discussion: localized(
            """
            Exit code 2: a file has a fault.

            Example:
              hunch regions validate Regions/*.geojson
              hunch regions validate mine.geojson --make-valid --json
            """))

    @Argument(help: .localized("Coverage files.", valueName: "file"), completion: .file(extensions: ["geojson"]))
    var files: [String]

    @Flag(help: .localized("Try to repair invalid areas, and report how they change."))
    var makeValid = false

    @Flag(help: .localized("Write one JSON object a line."))
    var json = false

    func run() throws {
        var isSound = true
        for file in files {
            let index = try RegionIndex(files: [file], makingValid: makeValid)
            let report = RegionReport(file: file, index: index)
            isSound = isSound && report.isSound
            if json {
                try Output.raw(Output.json(report))
            } else {
                try show(report)
            }
        }
        if !isSound { throw CommandError(nil, ExitStatus.badInput) }
    }

    private func show(_ report: RegionReport) throws {
        for message in report.messages { Output.complain(message) }
        for region in report.index.regions {
            guard let repair = region.repair else { continue }
            for fault in repair.faults {
                Output.complain(localized("%1: feature \"%2\": %3", region.file, region.id, fault))
            }
            try Output.line(localized("%1: feature \"%2\": %3", region.file, region.id, repair.summary))
        }
        let count = report.index.regions.count
        try Output.line(
            report.isSound
                ? localizedPlural("%2: valid, %1 feature usable", "%2: valid, %1 features usable", count, report.file)
                : localizedPlural(
                    "%2: not valid, %1 feature usable", "%2: not valid, %1 features usable", count, report.file))
    }
}

/// The result of `validate` for a file.
struct RegionReport: Encodable {
    let file: String
    let index: RegionIndex
    /// The features with a valid area but no usable routing app.
    let appProblems: [RoutingAppProblem]

    init(file: String, index: RegionIndex) {
        self.file = file
        self.index = index
        appProblems = index.regions.compactMap { region in
            do throws(RoutingAppProblem) {
                _ = try RoutingApp(region: region)
                return nil
            } catch {
                return error
            }
        }
    }

    var isSound: Bool { index.problems.isEmpty && appProblems.isEmpty && nameless.isEmpty }

    /// The features without an identifier. They are usable, but other files cannot replace them.
    private var nameless: [Region] { index.regions.filter { !$0.hasOwnIdentifier } }

    private func problem(ofNameless region: Region) -> String {
        localized("%1: the feature known as \"%2\" has no \"id\"", file, region.id)
    }

    /// All faults, one sentence each.
    var messages: [String] {
        index.problems.map(\.message) + appProblems.map { "\($0)" } + nameless.map(problem)
    }

    private enum Key: String, CodingKey { case file, valid, features, problems }

    private struct Feature: Encodable {
        let id: String
        let everywhere: Bool
        let polygons: Int
        let positions: Int
        let area: Double?
        let repair: Repair?
    }

    private struct Repair: Encodable {
        let faults: [String]
        let areaBefore: Double
        let areaAfter: Double
        let changePercent: Double?
    }

    private struct Problem: Encodable {
        let code: String
        let feature: String?
        let polygon: Int?
        let ring: Int?
        let longitude: Double?
        let latitude: Double?
        let reason: String
        let message: String
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(file, forKey: .file)
        try container.encode(isSound, forKey: .valid)
        let features = index.regions.map { region in
            Feature(
                id: region.id, everywhere: region.isEverywhere, polygons: region.polygonCount,
                positions: region.positionCount, area: index.area(of: region.id),
                repair: region.repair.map {
                    Repair(
                        faults: $0.faults, areaBefore: $0.areaBefore, areaAfter: $0.areaAfter,
                        changePercent: $0.change)
                })
        }
        try container.encode(features, forKey: .features)
        let faults = index.problems.map { problem in
            // JSON has no infinite numbers.
            func finite(_ value: Double?) -> Double? { value.flatMap { $0.isFinite ? $0 : nil } }
            return Problem(
                code: problem.code.rawValue, feature: problem.feature, polygon: problem.polygon, ring: problem.ring,
                longitude: finite(problem.position?.longitude), latitude: finite(problem.position?.latitude),
                reason: problem.reason, message: problem.message)
        }
        let others = appProblems.map { problem in
            Problem(
                code: "notARoutingApp", feature: problem.app, polygon: nil, ring: nil, longitude: nil, latitude: nil,
                reason: problem.reason, message: "\(problem)")
        }
        let unnamed = nameless.map { region in
            Problem(
                code: "noIdentifier", feature: region.id, polygon: nil, ring: nil, longitude: nil, latitude: nil,
                reason: "it has no \"id\"", message: problem(ofNameless: region))
        }
        try container.encode(faults + others + unnamed, forKey: .problems)
    }
}
