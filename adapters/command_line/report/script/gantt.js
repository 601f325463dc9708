/* The allocations of all jobs: which row a job is in, what part is seen, and how that is moved. */

/** Rows of jobs in order of arrival: each takes the lowest row that is free when it arrives. */
function packedRows(begin, end) {
  const rows = new Uint32Array(begin.length);
  const free = new Heap((a, b) => a - b);
  const busy = new Heap((a, b) => end[a] - end[b]);
  let count = 0;
  for (let job = 0; job < begin.length; ++job) {
    while (busy.size > 0 && end[busy.top] <= begin[job]) free.push(rows[busy.pop()]);
    rows[job] = free.size > 0 ? free.pop() : count++;
    busy.push(job);
  }
  return {rows, count};
}

class Heap {
  constructor(compare) {
    this.compare = compare;
    this.items = [];
  }

  get size() { return this.items.length; }

  get top() { return this.items[0]; }

  push(item) {
    let at = this.items.push(item) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.compare(this.items[parent], item) <= 0) break;
      this.items[at] = this.items[parent];
      at = parent;
    }
    this.items[at] = item;
  }

  pop() {
    const result = this.items[0];
    const item = this.items.pop();
    const size = this.items.length;
    if (size === 0) return result;
    let at = 0;
    for (let child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && this.compare(this.items[child + 1], this.items[child]) < 0) ++child;
      if (this.compare(item, this.items[child]) <= 0) break;
      this.items[at] = this.items[child];
      at = child;
    }
    this.items[at] = item;
    return result;
  }
}

/** The jobs of a policy as bars: `begin` and `end` in ticks and the row of each. */
function layoutOf(report, policy, mode) {
  const jobs = report.jobColumns();
  const outcomes = report.outcomes(policy);
  const last = Math.ceil(report.policies[policy].timeline.lasted_s / report.tick_s);
  const count = report.shown_jobs;
  const begin = jobs.submitted;
  const end = new Float64Array(count);
  for (let job = 0; job < count; ++job) {
    end[job] = outcomes.status[job] === 2 ? begin[job] + outcomes.jct[job] : Math.max(begin[job], last);
  }
  if (mode === 'arrival') return {begin, end, rows: Uint32Array.from({length: count}, (_, job) => job), count, last};
  return {begin, end, last, ...packedRows(begin, end)};
}

/** The policy with the shortest mean completion time: the one to look at first. */
function bestPolicy(report) {
  const means = report.policies.map((policy) => policy.summary.jct_s.mean ?? Infinity);
  return means.indexOf(Math.min(...means));
}

class Gantt {
  constructor(report, openJob) {
    this.report = report;
    this.openJob = openJob;
    this.canvas = document.getElementById('gantt-canvas');
    this.tip = document.getElementById('gantt-tip');
    this.policySelect = document.getElementById('gantt-policy');
    this.rowsSelect = document.getElementById('gantt-rows');
    report.policies.forEach((policy, i) => this.policySelect.append(new Option(shortName(policy.name, 60), String(i))));
    this.policySelect.value = String(bestPolicy(report));
    this.layout = remembered((key) => layoutOf(report, Number(key.split(' ')[0]), key.split(' ')[1]));
    this.span = longestCourse(report) / report.tick_s;
    this.isAwake = false;
    this.isAsked = false;
    this.listen();
    this.showAll();
  }

  get policy() { return Number(this.policySelect.value); }

  get jobs() { return this.layout(this.policySelect.value + ' ' + this.rowsSelect.value); }

  /** Nothing is decoded or drawn before. */
  wake() {
    if (this.isAwake) return;
    this.isAwake = true;
    this.rowsOfAll = this.jobs.count;
    this.showAll();
  }

  showAll() {
    this.from = 0;
    this.to = Math.max(1, this.span);
    this.top = 0;
    this.bottom = this.isAwake ? Math.max(1, this.jobs.count) : 1;
    this.ask();
  }

  ask() {
    if (!this.isAwake || this.isAsked) return;
    this.isAsked = true;
    requestAnimationFrame(() => this.draw());
  }

  draw() {
    this.isAsked = false;
    drawGantt(this);
    const rows = this.jobs.count;
    const seen = `${shortName(this.report.policies[this.policy].name, 60)}: ${durationText(this.from * this.report.tick_s)} to ${durationText(this.to * this.report.tick_s)} after the first submission, rows ${countText(Math.floor(this.top) + 1)} to ${countText(Math.min(rows, Math.ceil(this.bottom)))} of ${countText(rows)}`;
    document.getElementById('gantt-state').textContent = seen + '.';
  }

  /** Zooms by a factor about a point given as shares of the width and the height. */
  zoom(factor, x = 0.5, y = 0.5) {
    const rows = Math.max(1, this.jobs.count);
    const time = this.from + (this.to - this.from) * x;
    const row = this.top + (this.bottom - this.top) * y;
    const width = Math.min(Math.max(1, this.span), Math.max(10, (this.to - this.from) / factor));
    const height = Math.min(rows, Math.max(16, (this.bottom - this.top) / factor));
    this.from = time - width * x;
    this.to = this.from + width;
    this.top = row - height * y;
    this.bottom = this.top + height;
    this.keepInside();
  }

