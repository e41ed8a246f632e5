// The values of HunchKit's methods are declared in AgentInterface. They come with HunchKit, so that apps import one module.
@_exported public import AgentInterface
@_exported public import EventLoops
