// Comforts only: every page works without this file.
(function () {
  "use strict";
  var typing = function (target) { return target.closest("input, select, textarea, [contenteditable]"); };
  var off = function () { try { return localStorage.getItem("keys") === "off"; } catch (error) { return false; } };
  var waiting = "";
  document.addEventListener("keydown", function (event) {
    if ((event.ctrlKey || event.metaKey) && event.key === "Enter") {
      var form = event.target.closest("form[method=post]");
      if (form) { event.preventDefault(); form.requestSubmit(); }
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) { return; }
    if (event.key === "Escape" && typing(event.target)) { event.target.blur(); return; }
    if (typing(event.target) || off()) { return; }
    if (waiting === "g") {
      waiting = "";
      var place = document.querySelector('.places a[data-key="' + CSS.escape(event.key) + '"]');
      if (place) { event.preventDefault(); place.click(); }
      return;
    }
    if (event.key === "g") { waiting = "g"; setTimeout(function () { waiting = ""; }, 1500); return; }
    if (event.key === "?") { if (document.querySelector(".who")) { location.href = "/me#keys"; } return; }
    if (event.key === "/") { var find = document.getElementById("find"); if (find) { event.preventDefault(); find.focus(); find.select(); } return; }
    var row = document.activeElement.closest && document.activeElement.closest(".row, .wait");
    if (event.key === "x" && row && row.querySelector(".tick input")) { event.preventDefault(); row.querySelector(".tick input").click(); return; }
    if (event.key === "a" && document.querySelector("[data-bulk]")) {
      var whole = row && row.querySelector("[data-case]");
      if (document.querySelector(".tick input:checked")) { event.preventDefault(); document.querySelector("[data-bulk-to]").focus(); return; }
      if (whole) { event.preventDefault(); location.href = whole.dataset.case + "#possible"; return; }
    }
    if (event.key === "w" && row && row.querySelector("[data-why]")) { event.preventDefault(); location.href = row.querySelector("[data-why]").dataset.why; return; }
    if (event.key === "j" || event.key === "k") { step(event.key === "j" ? 1 : -1); return; }
    var link = document.querySelector('[data-act-key="' + CSS.escape(event.key) + '"]') || document.querySelector('[data-page-key="' + CSS.escape(event.key) + '"]');
    if (link) { event.preventDefault(); if (link.tagName === "SUMMARY") { link.parentElement.open = !link.parentElement.open; link.focus(); } else { link.click(); } }
  });
  function step(by) {
    var rows = Array.prototype.slice.call(document.querySelectorAll(".row-link"));
    var near = document.activeElement.closest && document.activeElement.closest(".row, .wait");
    var at = rows.indexOf(near ? near.querySelector(".row-link") : document.activeElement);
    var next = rows[at < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(Math.max(at + by, 0), rows.length - 1)];
    if (next) { next.focus(); }
  }
  var bulk = document.querySelector("[data-bulk]");
  if (bulk) {
    var tell = function () {
      var number = document.querySelectorAll(".tick input:checked").length;
      bulk.classList.toggle("has-some", number > 0);
      bulk.querySelector("[data-bulk-count]").textContent = number ? number + (number === 1 ? " case:" : " cases:") : "Ticked cases:";
    };
    document.addEventListener("change", function (event) { if (event.target.closest(".tick")) { tell(); } });
    window.addEventListener("pageshow", tell);
  }
  document.querySelectorAll("form[data-send=change]").forEach(function (form) {
    form.addEventListener("change", function (event) { if (event.target.tagName === "SELECT") { form.requestSubmit(); } });
  });
  document.querySelectorAll("form[method=get]").forEach(function (form) {
    form.addEventListener("submit", function () {
      form.querySelectorAll("input, select").forEach(function (field) { if (!field.value && field.name) { field.disabled = true; setTimeout(function () { field.disabled = false; }); } });
    });
  });
  document.querySelectorAll("[data-print]").forEach(function (button) { button.hidden = false; button.addEventListener("click", function () { window.print(); }); });
  document.querySelectorAll("[data-keys-switch]").forEach(function (part) {
    var button = part.querySelector("button");
    var say = function () { button.textContent = off() ? "Turn single keys on in this browser" : "Turn single keys off in this browser"; };
    part.hidden = false; say();
    button.addEventListener("click", function () { try { localStorage.setItem("keys", off() ? "on" : "off"); } catch (error) { return; } say(); });
  });
  var first = document.getElementById("first");
  if (first) { first.focus(); }
  var hash = location.hash && document.getElementById(location.hash.slice(1));
  if (hash && hash.tagName === "DETAILS") { hash.open = true; }
  document.querySelectorAll('a[href^="#why-"]').forEach(function (link) {
    link.addEventListener("click", function () { var found = document.getElementById(link.hash.slice(1)); if (found) { found.open = true; found.querySelector("summary").focus(); } });
  });
})();
