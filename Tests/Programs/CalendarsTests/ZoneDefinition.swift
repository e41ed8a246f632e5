/// Returns the definition of a time zone that is five hours ahead of UTC in all seasons.
func zoneDefinition(_ name: String) -> String {
    """
    BEGIN:VTIMEZONE
    TZID:\(name)
    BEGIN:STANDARD
    DTSTART:19700101T000000
    TZOFFSETFROM:+0500
    TZOFFSETTO:+0500
    END:STANDARD
    END:VTIMEZONE
    """
}
