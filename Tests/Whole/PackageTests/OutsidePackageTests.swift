import FoundationEssentials
import TestSupport
import Testing

/// A package of somebody else's, with an app that uses HunchKit.
@Suite("Outside package", .timeLimit(.minutes(15)))
struct OutsidePackageTests {
    @Test("An app builds with HunchKit, and fetches nothing but Hunch")
    func app() async throws {
        try await withTemporaryHome { home in
            // The documentation calls the package by this name.
            let hunch = home.directory.file("hunch")
            try FileManager.default.createSymbolicLink(
                atPath: hunch, withDestinationPath: Surroundings.packageRoot)
            let manifest = """
                // swift-tools-version: 6.2
                import PackageDescription

                let libraries = ["HunchKit", "HunchDBus", "HunchModel"].map {
                    Target.Dependency.product(name: $0, package: "hunch")
                }
                let package = Package(
                    name: "guide", dependencies: [.package(path: "\(hunch)", traits: [])],
                    targets: [.executableTarget(name: "guide", dependencies: libraries)])
                """
            try home.directory.write(manifest, to: "guide/Package.swift")
            let app = "\(Surroundings.packageRoot)/Tests/Apps/ActivityGuideApp"
            try FileManager.default.createDirectory(
                atPath: home.directory.file("guide/Sources"), withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: app, toPath: home.directory.file("guide/Sources/guide"))
            let folders = ["--cache-path", home.directory.file("cache"), "--manifest-cache", "none"]
            let package = ["--package-path", home.directory.file("guide")]
            _ = try await run(
                "swift", ["build"] + package + folders, environment: home.environment, within: .seconds(600)
            ).output()
            #expect(FileManager.default.isExecutableFile(atPath: home.directory.file("guide/.build/debug/guide")))
            #expect(!FileManager.default.fileExists(atPath: home.directory.file("guide/Package.resolved")))
            let fetched = try FileManager.default.contentsOfDirectory(
                atPath: home.directory.file("guide/.build/checkouts"))
            #expect(fetched.isEmpty, "\(fetched)")
        }
    }
}
