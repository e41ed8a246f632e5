// AgentInterface declares the values of HunchKit's methods. It is exported, so that apps import one module.
@_exported public import AgentInterface
@_exported public import EventLoops