  /** Moves by shares of what is seen. */
  move(x, y) {
    const width = this.to - this.from;
    const height = this.bottom - this.top;
    this.from += x * width;
    this.to += x * width;
    this.top += y * height;
    this.bottom += y * height;
    this.keepInside();
  }

  keepInside() {
    const end = Math.max(1, this.span, this.to - this.from);
    const rows = Math.max(1, this.jobs.count, this.bottom - this.top);
    const right = Math.max(0, -this.from) - Math.max(0, this.to - end);
    const down = Math.max(0, -this.top) - Math.max(0, this.bottom - rows);
    this.from += right;
    this.to += right;
    this.top += down;
    this.bottom += down;
    this.ask();
  }

  /** The job at a point given as shares of the width and the height, or null. */
  jobAt(x, y) {
    const {begin, end, rows} = this.jobs;
    const row = Math.floor(this.top + (this.bottom - this.top) * y);
    const time = this.from + (this.to - this.from) * x;
    const pixel = 3 * (this.to - this.from) / this.canvas.clientWidth;
    let nearest = null;
    let distance = pixel;
    for (let job = 0; job < begin.length && begin[job] <= time + pixel; ++job) {
      if (rows[job] !== row) continue;
      const away = Math.max(0, begin[job] - time, time - end[job]);
      if (away < distance) [nearest, distance] = [job, away];
    }
    return nearest;
  }

  listen() {
    for (const select of [this.policySelect, this.rowsSelect]) {
      select.addEventListener('change', () => {
        const [from, to] = [this.from, this.to];
        const isRows = select === this.rowsSelect;
        this.showAll();
        if (!isRows) [this.from, this.to] = [from, to];
      });
    }
    document.getElementById('zoom-in').addEventListener('click', () => this.zoom(2));
    document.getElementById('zoom-out').addEventListener('click', () => this.zoom(0.5));
    document.getElementById('zoom-all').addEventListener('click', () => this.showAll());
    this.canvas.addEventListener('keydown', (event) => this.press(event));
    this.canvas.addEventListener('wheel', (event) => this.turn(event), {passive: false});
    this.canvas.addEventListener('dblclick', (event) => this.zoom(2, ...this.place(event)));
    this.listenToPointer();
    new ResizeObserver(() => this.ask()).observe(this.canvas);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.ask());
  }

  place(event) {
    const box = this.canvas.getBoundingClientRect();
    return [(event.clientX - box.left) / box.width, (event.clientY - box.top - GANTT_TOP) / (box.height - GANTT_TOP)];
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const actions = {
      'ArrowLeft': () => this.move(-0.1, 0), 'ArrowRight': () => this.move(0.1, 0),
      'ArrowUp': () => this.move(0, -0.1), 'ArrowDown': () => this.move(0, 0.1),
      '+': () => this.zoom(1.5), '=': () => this.zoom(1.5), '-': () => this.zoom(1 / 1.5), '0': () => this.showAll(),
      'Enter': () => this.open(0.5, 0.5)};
    if (!(event.key in actions)) return;
    event.preventDefault();
    actions[event.key]();
  }

  open(x, y) {
    const job = this.jobAt(x, y);
    if (job !== null) this.openJob(job);
  }

  turn(event) {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY / 300), ...this.place(event));
  }

  listenToPointer() {
    let last = null;
    let travelled = 0;
    this.canvas.addEventListener('pointerdown', (event) => {
      last = this.place(event);
      travelled = 0;
      this.canvas.setPointerCapture(event.pointerId);
    });
    this.canvas.addEventListener('pointermove', (event) => {
      const now = this.place(event);
      if (last === null) {
        this.showTip(now, event);
        return;
      }
      travelled += Math.abs(now[0] - last[0]) + Math.abs(now[1] - last[1]);
      this.move(last[0] - now[0], last[1] - now[1]);
      last = now;
    });
    this.canvas.addEventListener('pointerup', (event) => {
      if (last !== null && travelled < 0.01) this.open(...this.place(event));
      last = null;
    });
    this.canvas.addEventListener('pointercancel', () => { last = null; });
    this.canvas.addEventListener('pointerleave', () => { this.tip.hidden = true; });
  }

  showTip(place, event) {
    if (!this.isAwake) return;
    const job = this.jobAt(...place);
    this.tip.hidden = job === null;
    if (job === null) return;
    const outcome = this.report.outcomes(this.policy);
    const tick = this.report.tick_s;
    const status = outcome.status[job] === 2 ? 'took ' + durationText(outcome.jct[job] * tick) : 'did not finish';
    this.tip.replaceChildren(html('b', {}, nameElement(shortName(this.report.names()[job], 60))),
                             html('span', {}, `${status}, waited ${durationText(outcome.waited[job] * tick)}`));
    const box = this.canvas.getBoundingClientRect();
    const x = Math.max(0, Math.min(event.clientX - box.left + 14, box.width - this.tip.offsetWidth - 4));
    const below = event.clientY - box.top + 16;
    const y = below + this.tip.offsetHeight > box.height ? below - 32 - this.tip.offsetHeight : below;
    this.tip.style.transform = `translate(${x}px, ${y}px)`;
  }
}
