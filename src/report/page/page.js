'use strict';
/* The page of omen's report. All data is in #data, as src/report/html.c writes
   it; strings of the program reach the page as text nodes only. Each process is
   a run with tables of its own; `data` is the run of the finding in sight.

   An event is [index, id, operation, location, class, key, value]: index in its
   thread, id in the trace (the observed order), class one of
     r w u  read, write, update of the place `key`
     a e    acquire and release of the lock `key`
     s m    other synchronisation, marks.
   A schedule is a list of runs [thread, first, end]. Rows are what a diagram
   shows: an event, or a fold of events that have nothing to do with the
   finding. Only the rows in sight are in the document. */

/* What moves a cursor, ends a line or turns the direction of writing is shown as
   base/plain.h has it; tabs stand in source. */
const STEERS = new RegExp('[\\0-\\x08\\n-\\x1f\\x7f-\\x9f\\u061c\\u200b-\\u200f' +
  '\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}]', 'gu');

function plain(text) {
  return text.replace(STEERS, c => [...new TextEncoder().encode(c)]
    .map(byte => '\\x' + byte.toString(16).padStart(2, '0')).join(''));
}

function plainValue(key, value) {
  return typeof value === 'string' ? plain(value)
    : key !== 'sources' ? value
      : Object.fromEntries(Object.entries(value)
        .map(([file, lines]) => [plain(file), lines]));
}

const all = JSON.parse(document.getElementById('data').textContent, plainValue);
const findings = all.runs.flatMap(run =>
  run.findings.map(finding => ({ ...finding, run })));
const $ = id => document.getElementById(id);
const ROW = 24, HEAD = 25, BAR = 6, LANE_LEAST = 120;

/* The width of a text in a diagram, in pixels: its letters are all alike. */
const LETTER = (() => {
  const probe = make('span', { class: 'diagram probe' }, 'm'.repeat(100));
  document.body.append(probe);
  const width = probe.getBoundingClientRect().width / 100;
  probe.remove();
  return width || 8;
})();

let data = null, threadIds, byIndex;

function use(run) {
  if (data === run)
    return;
  data = run;
  threadIds = new Map(data.threads.map((name, i) => [name, i]));
  byIndex = data.t.map(list => new Map(list.map(e => [e[0], e])));
  $('about').textContent = [data.program, data.trace,
    `${data.events} events`, `${data.threads.length} threads`,
    data.unfinished && 'interrupted: there may be more']
    .filter(Boolean).join(' · ');
}

let shown = [], current = null, steps = [], observed = [], position = 0;
const diagrams = {};

function make(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {}))
    if (value !== null && value !== undefined && value !== false)
      node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/* ---- schedules ---- */

function place(t, index) {
  const event = byIndex[t].get(index);
  return { t, index, event: event || null };
}

/* The steps of the predicted order; events that the page lacks are gaps. */
function expand(finding) {
  const out = [];
  if (finding.skipped && finding.schedule.length)
    out.push({ t: threadIds.get(finding.schedule[0][0]),
               gap: finding.skipped });
  for (const [name, first, end] of finding.schedule) {
    const t = threadIds.get(name);
    let missing = 0;
    for (let i = first; i < end; i++)
      if (byIndex[t].has(i)) {
        if (missing)
          out.push({ t, gap: missing });
        missing = 0;
        out.push(place(t, i));
      } else
        missing++;
    if (missing)
      out.push({ t, gap: missing });
  }
  const done = new Set(out.filter(s => s.event).map(s => s.event[1]));
  for (const access of finding.accesses) {
    const step = place(threadIds.get(access.thread), access.index);
    if (!step.event || done.has(step.event[1]))
      continue;
    step.next = true;
    out.push(step);
  }
  return out;
}

function overlaps(a, b) {
  const [, va, oa, sa] = data.keys[a], [, vb, ob, sb] = data.keys[b];
  return va === vb && (sa < 0 || sb < 0 || (oa < ob + sb && ob < oa + sa));
}

