// History
