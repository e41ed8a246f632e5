// Replaced by the app.