/* Which events have to do with the finding: its variables and locks. */
function interest(finding) {
  const keys = new Set(), locks = new Set(), claimed = new Set();
  for (const access of finding.accesses) {
    claimed.add(access.event);
    for (const lock of access.locks)
      locks.add(lock);
    if (access.lock)
      locks.add(access.lock);
    const e = place(threadIds.get(access.thread), access.index).event;
    if (e && 'rwu'.includes(e[4]))
      keys.add(e[5]);
  }
  const touched = new Map();
  return {
    claimed, keys,
    test(event) {
      if (claimed.has(event[1]) || event[4] === 's')
        return true;
      if (event[4] === 'a' || event[4] === 'e')
        return locks.has(data.locks[event[5]]);
      if (!'rwu'.includes(event[4]))
        return false;
      if (!touched.has(event[5]))
        touched.set(event[5], [...keys].some(key => overlaps(key, event[5])));
      return touched.get(event[5]);
    }
  };
}

function fold(list, relevant, unfolded) {
  const rows = [];
  for (let i = 0; i < list.length; i++) {
    const step = list[i], last = rows[rows.length - 1];
    const count = step.gap || 1;
    if (step.event && (unfolded || relevant.test(step.event)))
      rows.push({ step, at: i, until: i });
    else if (last && last.fold && last.step.t === step.t) {
      last.fold += count;
      last.until = i;
    } else
      rows.push({ step, at: i, until: i, fold: count });
  }
  return rows;
}

/* Bars: from the row of an acquire to that of the release. */
function lockBars(list, rows) {
  const bars = [], held = data.threads.map(() => []);
  const rowOf = new Map();
  rows.forEach((row, r) => { for (let i = row.at; i <= row.until; i++)
    rowOf.set(i, r); });
  list.forEach((step, i) => {
    const e = step.event;
    if (!e || step.next)
      return;
    if (e[4] === 'a')
      held[step.t].push({ lock: e[5], from: rowOf.get(i),
                          depth: held[step.t].length });
    else if (e[4] === 'e') {
      const k = held[step.t].map(h => h.lock).lastIndexOf(e[5]);
      if (k >= 0) {
        const [bar] = held[step.t].splice(k, 1);
        bars.push({ ...bar, t: step.t, to: rowOf.get(i) });
      }
    }
  });
  held.forEach((open, t) => open.forEach(bar =>
    bars.push({ ...bar, t, to: rows.length - 1 })));
  return { bars, rowOf };
}

/* Arrows: from the write to the reads that see it, for the finding's places. */
function readsFrom(list, rowOf, relevant) {
  const arrows = [], writers = new Map();
  list.forEach((step, i) => {
    const e = step.event;
    if (!e || step.next || !'rwu'.includes(e[4]) || !relevant.test(e))
      return;
    if (e[4] !== 'w') {
      let best = -1;
      for (const [key, at] of writers)
        if (at > best && overlaps(key, e[5]))
          best = at;
      if (best >= 0 && list[best].t !== step.t)
        arrows.push({ from: rowOf.get(best), ft: list[best].t,
                      to: rowOf.get(i), tt: step.t });
    }
    if (e[4] !== 'r')
      writers.set(e[5], i);
  });
  return arrows;
}

/* ---- one diagram ---- */

class Diagram {
  constructor(box) {
    this.box = box;
    this.lanes = make('div', { class: 'lanes', 'aria-hidden': 'true' });
    this.rowsBox = make('div', { class: 'rows' });
    box.append(this.lanes, this.rowsBox);
    /* Drawing replaces the rows, and a row that goes between press and release
       is not clicked: draw only what is not there. */
    box.addEventListener('scroll', () => {
      const { first, end } = this.range();
      if (first !== this.first || end !== this.end)
        this.draw();
    });
    box.addEventListener('click', event => {
      const row = event.target.closest('.row');
      if (row)
        goTo(this, Number(row.dataset.row));
    });
  }

