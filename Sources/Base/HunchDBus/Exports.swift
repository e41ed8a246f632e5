// Every call has values, names and errors. They are exported, so that apps import one module.
@_exported public import DBusValues

/// The error of calls and values. libdbus has a type of this name, too.
public typealias DBusError = DBusValues.DBusError
