import HunchModel

extension FieldLinkRule {
    /// Returns an end with one field for both numbers.
    private static func pair(
        _ field: String, name: String..., longitudeFirst: Bool = false, separator: Character = ",",
        orIdentifier: Bool = false
    ) -> End {
        End(
            pair: [field], order: longitudeFirst ? .longitudeFirst : .latitudeFirst, separator: separator,
            pairMayBeIdentifier: orIdentifier, name: name)
    }

    /// Returns an end with a field for each number.
    private static func numbers(_ latitude: String, _ longitude: String, name: String...) -> End {
        End(latitude: [latitude], longitude: [longitude], name: name)
    }

    /// Returns an end with a field for its name only.
    private static func words(_ name: String) -> End { End(name: [name]) }

    static let all: [FieldLinkRule] = journeyPlanners + maps + rides + stationPlanners

    /// Planners of public transport and of bicycle routes.
    private static let journeyPlanners: [FieldLinkRule] = [
        // https://citymapper.com/tools/1053/launch-citymapper-for-directions
        FieldLinkRule(
            name: "citymapper", hosts: ["citymapper.com"], schemes: ["citymapper"],
            destination: End(pair: ["endcoord"], name: ["endname"], address: ["endaddress"]),
            source: End(pair: ["startcoord"], name: ["startname", "startaddress"]), identifiers: ["trip"]),
        // https://moovit.com/developers/deeplinking; the web's links were observed.
        FieldLinkRule(
            name: "moovit", hosts: ["moovitapp.com"], schemes: ["moovit"],
            destination: End(
                pair: ["tll"], separator: "_", latitude: ["dest_lat"], longitude: ["dest_lon"],
                name: ["to", "dest_name"]),
            source: End(
                pair: ["fll"], separator: "_", latitude: ["orig_lat"], longitude: ["orig_lon"],
                name: ["from", "orig_name"]),
            place: numbers("lat", "lon"), identifiers: ["index"]),
        // App links of Transit: LATITUDE,LONGITUDE or an address.
        FieldLinkRule(
            name: "transit", hosts: [], schemes: ["transit"], destination: words("to"), source: words("from"),
            modes: TransportMode.transit),
        // MOTIS, openapi.yaml: LATITUDE,LONGITUDE[,LEVEL] or the identifier of a stop.
        FieldLinkRule(
            name: "motis", hosts: ["transitous.org", "motis-project.de", "motis-project.org"],
            destination: pair("toplace", name: "toname", orIdentifier: true),
            source: pair("fromplace", name: "fromname", orIdentifier: true),
            identifiers: ["toplace", "tripid"]),
        // https://tfl.gov.uk/plan-a-journey/; an identifier may replace the coordinate.
        FieldLinkRule(
            name: "tfl", hosts: ["tfl.gov.uk"],
            destination: pair("toid", name: "inputto", orIdentifier: true),
            source: pair("fromid", name: "inputfrom", orIdentifier: true), identifiers: ["toid"]),
        FieldLinkRule(
            name: "entur", hosts: ["entur.no"], destination: numbers("stoplat", "stoplon", name: "stoplabel"),
            source: numbers("startlat", "startlon", name: "startlabel")),
        FieldLinkRule(
            name: "planner",
            hosts: ["atb", "farte", "frammr", "reisnordland", "svipper", "vkt"].map { "reise.\($0).no" },
            destination: numbers("tolat", "tolon", name: "toname"),
            source: numbers("fromlat", "fromlon", name: "fromname")),
        // OpenTripPlanner: NAME::LATITUDE,LONGITUDE.
        FieldLinkRule(
            name: "planner", hosts: ["trimet.org"], destination: pair("toplace"), source: pair("fromplace")),
        FieldLinkRule(
            name: "planner", hosts: ["sl.se"], destination: numbers("destlat", "destlon", name: "destname"),
            source: numbers("origlat", "origlon", name: "origname")),
        FieldLinkRule(
            name: "planner", hosts: ["opentdatach.github.io"], destination: pair("to"), source: pair("from")),
        FieldLinkRule(
            name: "planner", hosts: ["futar.bkk.hu"], destination: pair("tocoord", name: "toname"),
            source: pair("fromcoord", name: "fromname")),
        FieldLinkRule(
            name: "planner", hosts: ["jakdojade.pl"], destination: pair("tc", name: "tn", separator: ":"),
            source: pair("fc", name: "fn", separator: ":")),
        FieldLinkRule(
            name: "planner", hosts: ["geovelo.app"], destination: pair("to", longitudeFirst: true),
            source: pair("from", longitudeFirst: true), modes: [.bike]),
        // Observed; it plans for bicycles only.
        FieldLinkRule(
            name: "cycleTravel", hosts: ["cycle.travel"], destination: pair("toll", name: "to"),
            source: pair("fromll", name: "from"), place: numbers("lat", "lon"), modes: [.bike], zoom: ["zoom"],
            identifiers: ["journey", "embed"], placeIsView: true),
    ]

