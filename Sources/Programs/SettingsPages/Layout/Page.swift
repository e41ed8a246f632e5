public import HunchModel

/// A page of the window, as values. The window draws them, and tests read them.
///
///     let page = Page.overview(state, now: .now)
public struct Page: Hashable, Sendable, Identifiable {
    /// The pages, in the order in which the window shows them.
    public enum ID: String, CaseIterable, Hashable, Sendable {
        /// Whether Hunch is on, what it suggests, and what became of earlier suggestions.
        case overview
        /// The audio devices.
        case devices
        /// The apps that take part.
        case apps
        /// Routing apps, coverage and the gazetteer.
        case places
        /// The recorded data, and forgetting.
        case privacy
    }

    /// The page.
    public let id: ID
    /// The sections, from top to bottom.
    public var sections: [Section]
    /// The only content of a page that has nothing else to show, such as without an agent. Several messages are shown one
    /// after the other.
    public var notices: [Notice]

    /// Creates a page with sections.
    public init(_ id: ID, _ sections: [Section]) { (self.id, self.notices, self.sections) = (id, [], sections) }

    /// Creates a page with messages alone.
    public init(_ id: ID, notice: Notice, _ others: Notice...) {
        (self.id, self.notices, self.sections) = (id, [notice] + others, [])
    }
}

/// A message that fills a page, with a single action.
public struct Notice: Hashable, Sendable {
    /// The name of a symbolic icon.
    public var icon: String
    /// The title.
    public var title: String
    /// One to three sentences.
    public var text: String
    /// The button that helps; `nil` if nothing can be done here.
    public var button: Button?
    /// The rows between the text and the button.
    public var rows: [Row]

    /// Creates a notice.
    public init(icon: String, title: String, text: String, button: Button? = nil, rows: [Row] = []) {
        (self.icon, self.title, self.text, self.button, self.rows) = (icon, title, text, button, rows)
    }
}

/// A group of rows with a title.
public struct Section: Hashable, Sendable, Identifiable {
    /// The identifier, unique in its page.
    public let id: String
    /// The title; empty for none.
    public var title: String
    /// The description below the title; empty for none.
    public var text: String
    /// The rows.
    public var rows: [Row]
    /// A button next to the title.
    public var button: Button?
    /// The search field, if the section is searchable.
    public var search: SearchField?
    /// A picture above the rows.
    public var picture: Picture?

    /// Creates a section.
    public init(
        _ id: String, title: String = "", text: String = "", button: Button? = nil, search: SearchField? = nil,
        picture: Picture? = nil, _ rows: [Row]
    ) {
        (self.id, self.title, self.text, self.rows) = (id, title, text, rows)
        (self.button, self.search, self.picture) = (button, search, picture)
    }
}

/// A search field, whose action follows while the user types.
public struct SearchField: Hashable, Sendable {
    /// The text that the user searches for.
    public var text: String
    /// The label of the field.
    public var label: String
    /// The action.
    public var action: TextAction

    /// Creates a search field.
    public init(_ text: String, label: String, _ action: TextAction) {
        (self.text, self.label, self.action) = (text, label, action)
    }
}

/// A picture with its description for screen readers.
public struct Picture: Hashable, Sendable {
    /// An SVG document.
    public var svg: String
    /// The description.
    public var text: String

    /// Creates a picture.
    public init(svg: String, text: String) { (self.svg, self.text) = (svg, text) }
}

/// A row of a section.
public struct Row: Hashable, Sendable, Identifiable {
    /// The icon at the start of a row.
    public enum Icon: Hashable, Sendable {
        /// A symbolic icon of the theme.
        case symbol(String)
        /// The icon of an installed app.
        case app(AppID)
        /// A local image, as a `file:` URI.
        case image(String)
    }

    /// The identifier, unique in its section.
    public let id: String
    /// The title.
    public var title: String
    /// The text below the title; empty for none.
    public var subtitle: String
    /// The icon; `nil` for none.
    public var icon: Icon?
    /// The controls at the end of the row.
    public var controls: [Control]
    /// The lines below the subtitle of a card; `nil` for an ordinary row. A card shows its controls, which are buttons,
    /// below its texts, so that a long title has the whole width.
    public var card: [String]?
    /// Rows that appear when the user expands this one.
    public var children: [Row]

    /// Creates a row.
    public init(
        _ id: String, _ title: String, _ subtitle: String = "", icon: Icon? = nil, _ controls: [Control] = [],
        card: [String]? = nil, children: [Row] = []
    ) {
        (self.id, self.title, self.subtitle) = (id, title, subtitle)
        (self.icon, self.controls, self.card, self.children) = (icon, controls, card, children)
    }
}

/// A control at the end of a row.
public enum Control: Hashable, Sendable {
    /// A switch. The actions follow when the user switches it on or off.
    case toggle(Bool, on: Action, off: Action)
    /// A button.
    case button(Button)
    /// A list to choose from, with the index of the current choice; `nil` for none of them.
    case choice([Choice], selected: Int?)
    /// A short text.
    case text(String)
    /// A text field. The action follows with the user's text when they confirm it.
    case entry(TextAction)
    /// The progress of an operation, 0…1; `nil` if it is not known.
    case progress(Double?)
}

/// A button with its action.
public struct Button: Hashable, Sendable {
    /// The weight of a button.
    public enum Style: Hashable, Sendable {
        /// An ordinary button.
        case plain
        /// The button that most people want.
        case suggested
        /// A button that destroys something.
        case destructive
    }

    /// The label.
    public var label: String
    /// The action.
    public var action: Action
    /// The weight.
    public var style: Style

    /// Creates a button.
    public init(_ label: String, _ action: Action, _ style: Style = .plain) {
        (self.label, self.action, self.style) = (label, action, style)
    }
}

/// One of several choices.
public struct Choice: Hashable, Sendable {
    /// The label.
    public var label: String
    /// The action that follows when the user chooses it.
    public var action: Action

    /// Creates a choice.
    public init(_ label: String, _ action: Action) { (self.label, self.action) = (label, action) }
}
