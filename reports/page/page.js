'use strict';
// The page says everything without this script. It adds three things: to go through
// the events one by one, to see the state of every actor before and after each, and
// to look at two histories in one place by turns.
(() => {
  const $ = (id) => document.getElementById(id);
  const rows = [...document.querySelectorAll('#events tbody tr[id]')];
  if (rows.length) scrub();
  if ($('sides')) blink();

  function scrub() {
    const play = $('play'), slider = $('at'), say = $('say'), body = $('state').tBodies[0];
    const drawn = rows.map((row) => $('d' + row.id.slice(1)));
    // Of each row what it changed: [thing, before, after].
    const changes = rows.map((row) => [...row.querySelectorAll('small')].map((s) =>
      [...s.children].map((el) => el.textContent)));
    // Each thing has a row that says what it is at the start.
    const things = new Map([...body.rows].map((tr) => {
      const [of, was, now] = tr.cells;
      return [of.textContent, [was.textContent, [was, now]]];
    }));
    let at = rows.length - 1;

    // states gives every thing its value before and after the event at i.
    function states(i) {
      const before = new Map(), after = new Map();
      for (const [of, [start]] of things) before.set(of, start);
      for (let k = 0; k < i; k++) for (const [of, , is] of changes[k]) before.set(of, is);
      for (const [of, , is] of changes[i]) after.set(of, is);
      for (const [of, [, [was, now]]] of things) {
        was.textContent = before.get(of);
        now.textContent = after.has(of) ? after.get(of) : before.get(of);
        now.className = after.has(of) ? 'changed' : '';
      }
    }

    // mark dims what comes after the event at i, and lights it up; it touches only
    // the rows between the last event and this one.
    function mark(i, all) {
      const lo = all ? 0 : Math.min(i, at), hi = all ? rows.length - 1 : Math.max(i, at);
      for (let k = lo; k <= hi; k++) {
        for (const el of [rows[k], drawn[k]]) {
          if (!el) continue;
          el.classList.toggle('later', k > i);
          el.classList.toggle('now', k === i);
          if (el === drawn[k]) el.setAttribute('tabindex', k === i ? '0' : '-1');
        }
      }
    }

    function go(i, all) {
      i = Math.max(0, Math.min(rows.length - 1, i));
      mark(i, all);
      at = i;
      slider.value = i;
      const row = rows[i], words = row.querySelector('time').textContent + ', ' + row.querySelector('span').textContent;
      const where = 'event ' + row.id.slice(1) + ', step ' + (i + 1) + ' of ' + rows.length;
      say.textContent = where + ': ' + words;
      slider.setAttribute('aria-valuetext', where + ', ' + words);
      states(i);
    }

    // violation is the first row in which a property breaks, after the present one.
    function violation() {
      const broken = rows.map((row, i) => row.classList.contains('broken') ? i : -1).filter((i) => i >= 0);
      return broken.length ? broken.find((i) => i > at) ?? broken[0] : -1;
    }

    // reach makes a row of the picture one that can be walked to: Tab comes to the present
    // one, arrows go on from it, and Enter leads to its row in the table.
    function reach(el, i) {
      el.setAttribute('role', 'group');
      el.setAttribute('aria-label', 'event ' + rows[i].id.slice(1) + ', ' + rows[i].querySelector('span').textContent);
      el.setAttribute('tabindex', '-1');
      el.addEventListener('click', () => go(i));
      el.addEventListener('keydown', (e) => {
        if (e.ctrlKey || e.metaKey || e.altKey) return;
        const to = {ArrowUp: i - 1, ArrowLeft: i - 1, ArrowDown: i + 1, ArrowRight: i + 1, Home: 0, End: rows.length - 1}[e.key];
        if (to !== undefined) {
          e.preventDefault();
          e.stopPropagation();
          go(to);
          (drawn[at] || el).focus();
        }
        if (e.key === 'Enter') location.hash = rows[i].id;
      });
    }

    function see() {
      const el = drawn[at] || rows[at];
      el.scrollIntoView({block: 'center', inline: 'nearest'});
    }

    slider.max = rows.length - 1;
    slider.addEventListener('input', () => go(+slider.value));
    $('first').addEventListener('click', () => go(0));
    $('back').addEventListener('click', () => go(at - 1));
    $('next').addEventListener('click', () => go(at + 1));
    $('last').addEventListener('click', () => go(rows.length - 1));
    if (violation() < 0) $('broken').hidden = true;
    $('broken').addEventListener('click', () => { go(violation()); see(); });
    for (const [i, el] of drawn.entries()) if (el) reach(el, i);
    const toHash = () => {
      const i = rows.findIndex((row) => '#' + row.id === location.hash);
      if (i >= 0) go(i);
    };
    addEventListener('hashchange', toHash);
    document.addEventListener('keydown', (e) => {
      if (!$('keys').checked || e.ctrlKey || e.metaKey || e.altKey || e.target.closest('input,textarea,.scroll')) return;
      const to = {ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: rows.length - 1}[e.key];
      if (to !== undefined) { e.preventDefault(); go(to); return; }
      if (e.key === 'f' && violation() >= 0) { go(violation()); see(); }
    });
    play.hidden = false;
    $('states').hidden = false;
    go(at, true);
    toHash();
  }

  function blink() {
    const table = $('sides'), pair = $('pair'), bar = $('blink'), both = $('both'), a = $('isa'), b = $('isb'), run = $('run');
    const still = matchMedia('(prefers-reduced-motion: reduce)');
    let timer = 0;
    function show(which) {
      for (const el of [table, pair]) {
        el.classList.toggle('one', which !== 'both');
        el.classList.toggle('isb', which === 'b');
      }
      for (const [button, name] of [[both, 'both'], [a, 'a'], [b, 'b']]) button.setAttribute('aria-pressed', which === name);
    }
    function stop() {
      clearInterval(timer);
      timer = 0;
      run.setAttribute('aria-pressed', 'false');
    }
    const turn = () => show(table.classList.contains('one') && !table.classList.contains('isb') ? 'b' : 'a');
    function toggle() {
      if (timer) return stop();
      turn();
      if (still.matches) return;
      run.setAttribute('aria-pressed', 'true');
      timer = setInterval(turn, 900);
    }
    for (const [button, name] of [[both, 'both'], [a, 'a'], [b, 'b']]) button.addEventListener('click', () => { stop(); show(name); });
    run.addEventListener('click', toggle);
    document.addEventListener('keydown', (e) => {
      if (e.key === 'b' && (!$('keys') || $('keys').checked) && !e.ctrlKey && !e.metaKey && !e.altKey && !e.target.closest('input,textarea')) toggle();
    });
    bar.hidden = false;
    show('both');
  }
})();
