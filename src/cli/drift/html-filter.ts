/**
 * The script of the report: shows the filter, hides what does not match it, and opens all groups for printing. It is plain
 * JavaScript for a browser, and without it everything is visible.
 */
export const filterScript = `
(() => {
  const box = document.getElementById("filter");
  const output = document.querySelector("output");
  const lowerText = (element) => element.textContent.toLowerCase();
  const groups = [...document.querySelectorAll("[data-group]")].map((element) => ({
    element,
    text: lowerText(element.querySelector("summary, p")),
    tenants: [...element.querySelectorAll(".tenants li")].map((item) => ({ element: item, text: lowerText(item) })),
  }));
  const articles = [...document.querySelectorAll("article")].map((element) => ({ element, text: lowerText(element) }));
  const apply = () => {
    const query = box.value.trim().toLowerCase();
    for (const { element, text, tenants } of groups) {
      for (const tenant of tenants) tenant.element.hidden = !(text.includes(query) || tenant.text.includes(query));
      element.hidden = tenants.every((tenant) => tenant.element.hidden);
    }
    for (const { element, text } of articles) element.hidden = !text.includes(query);
    for (const section of document.querySelectorAll("section")) {
      const parts = [...section.querySelectorAll("[data-group], article")];
      section.hidden = parts.every((part) => part.hidden);
    }
    const shown = articles.filter(({ element }) => !element.hidden).length;
    output.textContent = query === "" ? "" : shown + " of " + articles.length + " tenants";
  };
  box.addEventListener("input", apply);
  document.querySelector(".filter").hidden = false;
  addEventListener("beforeprint", () => {
    for (const group of document.querySelectorAll("details")) group.open = true;
  });
})();
`;