  show(list, relevant, unfolded) {
    this.list = list;
    this.relevant = relevant;
    this.rows = fold(list, relevant, unfolded);
    const { bars, rowOf } = lockBars(list, this.rows);
    this.bars = bars;
    this.rowOf = rowOf;
    this.arrows = readsFrom(list, rowOf, relevant);
    const used = [...new Set(list.map(s => s.t))].sort((a, b) => a - b);
    this.lane = new Map(used.map((t, i) => [t, i]));
    this.place(used);
    this.box.style.height = `min(60vh, ${this.rows.length * ROW + 80}px)`;
    this.rowsBox.style.height = this.rows.length * ROW + 8 + 'px';
    this.draw();
  }

  /* Each lane is as wide as its longest text, so that nothing is cut; what room
     is left they share. */
  place(used) {
    const widths = new Map(used.map(t => [t, data.threads[t].length]));
    for (const row of this.rows)
      widths.set(row.step.t, Math.max(widths.get(row.step.t),
        this.label(row).length));
    const wanted = used.map(t => Math.max(LANE_LEAST,
      Math.ceil(widths.get(t) * LETTER * 1.04) + 30));
    const all = wanted.reduce((a, b) => a + b, 0);
    const more = Math.max(0, (this.box.clientWidth - 2 - all) / used.length);
    let x = 0;
    this.x = [];
    this.widths = wanted.map(w => Math.floor(w + more));
    for (const width of this.widths) {
      this.x.push(x);
      x += width;
    }
    this.lanes.replaceChildren(...used.map((t, i) => {
      const node = make('span', {}, data.threads[t]);
      node.style.width = this.widths[i] + 'px';
      return node;
    }));
    this.lanes.style.width = this.rowsBox.style.width = x + 'px';
  }

  label(row) {
    return row.fold ? `… ${row.fold} event${row.fold > 1 ? 's' : ''}`
                    : row.step.event[2];
  }

  /* The rows that are in sight, and some around them. */
  range() {
    const top = Math.max(0, this.box.scrollTop - HEAD);
    return {
      first: Math.max(0, Math.floor(top / ROW) - 20),
      end: Math.min(this.rows.length,
        Math.ceil((top + this.box.clientHeight) / ROW) + 20)
    };
  }

  draw() {
    const { first, end } = this.range();
    this.first = first;
    this.end = end;
    const nodes = [];
    for (let r = first; r < end; r++)
      nodes.push(this.row(r));
    for (const bar of this.bars)
      if (bar.to >= first && bar.from < end)
        nodes.push(this.bar(bar));
    nodes.push(this.svg(first, end));
    this.rowsBox.replaceChildren(...nodes);
    this.box.setAttribute('aria-activedescendant', this.box.id + '-now');
  }

  row(r) {
    const row = this.rows[r], step = row.step, event = step.event;
    const text = this.label(row), lane = this.lane.get(step.t);
    const where = event && !row.fold ? data.locations[event[3]] : '';
    const now = r === this.now;
    const classes = ['row'];
    if (row.fold)
      classes.push('fold');
    else if (this.relevant.claimed.has(event[1]))
      classes.push('claimed');
    else if (this.relevant.test(event))
      classes.push('touch');
    if (now)
      classes.push('now');
    const node = make('div', {
      class: classes.join(' '), role: 'option', 'data-row': r,
      'aria-selected': now ? 'true' : 'false', title: `${text}  ${where}`,
      'aria-label': `${data.threads[step.t]} ${text} ${where}`,
      'aria-posinset': r + 1, 'aria-setsize': this.rows.length,
      id: now ? this.box.id + '-now' : null
    }, text);
    node.style.top = r * ROW + 'px';
    node.style.left = this.x[lane] + 14 + 'px';
    node.style.width = this.widths[lane] - 14 + 'px';
    return node;
  }

