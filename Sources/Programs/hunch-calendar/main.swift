import Calendars
import FoundationEssentials
import Glibc

exit(
    CalendarReaderProgram.main(
        arguments: Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment))
