import FoundationEssentials
import Glibc
import OnlineGeocoder

exit(
    OnlineGeocoderProgram.main(
        arguments: Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment))