  bar(bar) {
    const node = make('div', { class: 'bar',
      title: `holds ${data.locks[bar.lock]}` });
    node.style.top = bar.from * ROW + 4 + 'px';
    node.style.height = (bar.to - bar.from + 1) * ROW - 8 + 'px';
    node.style.left =
      this.x[this.lane.get(bar.t)] + 2 + (bar.depth % 2) * BAR + 'px';
    node.style.background = `var(--lock${bar.lock % 4})`;
    return node;
  }

  middle(t) {
    const lane = this.lane.get(t);
    return this.x[lane] + this.widths[lane] / 2;
  }

  svg(first, end) {
    const space = 'http://www.w3.org/2000/svg';
    const svg = document.createElementNS(space, 'svg');
    svg.setAttribute('aria-hidden', 'true');
    for (const arrow of this.arrows) {
      if (arrow.to < first || arrow.from >= end)
        continue;
      const x1 = this.middle(arrow.ft), x2 = this.middle(arrow.tt);
      const y1 = arrow.from * ROW + ROW / 2, y2 = arrow.to * ROW + 4;
      const path = document.createElementNS(space, 'path');
      path.setAttribute('d', `M${x1} ${y1} C${x1} ${(y1 + y2) / 2} ` +
        `${x2} ${(y1 + y2) / 2} ${x2} ${y2} m-4 -6 l4 6 l4 -6`);
      svg.append(path);
    }
    return svg;
  }

  select(r) {
    this.now = r;
    const y = r * ROW, box = this.box;
    const lane = this.rows[r] && this.lane.get(this.rows[r].step.t);
    if (lane !== undefined && (this.x[lane] < box.scrollLeft
        || this.x[lane] + this.widths[lane] > box.scrollLeft + box.clientWidth))
      box.scrollLeft = this.x[lane];
    if (y < box.scrollTop)
      box.scrollTop = y - ROW;
    else if (y + ROW + HEAD > box.scrollTop + box.clientHeight)
      box.scrollTop = y + 3 * ROW + HEAD - box.clientHeight;
    this.draw();
  }
}

/* ---- stepping ---- */

function goTo(diagram, row) {
  const predicted = diagrams.predicted;
  if (diagram !== predicted) {
    const event = diagram.rows[row].step.event;
    const at = steps.findIndex(s => s.event && event && s.event[1] === event[1]);
    row = at < 0 ? predicted.now : predicted.rowOf.get(at);
  }
  position = Math.max(0, Math.min(row, predicted.rows.length - 1));
  predicted.select(position);
  const chosen = predicted.rows[position];
  const event = chosen && chosen.step.event;
  const seen = event
    ? observed.findIndex(s => s.event && s.event[1] === event[1]) : -1;
  if (seen >= 0)
    diagrams.observed.select(diagrams.observed.rowOf.get(seen));
  showStep(chosen);
}

function showStep(row) {
  if (!row)
    return;
  const event = row.step.event, name = data.threads[row.step.t];
  const what = row.fold ? `${row.fold} events` : event[2];
  const where = row.fold ? '' : ` at ${data.locations[event[3]]}`;
  $('where').textContent = `${position + 1} of ` +
    `${diagrams.predicted.rows.length}: ${name} ${what}${where}` +
    (row.step.next ? ', next' : '');
  showValues(row);
  $('source').replaceChildren(
    row.fold ? '' : excerpt(data.locations[event[3]], 6));
}

/* Values of the finding's places after this row. */
function showValues(row) {
  const last = new Map();
  for (let i = 0; i <= row.until; i++) {
    const step = steps[i], e = step.event;
    if (e && !step.next && (e[4] === 'w' || e[4] === 'u' || e[4] === 'r')
        && diagrams.predicted.relevant.test(e))
      if (e[4] !== 'r' || !last.has(e[5]))
        last.set(e[5], { value: e[6], by: e[4] === 'r' ? 'initial' :
          `${data.threads[step.t]} at ${data.locations[e[3]]}` });
  }
  $('values').tBodies[0].replaceChildren(...[...last].map(([key, v]) =>
    make('tr', {}, make('td', {}, data.keys[key][0]),
      make('td', {}, v.value === '' ? 'not known' : v.value),
      make('td', {}, v.by))));
}

