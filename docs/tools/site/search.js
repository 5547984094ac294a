// Search in the sections of all pages: window.cunaIndex has [title, place, page, text] for each. A section counts by how
// many of the words it has, and by where they are: in the title, in the page's title, in the text. Names are found
// as scripts and NumPy write them: x:sum(), x.shape, np.zeros.
(function () {
  "use strict";
  var query = document.getElementById("query"), found = document.getElementById("found");
  var root = document.body.dataset.root, chosen = -1;
  var rows = window.cunaIndex.map(function (row) {
    return { row: row, title: row[0].toLowerCase(), page: row[2].toLowerCase(), text: row[3].toLowerCase() };
  });

  function score(entry, word) {
    var title = entry.title.replace(/^.*[.:](?=\w)/, "");
    if (title === word) return 100;
    if (title.startsWith(word)) return 40;
    if (entry.title.includes(word)) return 20;
    if (entry.page.includes(word)) return 6;
    return entry.text.includes(word) ? 2 : 0;
  }

  function wordsOf(text) {
    return text.toLowerCase().split(/\s+/).map(function (word) {
      return word.replace(/^(x|cn|np|cp|numpy|cupy)[.:](?=\w)/, "").replace(/\(.*$/, "");
    }).filter(Boolean);
  }

  function matches(text) {
    var words = wordsOf(text), list = [], most = 0;
    rows.forEach(function (entry) {
      var scores = words.map(function (word) { return score(entry, word); }).filter(Boolean);
      if (scores.length) list.push([scores.length, scores.reduce(function (a, b) { return a + b; }), entry.row]);
      most = Math.max(most, scores.length);
    });
    list = list.filter(function (one) { return one[0] === most || one[1] >= 20; });
    list.sort(function (a, b) { return b[0] - a[0] || b[1] - a[1] || a[2][0].length - b[2][0].length; });
    return list.slice(0, 20);
  }

  function item(row) {
    var li = document.createElement("li"), a = document.createElement("a"), small = document.createElement("small");
    a.href = root + row[1];
    a.textContent = row[0];
    small.textContent = row[2] + " - " + row[3].slice(0, 160);
    a.appendChild(small);
    li.appendChild(a);
    return li;
  }

  function show() {
    var list = matches(query.value);
    found.replaceChildren.apply(found, list.map(function (one) { return item(one[2]); }));
    if (query.value.trim() && !list.length) found.append("Nothing has any of these words.");
    found.hidden = !query.value.trim();
    choose(list.length ? 0 : -1);
  }

  function choose(at) {
    chosen = at;
    Array.prototype.forEach.call(found.children, function (li, i) { li.classList.toggle("chosen", i === at); });
    if (found.children[at]) found.children[at].scrollIntoView({ block: "nearest" });
  }

  query.addEventListener("input", show);
  query.addEventListener("keydown", function (event) {
    var last = found.children.length - 1;
    if (event.key === "ArrowDown") choose(Math.min(chosen + 1, last));
    else if (event.key === "ArrowUp") choose(Math.max(chosen - 1, 0));
    else if (event.key === "Enter" && found.children[chosen]) location.href = found.children[chosen].firstChild.href;
    else if (event.key === "Escape") { query.value = ""; show(); }
    else return;
    event.preventDefault();
  });
  document.addEventListener("keydown", function (event) {
    if (event.key === "/" && document.activeElement !== query) { query.focus(); event.preventDefault(); }
  });
  document.addEventListener("click", function (event) { if (!event.target.closest("header")) found.hidden = true; });
  query.value = new URLSearchParams(location.search).get("q") || "";
  if (query.value) show();
})();
