import FoundationEssentials
import GRDB
import Glibc

let usage = """
    usage: hunch-aggregator            as a CGI program of a web server (RFC 3875)
           hunch-aggregator status     says how many reports it has

    Collects what people's computers report about public content that they opened, and gives everybody the sums: GET
    returns them, and POST adds reports. Documentation/Popularity.md describes both, and how to set up a web server.

    Environment:
      HUNCH_AGGREGATOR_DATABASE  the absolute path of the SQLite file with the sums; required
      HUNCH_AGGREGATOR_EPSILON   the privacy loss of a report, ε: 0.1 to 8; 1 by default. It cannot change later.
      HUNCH_AGGREGATOR_WEEKS     the number of weeks that count: 1 to 52; 4 by default

    """

let environment = ProcessInfo.processInfo.environment

/// Returns a failure in words.
func words(_ error: any Error) -> String {
    guard let error = error as? DatabaseError else { return "\(error)" }
    let path = environment["HUNCH_AGGREGATOR_DATABASE"] ?? ""
    return "\(path) cannot be used: \(error.message ?? "\(error)"); check it, and the permissions of its folder"
}

/// Ends with a message on standard error.
func fail(_ reason: String, status: Int32) -> Never {
    complain(reason)
    exit(status)
}

let arguments = CommandLine.arguments.dropFirst()
// Web servers pass words of the query as arguments (RFC 3875, 4.4), so arguments count only outside of one.
let isRequest = environment["GATEWAY_INTERFACE"] != nil
if !isRequest, arguments.contains("--help") {
    print(usage, terminator: "")
    exit(0)
}
umask(0o077)
// A reader that has gone must not end the process while it writes the database.
signal(SIGPIPE, SIG_IGN)
do {
    if isRequest {
        let response: Response
        do {
            response = try Aggregator(environment: environment).answer(Request(environment: environment))
        } catch {
            response = Response(error)
        }
        response.write()
    } else if Array(arguments) == ["status"] {
        print(try Aggregator(environment: environment, isExisting: true).status())
    } else {
        fail("this is a program for web servers; see --help", status: 2)
    }
} catch {
    fail(words(error), status: 3)
}