/* ---- source ---- */

function excerpt(location, around) {
  const cut = location.lastIndexOf(':');
  const file = location.slice(0, cut), line = Number(location.slice(cut + 1));
  const lines = cut > 0 && data.sources[file];
  if (!lines || !lines[line])
    return make('p', { class: 'hint' }, location || 'no location');
  const pre = make('pre', { 'aria-label': location });
  for (let n = line - around; n <= line + around; n++)
    if (lines[n] !== undefined)
      pre.append(make('span', { class: n === line ? 'hit' : null },
        make('span', { class: 'number' }, String(n).padStart(5)), lines[n]));
  return make('div', {}, make('code', {}, location), pre);
}

/* ---- a finding ---- */

/* The number of a stack, among those of the finding; or undefined. */
function stackBox(number, finding) {
  if (number === undefined)
    return [];
  const stack = finding.stacks[number];
  return [make('details', {}, make('summary', {}, 'Stack'),
    make('ol', {}, ...stack.frames.map(frame => make('li', {},
      `${frame.function || '?'} ${frame.location || ''}`))),
    ...(stack.more ? [make('p', {}, `… ${stack.more} more`)] : []))];
}

function accessBox(access, finding) {
  const place = access.file + (access.line ? ':' + access.line : '');
  const box = make('section', { class: 'access' });
  box.append(
    make('p', {}, make('b', {}, access.thread), ` ${access.op}` +
      (access.lock ? ` ${access.lock}` : '') +
      (access.function ? ` in ${access.function}` : '') + ` (${place})`),
    make('p', { class: 'hint' }, access.locks.length
      ? 'holding ' + access.locks.join(', ') : 'no locks held'),
    ...(access.because ? [make('p', {}, access.because.text)] : []),
    excerpt(place, 3));
  box.append(...stackBox(access.stack, finding));
  return box;
}

/* Memory or a lock, and where it was allocated. */
function objectBox(object, finding) {
  const place = object.file + (object.line ? ':' + object.line : '');
  const box = make('section', { class: 'access' });
  box.append(make('p', {}, make('b', {}, object.lock ? 'lock ' : '',
    object.lock || object.variable), `: ${object.text}`),
    excerpt(place, 1));
  box.append(...stackBox(object.stack, finding));
  return box;
}

/* What else the finding stands for: instances of its cause, or the other pairs
   of accesses that make a block not atomic. */
function showInstances(finding) {
  const others = (finding.pairs || finding.instances || []).slice(1);
  const box = $('more');
  const count = finding.morePairs || others.length + (finding.left_out || 0);
  const what = finding.pairs ? ['pair', ' of accesses'] : ['instance', ''];
  box.hidden = !others.length;
  box.querySelector('summary').textContent =
    `${count} more ${what[0]}${count === 1 ? '' : 's'}${what[1]}` +
    (count > others.length ? `, of which ${others.length} are here` : '');
  box.querySelector('ul').replaceChildren(...others.map(one => make('li', {},
    (one.pattern ? `${one.pattern} on ` : '') +
    [...new Set(one.variables || [one.variable])].join(' and ') + ': ' +
    one.accesses.map(a => `${a.file}:${a.line}`).join(', '))));
}

