internal import AgentInterface
internal import HunchModel

/// The files of a source: their addresses, and their places below the download folder.
struct DownloadPlan: Equatable {
    struct File: Equatable {
        let address: String
        /// The path below the download folder. Its last part is the name of the file.
        let path: String
        /// The address of the file with the MD5 checksum; `nil` if the publisher has none.
        var checksumAddress: String?

        var name: String { String(path.split(separator: "/").last ?? "") }
    }

    /// The file to import comes last.
    let files: [File]

    /// Plans the download of a source.
    ///
    /// - Parameter server: the address that replaces the configured server; `nil` for that one.
    /// - Throws: ``DownloadFailure`` `insecure` for a replacement without encryption that is not on this machine. The
    ///   configured server may be any.
    init(_ source: DownloadSource, server: String?, settings: OnlineGeocoderSettings) throws(DownloadFailure) {
        if let server, !WebAddress.isConfidential(server) {
            throw DownloadFailure(.insecure, address: server)
        }
        let geoNames = server ?? settings.geoNamesURL ?? OnlineGeocoderSettings.publicGeoNames
        let geofabrik = server ?? settings.geofabrikURL ?? OnlineGeocoderSettings.publicGeofabrik
        func dump(_ name: String) -> [File] {
            // The import looks for the names of states next to the dump.
            ["admin1CodesASCII.txt", "\(name).zip"].map { name in
                File(address: "\(geoNames)/\(name)", path: "geonames/\(name)")
            }
        }
        switch source {
        case .cities500, .cities15000: files = dump(source.description)
        case .country(let code): files = dump(code)
        case .openStreetMap(let path):
            let address = "\(geofabrik)/\(path)-latest.osm.pbf"
            files = [
                File(
                    address: address, path: "geofabrik/\(path)-latest.osm.pbf", checksumAddress: "\(address).md5")
            ]
        }
    }

    /// Returns whether a redirect may be followed: to `https`, or within the server of a request without encryption.
    static func mayFollow(from address: String, to target: String) -> Bool {
        if target.lowercased().hasPrefix("https://") { return true }
        guard address.lowercased().hasPrefix("http://"), target.lowercased().hasPrefix("http://") else { return false }
        func server(_ address: String) -> Substring {
            address.dropFirst("http://".count).prefix { !"/?#".contains($0) }
        }
        return server(address).lowercased() == server(target).lowercased()
    }
}