    /// Maps of the whole world and of countries.
    private static let maps: [FieldLinkRule] = [
        // Permalinks of Géoportail and of cartes.gouv.fr.
        FieldLinkRule(
            name: "ign", hosts: ["geoportail.gouv.fr", "cartes.gouv.fr", "cartes-ign.ign.fr"],
            place: End(pair: ["c"], order: .longitudeFirst, latitude: ["lat"], longitude: ["lng"]), zoom: ["z"],
            placeIsView: true),
        // https://developer.huawei.com, "Petal Maps Deep Links": latitude first. The travel mode is undocumented.
        FieldLinkRule(
            name: "planner", hosts: ["petalmaps.com"], schemes: ["petalmaps"], destination: pair("daddr"),
            source: pair("saddr"), place: End(pair: ["marker"], name: ["text"]), zoom: ["z"], identifiers: ["placeid"]),
        // Observed.
        FieldLinkRule(
            name: "planner", hosts: ["balad.ir"], destination: pair("destination", longitudeFirst: true),
            source: pair("origin", longitudeFirst: true),
            place: End(pair: ["location"], latitude: ["latitude"], longitude: ["longitude"]), zoom: ["zoom"],
            fragmentIsView: true),
        FieldLinkRule(
            name: "marineTraffic", hosts: ["marinetraffic.com"], place: numbers("centery", "centerx"), zoom: ["zoom"],
            identifiers: ["details"], placeIsView: true, fieldsPart: .path),
        // Observed.
        FieldLinkRule(
            name: "lightningMaps", hosts: ["lightningmaps.org"], place: numbers("y", "x"), zoom: ["z"],
            placeIsView: true, fieldsPart: .fragment),
        // Observed: the point of the forecast, and the centre of the map.
        FieldLinkRule(
            name: "windy", hosts: ["embed.windy.com"], destination: numbers("detaillat", "detaillon"),
            place: numbers("lat", "lon"), zoom: ["zoom"], placeIsView: true),
        // Observed: `pll` is a portal of the game, `ll` the centre of the map.
        FieldLinkRule(
            name: "ingress", hosts: ["intel.ingress.com", "ingress.com"], destination: pair("pll"), place: pair("ll"),
            zoom: ["z"], placeIsView: true),
        // Observed.
        FieldLinkRule(
            name: "wikimapia", hosts: ["wikimapia.org"], destination: words("search"), place: numbers("lat", "lon"),
            zoom: ["z"], placeIsView: true),
        // Observed.
        FieldLinkRule(
            name: "plugShare", hosts: ["plugshare.com"], place: numbers("latitude", "longitude"),
            zoom: ["zoom", "zoomlevel"], identifiers: ["location"], placeIsView: true),
        // Observed.
        FieldLinkRule(
            name: "flickr", hosts: ["flickr.com"], path: ["map"], place: numbers("flat", "flon"), placeIsView: true),
        // Observed.
        FieldLinkRule(
            name: "wigle", hosts: ["wigle.net"], path: ["map"], place: numbers("maplat", "maplon"), zoom: ["mapzoom"],
            placeIsView: true),
        FieldLinkRule(
            name: "wikiloc", hosts: ["wikiloc.com"], path: ["wikiloc", "map.do"], place: numbers("lt", "ln"),
            zoom: ["z"], placeIsView: true),
        FieldLinkRule(
            name: "planner", hosts: ["map.yahoo.co.jp"], destination: numbers("tolat", "tolon", name: "to"),
            source: numbers("fromlat", "fromlon", name: "from"), place: numbers("lat", "lon"), zoom: ["zoom"]),
        FieldLinkRule(
            name: "planner", hosts: ["mapa.buenosaires.gob.ar"], destination: words("hasta"), source: words("desde"),
            place: numbers("lat", "lng"), placeIsView: true),
    ]

    /// Ride services.
    private static let rides: [FieldLinkRule] = [
        // https://developer.uber.com, "Deep Links".
        FieldLinkRule(
            name: "uber", hosts: ["uber.com"], schemes: ["uber"],
            destination: End(
                latitude: ["dropoff[latitude]"], longitude: ["dropoff[longitude]"],
                name: ["dropoff[nickname]", "dropoff[formatted_address]"]),
            source: End(
                latitude: ["pickup[latitude]"], longitude: ["pickup[longitude]"],
                name: ["pickup[nickname]", "pickup[formatted_address]"]), modes: [.rideShare]),
        // https://developer.lyft.com, "Deeplinking".
        FieldLinkRule(
            name: "lyft", hosts: ["lyft.com"], schemes: ["lyft"],
            destination: End(
                latitude: ["destination[latitude]"], longitude: ["destination[longitude]"],
                name: ["destination[name]", "destination[address]"]),
            source: numbers("pickup[latitude]", "pickup[longitude]", name: "pickup[name]"), modes: [.rideShare]),
        FieldLinkRule(
            name: "planner", hosts: ["book.olacabs.com"],
            destination: numbers("drop_lat", "drop_lng", name: "drop_name"),
            source: numbers("lat", "lng", name: "pickup_name"), modes: [.rideShare]),
        FieldLinkRule(
            name: "planner", hosts: ["3.redirect.appmetrica.yandex.com"], destination: numbers("end-lat", "end-lon"),
            source: numbers("start-lat", "start-lon"), modes: [.rideShare]),
    ]

    /// Planners whose links have only the names of the ends.
    private static let stationPlanners: [FieldLinkRule] = [
        ("sbb.ch", "nach", "von"), ("idos.idnes.cz", "t", "f"), ("transportnsw.info", "to", "from"),
        ("transit.yahoo.co.jp", "to", "from"), ("ns.nl", "aankomst", "vertrek"), ("jorudan.co.jp", "eki2", "eki1"),
        ("navitime.co.jp", "dnvstationname", "orvstationname"),
    ].map { host, destination, source in
        FieldLinkRule(name: "planner", hosts: [host], destination: words(destination), source: words(source))
    }
}