function select(finding) {
  current = finding;
  $('article').hidden = !finding;
  for (const button of $('list').querySelectorAll('button'))
    button.setAttribute('aria-current',
      String(finding && Number(button.dataset.id) === finding.id));
  if (!finding)
    return;
  use(finding.run);
  $('title').replaceChildren(`${finding.id}. ${finding.headline}`,
    make('span', { class: `badge ${finding.severity}` }, finding.severity),
    make('span', { class: `badge ${finding.status}` }, finding.status));
  $('summary').textContent = finding.sentence;
  $('replay').hidden = !finding.command;
  $('command').textContent = finding.command || '';
  $('copied').textContent = '';
  $('said').hidden = !finding.said;
  $('said').textContent = finding.said || '';
  $('accesses').replaceChildren(...finding.accesses.map(
    one => accessBox(one, finding)));
  $('objects').replaceChildren(...finding.objects.map(
    one => objectBox(one, finding)));
  showInstances(finding);
  steps = expand(finding);
  observed = steps.filter(s => s.event).map(s => ({ ...s, next: false }))
    .sort((a, b) => a.event[1] - b.event[1]);
  redraw();
}

function redraw() {
  const relevant = interest(current), unfolded = $('unfold').checked;
  diagrams.predicted.show(steps, relevant, unfolded);
  diagrams.observed.show(observed, relevant, unfolded);
  const rows = diagrams.predicted.rows;
  const claimed = rows.findIndex(r => !r.fold
    && relevant.claimed.has(r.step.event[1]));
  goTo(diagrams.predicted, claimed < 0 ? rows.length - 1 : claimed);
}

/* ---- the list ---- */

function matches(finding, words, kinds, levels) {
  const text = JSON.stringify([finding.kind, finding.severity, finding.status,
    finding.headline, (finding.pairs || []).map(p => p.variables),
    (finding.instances || []).map(i => i.variable),
    finding.accesses.map(a => [a.file, a.line, a.function, a.thread])])
    .toLowerCase();
  return kinds.has(finding.kind) && levels.has(finding.severity)
    && words.every(word => text.includes(word));
}

function refilter() {
  const words = $('filter').value.toLowerCase().split(/\s+/).filter(Boolean);
  const [kinds, levels] = ['kinds', 'levels'].map(id => new Set(
    [...$(id).querySelectorAll('input:checked')].map(box => box.value)));
  shown = findings.filter(f => matches(f, words, kinds, levels));
  $('shown').textContent =
    `${shown.length} of ${findings.length} findings`;
  $('list').replaceChildren(...shown.map(f => make('li', {},
    make('button', { type: 'button', 'data-id': f.id }, `${f.id}. ${f.headline}`,
      make('small', {}, (f.severity === 'error' ? '' : f.severity + ', ') +
        f.status + (f.count > 1 ? `, ${f.count} times` : ''))))));
  select(shown.includes(current) ? current : shown[0] || null);
}

function other(distance) {
  const i = shown.indexOf(current) + distance;
  if (shown[i])
    select(shown[i]);
}

const keys = {
  j: () => goTo(diagrams.predicted, position + 1),
  k: () => goTo(diagrams.predicted, position - 1),
  Home: () => goTo(diagrams.predicted, 0),
  End: () => goTo(diagrams.predicted, diagrams.predicted.rows.length - 1),
  ']': () => other(1),
  '[': () => other(-1),
  u: () => { $('unfold').checked = !$('unfold').checked; redraw(); },
  '/': () => $('filter').focus()
};
keys.ArrowDown = keys.j;
keys.ArrowUp = keys.k;

function onKey(event) {
  const typing = event.target.closest('input, select, textarea');
  const action = keys[event.key];
  if (typing || !action || event.ctrlKey || event.altKey || event.metaKey)
    return;
  if (event.key !== '/' && event.key !== '[' && event.key !== ']' && !current)
    return;
  event.preventDefault();
  action();
}

function flipTheme() {
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const now = document.documentElement.dataset.theme
    || (dark ? 'dark' : 'light');
  document.documentElement.dataset.theme = now === 'dark' ? 'light' : 'dark';
}

async function copy() {
  try {
    await navigator.clipboard.writeText($('command').textContent);
    $('copied').textContent = 'copied';
  } catch {
    getSelection().selectAllChildren($('command'));
    $('copied').textContent = 'selected';
  }
}

/* ---- exploration ---- */

const SVG = 'http://www.w3.org/2000/svg';
const CURVES = [[1, 'behaviours'], [2, 'pairs'], [3, 'failures']];

