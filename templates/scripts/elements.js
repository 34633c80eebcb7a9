/* What the scripts of pages have in common: elements made of text, never of markup; the words of the
   page; and a small store on the device, which some browsers do not give. */
globalThis.page = (() => {
  "use strict";

  /** An element with attributes, or with what happens to it (`onclick`), and what is in it. */
  function make(name, attributes = {}, ...inner) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
      else if (value === true) element.setAttribute(key, "");
      else if (value !== false && value !== undefined) element.setAttribute(key, value);
    }
    element.append(...inner);
    return element;
  }

  const data = (id) => JSON.parse(document.getElementById(id).textContent);
  const words = data("words");

  /** The words of the page for something, with values in their places: `{die}`. */
  function say(key, values = {}) {
    return words[key].replace(/\{(\w+)\}/g, (place, name) => values[name] ?? place);
  }

  const stored = (name) => `rulebook/${data("roster-data").ruleset}/${name}`;

  /** What is kept on this device under a name, or undefined; no fault where nothing can be kept. */
  function kept(name) {
    try {
      return JSON.parse(localStorage.getItem(stored(name)) ?? "null") ?? undefined;
    } catch {
      return undefined;
    }
  }

  /** Keep plain data; whether that could be done. */
  function keep(name, plain) {
    try {
      localStorage.setItem(stored(name), JSON.stringify(plain));
      return true;
    } catch {
      return false;
    }
  }

  return { make, data, say, kept, keep };
})();
