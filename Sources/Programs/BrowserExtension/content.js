// Returns the structured data of a page to the background script, which runs this in the page that is in front. Text
// that is not the value of a property stays in the page, and so do long texts.
"use strict";

(() => {
  /** The maximum length of the data in characters. */
  const LIMIT = 1_000_000;
  /** The maximum length of the text of a property, and of an attribute, in characters. */
  const TEXT_LIMIT = 500;
  const ATTRIBUTE_LIMIT = 2_000;
  /** The maximum depth of elements. */
  const DEPTH_LIMIT = 200;

  /** The attributes that make up items. */
  const STRUCTURE = [
    "about", "itemid", "itemprop", "itemref", "itemscope", "itemtype", "prefix", "property", "resource", "typeof",
    "vocab",
  ];
  /** The attributes with the values of properties. */
  const VALUES = ["alt", "content", "data", "datetime", "href", "src", "title", "value"];

  /** The names of `meta` elements with structured data. */
  const META = new RegExp(
    "^(og|article|book|profile|music|video|place|business|product|fb|twitter|al|geo):" +
      "|^(geo\\.(position|placename|region)|icbm|apple-itunes-app)$", "i");
  /** The names of values that are long texts, as a rule. */
  const TEXTS = /(^|[\s:])(articleBody|description|reviewBody|text|e-content|e-description)(\s|$)/;

  /** The classes of microformats. */
  const MICROFORMATS = new RegExp(
    "^(vcard|vevent|adr|geo|fn|n|org|url|tel|email|photo|logo|note|bday|title|category|given-name|family-name|" +
      "organization-name|street-address|locality|region|postal-code|country-name|latitude|longitude|summary|dtstart|" +
      "dtend|location|description|value|value-title|(h|p|u|dt|e)-[a-z-]+)$");
  /** The classes of microformats that only contain other properties. */
  const HOLDERS = /^(vcard|vevent|adr|n|h-[a-z-]+)$/;

  const ROOTS = "[itemscope]:not([itemprop]), [typeof], [vocab], .vcard, .vevent, .adr, .geo, .h-card, .h-event, " +
    ".h-adr, .h-geo";

  /** Elements whose content is no data: programs, styles, and forms, which may hold what the person typed. */
  const OMITTED = new Set(["button", "input", "option", "script", "select", "style", "template", "textarea"]);

  const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");

  /** The identifiers to which items refer. */
  const references = new Set(
    [...document.querySelectorAll("[itemref]")].flatMap((item) => item.getAttribute("itemref").match(/\S+/g) ?? []));

  /** Returns the names of an element's property and microformats. */
  function names(element) {
    const classes = [...element.classList].filter((name) => MICROFORMATS.test(name));
    const property = element.getAttribute("itemprop") ?? element.getAttribute("property");
    return { classes, property, isText: TEXTS.test(property ?? classes.join(" ")) };
  }

  function attributes(element, { classes, property, isText }) {
    const isProperty = property !== null || classes.length > 0 || element.hasAttribute("typeof");
    const wanted = [...STRUCTURE, ...(isProperty && !isText ? VALUES : [])];
    const kept = wanted.filter((name) => (element.getAttribute(name)?.length ?? Infinity) <= ATTRIBUTE_LIMIT)
      .map((name) => ` ${name}="${escaped(element.getAttribute(name))}"`);
    if (references.has(element.id)) kept.push(` id="${escaped(element.id)}"`);
    if (classes.length > 0) kept.push(` class="${escaped(classes.join(" "))}"`);
    return kept.join("");
  }

  /** Whether the text of an element is the value of a property. */
  function isValue(element, { classes, property, isText }) {
    if (isText || element.hasAttribute("itemscope") || element.hasAttribute("typeof")) return false;
    return property !== null || classes.some((name) => !HOLDERS.test(name));
  }

  /**
   * Appends an element with the data in it.
   *
   * @param value the property whose value the text is, with the number of characters that are left for it; or null.
   */
  function append(parts, element, value, depth) {
    if (OMITTED.has(element.localName) || element.isContentEditable || depth > DEPTH_LIMIT) return;
    const named = names(element);
    const kept = attributes(element, named);
    const text = isValue(element, named) ? { left: TEXT_LIMIT } : named.isText ? null : value;
    if (kept || text) parts.push(`<${element.localName}${kept}>`);
    for (const child of element.childNodes) {
      if (child.nodeType === Node.ELEMENT_NODE) append(parts, child, text, depth + 1);
      else if (child.nodeType === Node.TEXT_NODE && text?.left > 0) {
        const words = child.data.replace(/\s+/g, " ").slice(0, text.left);
        text.left -= words.length;
        parts.push(escaped(words));
      }
    }
    if (kept || text) parts.push(`</${element.localName}>`);
  }

  /** Returns the structured data of the page as HTML. */
  function data() {
    const parts = [`<title>${escaped(document.title.slice(0, TEXT_LIMIT))}</title>`];
    const base = document.querySelector("base[href]");
    if (base) parts.push(`<base href="${escaped(base.href)}">`);
    for (const meta of document.querySelectorAll("meta[content]")) {
      const name = (meta.getAttribute("property") ?? meta.getAttribute("name") ?? "").trim();
      if (!META.test(name) || /description$/i.test(name) || meta.content.length > ATTRIBUTE_LIMIT) continue;
      parts.push(`<meta property="${escaped(name)}" content="${escaped(meta.content)}">`);
    }
    for (const link of document.querySelectorAll('link[rel~="alternate"][href^="android-app:"]')) {
      parts.push(`<link rel="alternate" href="${escaped(link.href)}">`);
    }
    for (const script of document.querySelectorAll('script[type^="application/ld+json"]')) {
      const text = script.textContent.replace(/<\/script/gi, "<\\/script");
      parts.push(`<script type="application/ld+json">${text}</script>`);
    }
    for (const element of [document.documentElement, document.body]) {
      const prefix = element?.getAttribute("prefix");
      if (prefix) parts.push(`<body prefix="${escaped(prefix)}">`);
    }
    for (const root of document.querySelectorAll(ROOTS)) {
      if (!root.parentElement?.closest(ROOTS)) append(parts, root, null, 0);
    }
    for (const id of references) {
      const element = document.getElementById(id);
      if (element && !element.closest(ROOTS)) append(parts, element, null, 0);
    }
    return parts.join("").slice(0, LIMIT);
  }

  const canonical = document.querySelector('link[rel~="canonical"]')?.href.slice(0, ATTRIBUTE_LIMIT);
  return { title: document.title.slice(0, TEXT_LIMIT), canonical, html: data() };
})();