/* One line for each of what grew, each to its own height: the legend has the
   numbers. */
function drawCurve(points) {
  const width = 600, height = 120, runs = points[points.length - 1][0];
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', `-2 -4 ${width + 4} ${height + 8}`);
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', CURVES.map(([i, name]) =>
    `${points[points.length - 1][i]} ${name}`).join(', ') + ` in ${runs} runs`);
  for (const [i, name] of CURVES) {
    const most = Math.max(1, ...points.map(p => p[i]));
    const line = document.createElementNS(SVG, 'polyline');
    line.setAttribute('class', name);
    line.setAttribute('points', [[0, 0, 0, 0], ...points].map(p =>
      `${(p[0] / runs * width).toFixed(1)},` +
      `${(height - p[i] / most * height).toFixed(1)}`).join(' '));
    svg.append(line);
  }
  return svg;
}

function failureIn(trace) {
  return findings.find(f => f.run.trace.split('/').pop() === trace &&
    (f.kind === 'failure' || f.kind === 'deadlock'));
}

function failingRow(failing) {
  const finding = failing.trace && failureIn(failing.trace);
  const open = finding && make('button', { type: 'button' },
    `${finding.id}`);
  if (open)
    open.addEventListener('click', () => select(finding));
  return make('tr', {}, make('td', {}, failing.how),
    make('td', {}, `${failing.first}`), make('td', {}, `${failing.count}`),
    make('td', {}, open || ''));
}

function showExplored(explored) {
  $('explored').hidden = false;
  $('ending').textContent = `${explored.ending}: ${explored.runs} runs, ` +
    `${explored.behaviours} behaviours, ${explored.pairs} pairs covered, ` +
    `${explored.failures} behaviours fail` +
    (explored.limits.length ? ` (${explored.limits.join('; ')})` : '');
  if (explored.curve.length)
    $('curve').append(drawCurve(explored.curve));
  $('legend').append(...CURVES.map(([i, name]) => make('span', { class: name },
    `${name}: ${explored.curve.length ? explored.curve.at(-1)[i] : 0} `)));
  $('failing').hidden = !explored.failing.length;
  $('failing').tBodies[0].append(...explored.failing.map(failingRow));
}

function start() {
  if (all.explored)
    showExplored(all.explored);
  for (const name of ['predicted', 'observed'])
    diagrams[name] = new Diagram($(name));
  if (all.runs.length)
    use(all.runs[0]);
  for (const [id, key] of [['kinds', 'kind'], ['levels', 'severity']])
    for (const value of new Set(findings.map(f => f[key])))
      $(id).append(make('label', {}, make('input',
        { type: 'checkbox', value, checked: '' }), ` ${value}`));
  $('nothing').hidden = findings.length > 0 || all.missing > 0;
  $('left').textContent = [
    all.missing ? `${all.missing} finding${all.missing > 1 ? 's are' : ' is'}` +
      ' not on this page, which would be too large: see findings.json.' : '',
    all.cut ? 'Long schedules and lists are shown in part; ' +
      'findings.json and the witnesses have all of them.' : ''
  ].filter(Boolean).join(' ');
  $('left').hidden = !$('left').textContent;
  $('filter').addEventListener('input', refilter);
  $('kinds').addEventListener('change', refilter);
  $('levels').addEventListener('change', refilter);
  $('list').addEventListener('click', event => {
    const button = event.target.closest('button');
    if (button)
      select(shown.find(f => f.id === Number(button.dataset.id)));
  });
  $('first').addEventListener('click', keys.Home);
  $('last').addEventListener('click', keys.End);
  $('next').addEventListener('click', keys.j);
  $('back').addEventListener('click', keys.k);
  $('unfold').addEventListener('change', redraw);
  $('theme').addEventListener('click', flipTheme);
  $('copy').addEventListener('click', copy);
  document.addEventListener('keydown', onKey);
  refilter();
}

start();
