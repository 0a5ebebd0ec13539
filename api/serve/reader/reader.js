/**
 * Swagger UI with the groups closed, and a box that finds operations by words of their group, summary, name, path and
 * method: all of the words, in any order.
 */
const wordsOf = (phrase) => phrase.toLowerCase().split(/\s+/).filter(Boolean);

function isFound(words, group, operation) {
  const named = ["summary", "operationId"].map((name) => operation.getIn(["operation", name]));
  const text = [group, operation.get("method"), operation.get("path"), ...named].join(" ").toLowerCase();
  return words.every((word) => text.includes(word));
}

function opsFilter(groups, phrase) {
  const words = wordsOf(phrase);
  return groups
    .map((group, name) => group.update("operations", (all) => all.filter((each) => isFound(words, name, each))))
    .filter((group) => group.get("operations").size > 0);
}

/** Opens all groups where something is sought, and closes them again; the page's address stays as it is. */
const updateFilter = (original, system) => (phrase) => {
  const shown = wordsOf(phrase).length > 0;
  for (const name of system.specSelectors.taggedOperations().keySeq())
    system.getStore().dispatch({ type: "layout_show", payload: { thing: ["operations-tag", name], shown } });
  return original(phrase);
};

const plugin = ({ React }) => ({
  fn: { opsFilter },
  statePlugins: { layout: { wrapActions: { updateFilter } } },
  components: {
    FilterContainer({ layoutSelectors, layoutActions, specSelectors, fn }) {
      const current = layoutSelectors.currentFilter();
      const phrase = typeof current === "string" && current !== "true" ? current : "";
      const isEmpty = phrase !== "" && fn.opsFilter(specSelectors.taggedOperations(), phrase).size === 0;
      return React.createElement(
        "div",
        { className: "wrapper" },
        React.createElement("input", {
          className: "filter-box",
          type: "search",
          value: phrase,
          placeholder: "Filter operations: a word of their name, path or group",
          "aria-label": "Filter operations",
          onChange: ({ target }) => layoutActions.updateFilter(target.value),
        }),
        isEmpty &&
          React.createElement(
            "p",
            { className: "filter-none", role: "status" },
            "No operation has all of these words.",
          ),
      );
    },
  },
});

SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#reader",
  deepLinking: true,
  docExpansion: "none",
  filter: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  persistAuthorization: false,
  plugins: [plugin],
});
