// The lists of files to print -> those for one paper and one ink, chosen once for all rulesets.
// Without a choice made before, the paper is that of the country of the browser's language.
(() => {
  "use strict";
  const LETTER = new Set(["US", "CA", "MX", "PH", "CL", "CO", "CR", "DO", "GT", "NI", "PA", "PR", "SV", "VE"]);
  const form = document.querySelector("form.choices");
  const documents = [...document.querySelectorAll(".print .files")];

  // A page opened from a file may have no storage, or none that it may use.
  const kept = (name) => {
    try {
      return localStorage.getItem(`rulebook.${name}`);
    } catch {
      return null;
    }
  };
  const keep = (name, value) => {
    try {
      localStorage.setItem(`rulebook.${name}`, value);
    } catch {
      // The choice holds for this page alone.
    }
  };

  const usual = {
    paper: LETTER.has(new Intl.Locale(navigator.language || "en").region) ? "letter" : "a4",
    ink: "full",
  };
  for (const name of Object.keys(usual)) {
    const radios = [...form.querySelectorAll(`[name=${name}]`)];
    const wanted = [kept(name), usual[name]]
      .map((value) => radios.find((radio) => radio.value === value))
      .find(Boolean);
    if (wanted) wanted.checked = true;
  }

  // What a document lacks is no choice of its own: then all of its files stay.
  const those = (files, name, value) => {
    const found = files.filter((file) => !(name in file.dataset) || file.dataset[name] === value);
    return found.length ? found : files;
  };
  const show = () => {
    const chosen = new FormData(form);
    for (const list of documents) {
      const files = [...list.children];
      let shown = files;
      for (const [name, value] of chosen) shown = those(shown, name, value);
      for (const file of files) file.hidden = !shown.includes(file);
    }
  };
  form.addEventListener("change", ({ target }) => {
    keep(target.name, target.value);
    show();
  });
  form.hidden = false;
  show();
})();
