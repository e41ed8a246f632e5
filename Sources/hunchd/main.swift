print("hunchd")
