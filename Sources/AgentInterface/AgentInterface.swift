// AgentInterface
