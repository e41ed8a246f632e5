// Suggestions
