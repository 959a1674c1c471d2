"use strict";
(() => {
const data = JSON.parse(document.getElementById("data").textContent);
const kernels = data.kernels, findings = data.findings, archs = data.archs;
const pageSize = 50;
const $ = id => document.getElementById(id);

// el makes an element. Text only ever becomes text, never markup.
function el(tag, attributes, ...children) {
  const e = document.createElement(tag);
  for (const k in attributes || {}) if (attributes[k] !== undefined) e.setAttribute(k, attributes[k]);
  e.append(...children.filter(c => c !== undefined && c !== null));
  return e;
}
const num = v => v < 0 ? "–" : String(v);
const pct = v => (Math.round(v * 10) / 10) + " %";
const spillText = k => k.ss < 0 ? "–" : k.ss + k.sl === 0 ? "0" : k.ss + " + " + k.sl;
const severities = ["info", "warning", "error"];
// What is accepted (suppressed, or in the baseline) is no open finding.
const open = k => (k.f || []).map(i => findings[i]).filter(f => !f.suppressed);
const worst = k => Math.max(-1, ...open(k).map(f => severities.indexOf(f.severity)));
const findingText = k => {
  if (!k.f) return "";
  const count = [0, 0, 0], words = [];
  for (const f of open(k)) count[severities.indexOf(f.severity)]++;
  for (let s = 2; s >= 0; s--) if (count[s]) words.push(count[s] + " " + severities[s] + (s && count[s] > 1 ? "s" : ""));
  const accepted = k.f.length - open(k).length;
  if (accepted) words.push(accepted + " accepted");
  return words.join(", ");
};

const columns = [
  {title: "Kernel", key: k => k.s, cell: (k, i) => el("td", {class: "name"},
    k.x ? el("span", {class: "flag"}, "! ") : null,
    el("a", {href: "#k" + i}, k.s), k.k ? el("span", {class: "soft"}, k.p ? " in " + k.p : " function") : null)},
  {title: "Arch", key: k => archs[k.a], cell: k => el("td", {}, archs[k.a] || "–")},
  {title: "Registers", num: true, key: k => k.r, cell: k => number(num(k.r))},
  {title: "Spills", num: true, key: k => k.ss < 0 ? -1 : k.ss + k.sl, cell: k => number(spillText(k))},
  {title: "Stack", num: true, key: k => k.st, cell: k => number(num(k.st))},
  {title: "Shared", num: true, key: k => k.sh, cell: k => number(num(k.sh))},
  {title: "Barriers", num: true, key: k => k.b, cell: k => number(num(k.b))},
  {title: "Occupancy", desc: true, key: k => k.o ? k.o.percent : -1, cell: k => {
    if (!k.o) return el("td", {}, "–");
    const bar = el("span", {class: "bar", "aria-hidden": "true"}, el("i", {style: "width:" + k.o.percent + "%"}));
    return el("td", {class: "occupancy"}, bar, el("span", {class: "pct"}, pct(k.o.percent)), " ",
      el("span", {class: "fit"}, k.o.blocks + " × " + k.o.threads));
  }},
  {title: "Limited by", key: k => k.o ? k.o.limiters : "", cell: k => el("td", {}, k.o ? k.o.limiters : k.x ? "! " + k.x : "–")},
  {title: "Findings", desc: true, key: k => worst(k) * 1000 + open(k).length,
    cell: k => el("td", {class: "severities"}, k.f ? el("span", {class: worst(k) < 0 ? "soft" : "sev " + severities[worst(k)]}, findingText(k)) : "")},
];
if (data.compared) columns.push({title: "Change", key: k => (k.ch ? statusOrder.indexOf(k.cs) : 99), cell: k => {
  const td = el("td", {class: "change"});
  for (const c of k.ch || [])
    td.append(el("div", {class: c.worse ? "worse" : "better"}, (c.worse ? "▲ " : "▽ ") + c.field + " " + c.old + " → " + c.new));
  if (!k.ch && k.cs && k.cs !== "unchanged") td.append(k.cs);
  return td;
}});
const statusOrder = ["regressed", "worse", "better", "unknown", "added", "removed", "unchanged"];
function number(text) { return el("td", {class: "num"}, text); }

// What the filter looks in, made when it is first needed.
let words;
const wordsOf = k => (k.d + " " + k.n + " " + archs[k.a] + " " + (k.f || []).map(i => findings[i].rule).join(" ")).toLowerCase();
let order = kernels.map((_, i) => i), sorted = columns.findIndex(c => c.title === "Findings"), descending = true, shown = order, page = 0;

// On paper a heading is text: browsers leave controls out where they repeat it.
function head(paper) {
  const row = el("tr", {});
  columns.forEach((c, i) => {
    const state = sorted === i ? (descending ? "descending" : "ascending") : "none";
    const button = el("button", {type: "button"}, c.title,
      sorted === i ? el("span", {class: "arrow", "aria-hidden": "true"}, descending ? " ▾" : " ▴") : null);
    button.addEventListener("click", () => {
      descending = sorted === i ? !descending : !!(c.num || c.desc);
      sorted = i;
      sort();
      apply();
      $("table").tHead.rows[0].cells[i].firstChild.focus();
    });
    row.append(el("th", {scope: "col", class: c.num ? "num" : undefined, "aria-sort": state}, paper ? c.title : button));
  });
  return el("thead", {}, row);
}
function sort() {
  const keys = kernels.map(columns[sorted].key), sign = descending ? -1 : 1;
  order = kernels.map((_, i) => i).sort((a, b) => {
    const x = keys[a], y = keys[b];
    return (x < y ? -sign : x > y ? sign : 0) || a - b;
  });
}
function apply() {
  const parts = $("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  if (parts.length) words ||= kernels.map(wordsOf);
  const arch = $("arch").value, only = $("only").checked, changed = $("changed").checked;
  shown = order.filter(i => {
    const k = kernels[i];
    return (!arch || archs[k.a] === arch) && (!only || worst(k) >= 0) && (!changed || k.cs && k.cs !== "unchanged") &&
      parts.every(p => words[i].includes(p));
  });
  page = 0;
  render();
}
function render(all) {
  const from = all ? 0 : page * pageSize, to = all ? shown.length : Math.min(shown.length, from + pageSize);
  const body = el("tbody", {});
  for (const i of shown.slice(from, to)) {
    const row = el("tr", {});
    for (const c of columns) row.append(c.cell(kernels[i], i));
    body.append(row);
  }
  const caption = el("caption", {class: "soft", style: "text-align:left;padding:4px 10px;position:absolute;left:-999px"}, "Kernels and what each uses");
  $("table").replaceChildren(caption, head(all), body);
  $("shown").textContent = shown.length === kernels.length ? kernels.length + " records" : shown.length + " of " + kernels.length + " records";
  $("pager").hidden = shown.length <= pageSize;
  $("where").textContent = shown.length ? (from + 1) + "–" + to + " of " + shown.length : "";
  $("previous").disabled = page === 0;
  $("next").disabled = to >= shown.length;
}
function turn(by) { page += by; render(); $("kernels").scrollIntoView(); }

// The kernel's page.
function show(i) {
  const k = kernels[i], box = $("page");
  const back = el("a", {href: "#kernels", class: "back"}, "← All kernels");
  const parts = [el("p", {}, back), el("h2", {id: "page-title"}, k.s + (archs[k.a] ? " on " + archs[k.a] : "")),
    el("p", {class: "mono"}, k.d), k.n !== k.d ? el("p", {class: "mono soft"}, k.n) : null,
    k.k ? el("p", {}, k.p ? "A device function, compiled for " + k.p + "." : "A device function.") : null,
    k.x ? el("p", {class: "notrust"}, "This record can't be trusted: " + k.x + ".") : null, tiles(k)];
  if (k.f) parts.push(el("h3", {}, "Findings"), ...k.f.map(j => finding(findings[j], k.pl)));
  if (k.pl) parts.push(...places(k.pl));
  if (k.log) parts.push(el("h3", {}, "What the log says"), el("p", {class: "mono soft"}, k.log[0][0]),
    el("pre", {}, k.log.map(l => l[1]).join("\n")));
  if (k.c !== undefined && !k.assumed) parts.push(el("h3", {}, "Limits"), limits(data.launches[k.c]));
  if (k.dec) parts.push(el("h3", {}, "Declared"), grid("Declared", ["What", "Value", "Where"], k.dec));
  if (k.ch) parts.push(el("h3", {}, "Change"), changes(k));
  parts.push(...curves(k));
  box.replaceChildren(...parts.filter(Boolean));
  // A link would leave the kernel's page, which is a fragment itself.
  for (const b of box.querySelectorAll(".toplaces")) b.addEventListener("click", () => $("places").scrollIntoView());
  box.hidden = false;
  $("overview").hidden = true;
  window.scrollTo(0, 0);
  box.focus({preventScroll: true});
}
function tiles(k) {
  const tile = (value, label) => el("li", {}, el("b", {}, value), el("span", {class: "soft"}, label));
  return el("ul", {class: "tiles"}, tile(num(k.r), "registers per thread"), tile(spillText(k), "bytes spilled, stores + loads"),
    tile(num(k.st), "bytes of stack frame"), tile(num(k.sh), "bytes of static shared memory"), tile(num(k.b), "named barriers"),
    k.o ? tile(pct(k.o.percent), k.o.blocks + " blocks × " + k.o.threads + " threads = " + k.o.warps + " of " + k.o.slots + " warps") : tile("–", k.why || "occupancy"));
}
function finding(f, placed) {
  const rule = data.rules[f.rule] || {};
  return el("div", {class: "finding " + f.severity}, el("div", {class: "body", style: "padding-top:8px;padding-left:16px"},
    el("p", {}, el("span", {class: "sev " + f.severity}, f.severity), " " + f.message + " ", el("code", {class: "rule"}, f.rule)),
    f.suppressed ? el("p", {}, "Accepted: " + f.suppressed) : null,
    f.place ? el("p", {}, el("code", {}, f.place)) : null,
    f.declared ? el("p", {}, "declared " + f.declared) : null,
    f.notes ? el("ul", {}, ...f.notes.map(n => el("li", {}, n))) : null,
    f.help ? el("p", {class: "help"}, el("b", {}, "Help: "), f.help) : null,
    placed && /spill|stack-frame/.test(f.rule) ? el("p", {}, el("button", {type: "button", class: "toplaces"}, "Show in which loops and lines")) : null,
    rule.why ? el("details", {}, el("summary", {}, "About " + f.rule),
      ...(rule.why + "\n\n" + rule.fix).split("\n\n").map(p => el("p", {}, p))) : null));
}
// Where local memory is used: the loops as nested bars, then the lines.
function places(p) {
  const bar = r => el("span", {class: "bar wide", "aria-hidden": "true"}, el("i", {class: "spills", style: "width:" + r.s + "%"}), el("i", {class: "arrays", style: "width:" + r.a + "%"}));
  const parts = [el("h3", {id: "places"}, "Where the spills are"), el("p", {}, p.h + " "), el("p", {class: "mono soft"}, p.file)];
  if (p.rows) parts.push(el("ul", {class: "loops"}, ...p.rows.map(r => el("li", {style: "margin-left:" + r.i * 1.4 + "em"}, el("code", {}, r.l), " " + r.w, bar(r)))));
  if (p.lines) parts.push(grid("Lines with local memory", ["Line", "Loop depth", "Spills, stores + loads", "Arrays, stores + loads"], p.lines));
  for (const n of p.notes || []) parts.push(el("p", {class: "soft"}, n));
  if (p.more) parts.push(el("p", {class: "soft"}, p.more));
  return parts;
}
function grid(name, titles, rows) {
  return el("div", {class: "scroll narrow"}, el("table", {"aria-label": name}, el("thead", {}, el("tr", {}, ...titles.map(t => el("th", {scope: "col"}, t)))),
    el("tbody", {}, ...rows.map(r => el("tr", {}, ...r.map(c => el("td", {}, c)))))));
}
function limits(launch) {
  return grid("Limits", ["Resource", "One block takes", "The SM has", "Blocks that fit"],
    launch.limits.map(l => [l[0], l[1], l[2], l[4] ? el("b", {}, l[3] + " ← limits") : l[3]]));
}
function changes(k) {
  return grid("Change", ["What", "Before", "Now", ""], k.ch.map(c => [c.field, c.old, c.new,
    el("span", {class: c.worse ? "worse" : "better"}, c.worse ? "worse" + (c.threshold ? " than " + c.threshold + " allows" : "") : "better")]));
}

// The curves: the same drawing as calc --output svg.
const W = 420, H = 250, L = 48, R = 16, T = 40, B = 40;
function curves(k) {
  if (k.c === undefined) return [];
  const launch = data.launches[k.c];
  const heading = el("h3", {}, "Occupancy curves"), parts = [heading];
  if (k.assumed) parts.push(el("p", {class: "soft"}, "No block size is declared: these are for " + launch.threads + " threads per block."));
  parts.push(el("div", {class: "charts"}, ...launch.curves.map(c => el("figure", {}, chart(c, k.target || 0)))));
  return parts;
}
function chart(c, target) {
  const x = v => L + v / c.most * (W - L - R), y = p => H - B - p / 100 * (H - T - B), f = v => v.toFixed(1);
  const svg = node("svg", {viewBox: "0 0 " + W + " " + H, role: "img", "aria-label": c.words + (target ? " Declared: " + pct(target) + "." : "")});
  svg.append(node("text", {x: L, y: 18, class: "title"}, "Occupancy by " + c.title));
  for (const p of [0, 25, 50, 75, 100])
    svg.append(node("path", {class: "grid", d: "M" + L + " " + f(y(p)) + "H" + (W - R)}), node("text", {x: L - 6, y: f(y(p) + 4), "text-anchor": "end"}, p + " %"));
  for (const t of c.ticks) svg.append(node("text", {x: f(x(t[0])), y: H - B + 18, "text-anchor": "middle"}, t[1]));
  let d = "";
  for (let i = 0; i < c.steps.length; i += 3)
    d += (i ? "V" : "M" + f(x(c.steps[0])) + " ") + f(y(c.steps[i + 2])) + "H" + f(x(c.steps[i + 1]));
  svg.append(node("path", {class: "under", d: d + "V" + f(y(0)) + "H" + f(x(c.steps[0])) + "Z"}), node("path", {class: "curve", d}));
  if (target) svg.append(node("path", {class: "target", d: "M" + L + " " + f(y(target)) + "H" + (W - R)}),
    node("text", {class: "targettext", x: W - R, y: f(y(target) - 5), "text-anchor": "end"}, "declared " + pct(target)));
  const px = x(Math.min(c.now, c.most)), py = y(c.at), left = px > W * 0.6;
  svg.append(node("circle", {class: "now", cx: f(px), cy: f(py), r: 5}),
    node("text", {class: "nowtext", x: f(px + (left ? -9 : 9)), y: f(py - 9 < T ? py + 18 : py - 9), "text-anchor": left ? "end" : "start"}, c.label + ": " + pct(c.at)));
  return svg;
}
function node(tag, attributes, text) {
  const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const k in attributes) e.setAttribute(k, attributes[k]);
  if (text !== undefined) e.textContent = text;
  return e;
}

function route() {
  const m = /^#k(\d+)$/.exec(location.hash);
  if (m && kernels[+m[1]]) return show(+m[1]);
  const was = !$("page").hidden;
  $("page").hidden = true;
  $("overview").hidden = false;
  if (was) $("kernels").focus();
}
for (const a of archs.slice().sort((a, b) => a.localeCompare(b, "en", {numeric: true})))
  $("arch").append(el("option", {value: a}, a || "not stated"));
$("changed-label").hidden = !data.compared;
for (const id of ["filter", "arch", "only", "changed"]) $(id).addEventListener("input", apply);
$("controls").addEventListener("submit", e => e.preventDefault());
$("previous").addEventListener("click", () => turn(-1));
$("next").addEventListener("click", () => turn(1));
$("controls").hidden = $("legend").hidden = false;
addEventListener("hashchange", route);
let folded = [];
addEventListener("beforeprint", () => {
  folded = [...document.querySelectorAll("details:not([open])")];
  folded.forEach(d => d.open = true);
  render(true);
});
addEventListener("afterprint", () => { folded.forEach(d => d.open = false); render(); });
sort();
apply();
route();
})();
