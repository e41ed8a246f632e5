// Triggers
