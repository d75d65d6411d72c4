/* Fetches the parts of the page that changed. Plain enough for an old phone; without it the page reloads itself. */
(function () {
  "use strict";
  var parts = document.querySelectorAll("[data-part]");
  var pending = {};
  var shown = {};

  /* What somebody has opened stays open, and what he is on keeps the focus. */
  function replace(part, text) {
    var open = part.querySelectorAll("details[open][id]"), ids = [], i, one;
    var focus = part.contains(document.activeElement) ? document.activeElement.id : "";
    for (i = 0; i < open.length; i += 1) { ids.push(open[i].id); }
    part.innerHTML = text;
    for (i = 0; i < ids.length; i += 1) {
      one = document.getElementById(ids[i]);
      if (one) { one.setAttribute("open", ""); }
    }
    if (focus && document.getElementById(focus)) { document.getElementById(focus).focus(); }
  }

  function refresh(part) {
    var name = part.getAttribute("data-part");
    if (pending[name]) { pending[name] = "again"; return; }
    pending[name] = "busy";
    var request = new XMLHttpRequest();
    request.open("GET", part.getAttribute("data-url") || "/part/" + name);
    request.timeout = 10000;
    request.onload = function () {
      if (request.status === 200 && shown[name] !== request.responseText) {
        shown[name] = request.responseText;
        replace(part, request.responseText);
      }
    };
    request.onloadend = function () {
      var again = pending[name] === "again";
      pending[name] = "";
      if (again) { window.setTimeout(function () { refresh(part); }, 300); }
    };
    request.send();
  }

  function changed(topics) {
    for (var i = 0; i < parts.length; i += 1) {
      var wanted = (parts[i].getAttribute("data-topics") || parts[i].getAttribute("data-part")).split(" ");
      for (var j = 0; j < wanted.length; j += 1) {
        if (topics[wanted[j]]) { refresh(parts[i]); break; }
      }
    }
  }

  /* a table that falls silent makes no event */
  window.setInterval(function () { for (var i = 0; i < parts.length; i += 1) { refresh(parts[i]); } }, 30000);

  if (!window.EventSource) {
    window.setInterval(function () { for (var i = 0; i < parts.length; i += 1) { refresh(parts[i]); } }, 5000);
    return;
  }
  var stream = new EventSource("/events");
  stream.addEventListener("change", function (event) { changed(JSON.parse(event.data)); });
  stream.onopen = function () { document.body.classList.remove("offline"); };
  stream.onerror = function () { document.body.classList.add("offline"); };
}());
