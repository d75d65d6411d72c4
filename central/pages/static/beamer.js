/* Turns pages by itself where more tables or players are there than fit on the wall: nobody can scroll a beamer. */
(function () {
  "use strict";
  var areas = document.querySelectorAll("[data-turn]");
  var STAYS_MS = 10000, MARGIN = 12;

  function show(area) {
    var items = area.querySelectorAll(area.getAttribute("data-turn")), said = area.querySelector(".turned");
    var bottom = window.innerHeight - MARGIN - (said ? said.offsetHeight : 0), first, i;
    first = area.first < items.length ? area.first : 0;
    for (i = 0; i < items.length; i += 1) { items[i].hidden = true; }
    area.next = 0;
    for (i = first; i < items.length; i += 1) {
      items[i].hidden = false;
      if (i > first && items[i].getBoundingClientRect().bottom > bottom) {
        items[i].hidden = true;
        area.next = i;
        break;
      }
    }
    area.first = first;
    if (said) {
      said.textContent = first || area.next
        ? area.getAttribute("data-word") + " " + (first + 1) + " tot " + (area.next || items.length) + " van " + items.length
        : "";
    }
  }

  function each(what) { for (var i = 0; i < areas.length; i += 1) { what(areas[i]); } }

  if (!window.MutationObserver) { return; }
  document.body.classList.add("turning");
  each(function (area) {
    area.first = 0;
    show(area);
    new MutationObserver(function () { show(area); }).observe(area.querySelector("[data-part]"), {childList: true});
  });
  window.addEventListener("resize", function () { each(show); });
  window.setInterval(function () { each(function (area) { area.first = area.next; show(area); }); }, STAYS_MS);
}());
