"use strict";
// Every text of the data is put in as text, never as markup.
(() => {
  const { nodes, edges, picture } = JSON.parse(document.getElementById("data").textContent);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const part = (id) => document.getElementById(id);

  function element(name, text, className) {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    return made;
  }

  function swatch(colour) {
    const made = element("span", "", "swatch");
    made.style.background = colour;
    return made;
  }

  function entry(...children) {
    const made = element("li");
    made.append(...children);
    return made;
  }

  part("query").textContent = picture.query;
  part("notes").textContent = picture.notes.join(" · ");
  for (const [kind, colour, count] of picture.legend)
    part("legend").append(entry(swatch(colour), element("span", kind), element("span", count, "count")));
  for (const [style, meaning] of picture.styles)
    part("styles").append(entry(element("span", "", `stroke ${style}`), element("span", `${style}: ${meaning}`)));

  function look() {
    const ink = dark.matches ? "#e7eaf0" : "#20242b", back = dark.matches ? "#1b1e24" : "#ffffff";
    const font = { color: ink, size: 13, face: "system-ui, sans-serif", strokeWidth: 3, strokeColor: back };
    return {
      autoResize: true,
      physics: false,
      layout: { improvedLayout: false },
      interaction: { hover: true, keyboard: false, tooltipDelay: 1e9 },
      nodes: { shape: "dot", size: 13, borderWidth: 2, font },
      edges: { smooth: false, width: 1.2, font: { ...font, size: 10, align: "middle" },
        arrows: { to: { enabled: true, scaleFactor: 0.5 } } },
    };
  }

  const network = new vis.Network(part("network"), { nodes: new vis.DataSet(nodes), edges: new vis.DataSet(edges) }, look());
  dark.addEventListener("change", () => network.setOptions(look()));

  const buttons = nodes.map((node) => {
    const button = element("button");
    button.type = "button";
    button.append(swatch(picture.dots[node.id].colour), element("span", `${picture.dots[node.id].kind} ${node.label}`));
    button.addEventListener("click", () => { network.selectNodes([node.id]); choose(node.id); });
    part("records").append(entry(button));
    return button;
  });

  function choose(id) {
    buttons.forEach((button, number) => button.setAttribute("aria-pressed", String(number === id)));
    const facts = part("facts");
    facts.replaceChildren();
    if (id === undefined) return facts.append(element("dd", "Choose a record, in the picture or below."));
    const { coordinate, facts: known } = picture.dots[id];
    for (const [name, value] of [["", coordinate], ...known])
      facts.append(element("dt", name), element("dd", value));
  }

  network.on("selectNode", (event) => choose(event.nodes[0]));
  network.on("deselectNode", () => choose());
  addEventListener("keydown", (event) => { if (event.key === "Escape") { network.unselectAll(); network.fit(); choose(); } });
  choose();
  network.once("afterDrawing", () => { document.documentElement.dataset.drawn = "true"; });
})();
