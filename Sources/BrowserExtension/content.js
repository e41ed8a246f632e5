// Returns the structured data of a page to the background script, which runs this in the page that is in front. Text that
// is not the value of a property stays in the page.
"use strict";

(() => {
  /** The maximum length of the data in characters. */
  const LIMIT = 1_000_000;

  /** The attributes that structured data consists of. */
  const ATTRIBUTES = [
    "about", "content", "data", "datetime", "href", "id", "itemid", "itemprop", "itemref", "itemscope", "itemtype",
    "prefix", "property", "resource", "src", "typeof", "value", "vocab",
  ];

  /** The names of `meta` elements with structured data. Others, such as descriptions, are left out. */
  const META = new RegExp(
    "^(og|article|book|profile|music|video|place|business|product|fb|twitter|al|geo):" +
      "|^(geo\\.(position|placename|region)|icbm|apple-itunes-app)$", "i");

  /** The classes of microformats. */
  const MICROFORMATS = new RegExp(
    "^(vcard|vevent|adr|geo|fn|n|org|url|tel|email|photo|logo|note|bday|title|category|given-name|family-name|" +
      "organization-name|street-address|locality|region|postal-code|country-name|latitude|longitude|summary|dtstart|" +
      "dtend|location|description|value|value-title|(h|p|u|dt|e)-[a-z-]+)$");

  /** The classes of microformats that hold properties and are none. */
  const HOLDERS = /^(vcard|vevent|adr|n|h-[a-z-]+)$/;

  const ROOTS = "[itemscope]:not([itemprop]), [typeof], [vocab], .vcard, .vevent, .adr, .geo, .h-card, .h-event, " +
    ".h-adr, .h-geo";

  /** Elements whose content is no data: programs, styles, and forms, which may hold what the person typed. */
  const OMITTED = new Set(["button", "input", "option", "script", "select", "style", "template", "textarea"]);

  /** Properties whose values are long texts to read. */
  const TEXTS = /(^|\s|:)(articleBody|description|reviewBody|text|e-content|e-description)(\s|$)/;

  const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");

  function attributes(element) {
    const kept = ATTRIBUTES.filter((name) => element.hasAttribute(name))
      .map((name) => ` ${name}="${escaped(element.getAttribute(name))}"`);
    const classes = [...element.classList].filter((name) => MICROFORMATS.test(name));
    if (classes.length > 0) kept.push(` class="${escaped(classes.join(" "))}"`);
    return kept.join("");
  }

  /** Whether the text of an element is the value of a property. */
  function isValue(element) {
    if (element.hasAttribute("itemscope") || element.hasAttribute("typeof")) return false;
    const name = element.getAttribute("itemprop") ?? element.getAttribute("property");
    if (TEXTS.test(name ?? element.classList.value)) return false;
    return name !== null || [...element.classList].some((name) => MICROFORMATS.test(name) && !HOLDERS.test(name));
  }

  /** Appends an element with the data in it, without recursion deeper than 200 elements. */
  function append(parts, element, keepsText, depth) {
    const kept = attributes(element);
    const isText = keepsText || isValue(element);
    const name = element.localName;
    if (OMITTED.has(name) || depth > 200) return;
    if (kept || isText) parts.push(`<${name}${kept}>`);
    for (const child of element.childNodes) {
      if (child.nodeType === Node.ELEMENT_NODE) append(parts, child, isText, depth + 1);
      else if (isText && child.nodeType === Node.TEXT_NODE) parts.push(escaped(child.data));
    }
    if (kept || isText) parts.push(`</${name}>`);
  }

  /** Returns the structured data of the page as HTML. */
  function data() {
    const parts = [`<title>${escaped(document.title)}</title>`];
    const base = document.querySelector("base[href]");
    if (base) parts.push(`<base href="${escaped(base.href)}">`);
    for (const meta of document.querySelectorAll("meta[content]")) {
      const name = meta.getAttribute("property") ?? meta.getAttribute("name") ?? "";
      if (META.test(name.trim())) parts.push(`<meta property="${escaped(name)}" content="${escaped(meta.content)}">`);
    }
    const links = 'link[rel~="canonical"][href], link[rel~="alternate"][href^="android-app:"]';
    for (const link of document.querySelectorAll(links)) {
      parts.push(`<link rel="${escaped(link.rel)}" href="${escaped(link.href)}">`);
    }
    for (const script of document.querySelectorAll('script[type^="application/ld+json"]')) {
      const text = script.textContent.replace(/<\/script/gi, "<\\/script");
      parts.push(`<script type="application/ld+json">${text}</script>`);
    }
    for (const root of document.querySelectorAll(ROOTS)) {
      if (!root.parentElement?.closest(ROOTS)) append(parts, root, false, 0);
    }
    const references = [...document.querySelectorAll("[itemref]")].map((item) => item.getAttribute("itemref"));
    for (const id of new Set(references.flatMap((text) => text.split(/\s+/)))) {
      const element = id && document.getElementById(id);
      if (element && !element.closest(ROOTS)) append(parts, element, false, 0);
    }
    const html = parts.join("");
    return html.length > LIMIT ? html.slice(0, LIMIT) : html;
  }

  const canonical = document.querySelector('link[rel~="canonical"]')?.href;
  return { title: document.title.slice(0, 1000), canonical, html: data() };
})();
