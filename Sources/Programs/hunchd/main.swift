import FoundationEssentials
import Glibc

exit(
    AgentProgram.main(
        arguments: Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment))
