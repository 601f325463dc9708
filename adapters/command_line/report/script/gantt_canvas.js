/* Draws what is seen of the allocations. */

const GANTT_TOP = 22;  // room for the times, in pixels

/** Paper is light whatever the screen is. */
const printing = {isOn: false};

/** Shades for 1, 2, 4, ... GPUs, and the other colours, as the page is shown now. */
function ganttColours() {
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches && !printing.isOn;
  const light = ['#6ea7e2', '#5691d4', '#417cc4', '#3068b0', '#225599', '#164380', '#0d3266', '#06214a'];
  const dark = ['#3d6da5', '#4a80bd', '#5a94d4', '#70a9e8', '#8dbef5', '#abd2fb', '#c9e3fe', '#e8f3ff'];
  return {
    shades: isDark ? dark : light,
    ink: isDark ? ['#fff', '#000', '#000', '#000', '#000', '#000', '#000', '#000'] : ['#000', '#000', '#000', '#fff', '#fff', '#fff', '#fff', '#fff'],
    background: isDark ? '#161d25' : '#ffffff',
    unknown: isDark ? '#3b4653' : '#c9d0d8',
    wait: isDark ? '#d09a4c' : '#b0782a',
    grid: isDark ? '#25303b' : '#e6eaef',
    text: isDark ? '#a3afbd' : '#55606e',
    font: '12px ' + getComputedStyle(document.body).fontFamily,
  };
}

function shadeOf(gpus) {
  return Math.min(7, Math.floor(Math.log2(Math.max(1, gpus))));
}

function drawSizes(report) {
  const list = document.getElementById('gantt-sizes');
  const colours = ganttColours();
  const names = ['1 GPU', '2–3', '4–7', '8–15', '16–31', '32–63', '64–127', '128 and more'];
  const largest = shadeOf(mostOf(report.jobColumns().max));
  const sample = (colour, height) => {
    const canvas = html('canvas', {width: 26, height: 12, 'aria-hidden': 'true'});
    const context = canvas.getContext('2d');
    context.fillStyle = colour;
    context.fillRect(0, (12 - height) / 2, 26, height);
    return canvas;
  };
  const isThinned = report.policies.some((policy) => policy.history_stride !== 1);
  const unknown = isThinned ? [html('li', {}, sample(colours.unknown, 12), 'left out of this file')] : [];
  list.replaceChildren(html('li', {}, sample(colours.wait, 2), 'waits'), ...unknown, ...names.slice(0, largest + 1).map((name, i) => html('li', {}, sample(colours.shades[i], 12), name)));
}

function drawGantt(gantt) {
  const canvas = gantt.canvas;
  const ratio = Math.min(2, window.devicePixelRatio || 1);
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext('2d');
  const colours = ganttColours();
  context.scale(ratio, ratio);
  context.fillStyle = colours.background;
  context.fillRect(0, 0, width, height);
  context.font = colours.font;
  drawTimes(context, gantt, colours, width, height);
  drawBars(context, gantt, colours, width, height);
  drawCross(context, colours, width, height);
}

function drawTimes(context, gantt, colours, width, height) {
  const tick = gantt.report.tick_s;
  const from = gantt.from * tick;
  const to = gantt.to * tick;
  const step = timeStep(to - from, width / 110);
  context.textBaseline = 'middle';
  for (let time = Math.ceil(from / step) * step; time <= to; time += step) {
    const x = Math.round((time - from) / (to - from) * width) + 0.5;
    context.fillStyle = colours.grid;
    context.fillRect(x, GANTT_TOP - 4, 1, height);
    context.fillStyle = colours.text;
    context.textAlign = x < 30 ? 'left' : x > width - 40 ? 'right' : 'center';
    context.fillText(instantText(time, step), Math.max(4, Math.min(width - 4, x)), GANTT_TOP / 2);
  }
}

function drawBars(context, gantt, colours, width, height) {
  const {begin, end, rows} = gantt.jobs;
  const histories = gantt.report.histories(gantt.policy);
  const rowHeight = (height - GANTT_TOP) / (gantt.bottom - gantt.top);
  const gap = rowHeight > 5 ? 1 : rowHeight > 2.5 ? 0.5 : 0;
  const frame = {scale: width / (gantt.to - gantt.from), bar: Math.max(1, rowHeight - gap), width, top: 0};
  const isSeen = (job) => rows[job] >= gantt.top - 1 && rows[job] < gantt.bottom && end[job] >= gantt.from;
  context.save();
  context.beginPath();
  context.rect(0, GANTT_TOP, width, height);
  context.clip();
  for (let job = 0; job < begin.length && begin[job] <= gantt.to; ++job) {
    if (!isSeen(job)) continue;
    frame.top = GANTT_TOP + (rows[job] - gantt.top) * rowHeight;
    drawJob(context, gantt, colours, histories, job, frame);
  }
  context.restore();
}

/** The parts of a job, one after the other; parts of the same pixel are drawn once. */
function drawJob(context, gantt, colours, histories, job, frame) {
  const {begin, end} = gantt.jobs;
  if (!histories.has(job)) {
    drawPart(context, gantt, colours, frame, begin[job], end[job], null);
    return;
  }
  let from = begin[job];
  let gpus = 0;
  let drawnTo = gantt.from;
  for (let change = histories.first[job]; change <= histories.first[job + 1]; ++change) {
    const isOver = change === histories.first[job + 1];
    const until = isOver ? end[job] : histories.at[change];
    if (until > from && (until - drawnTo) * frame.scale >= 0.5 && from <= gantt.to) {
      drawPart(context, gantt, colours, frame, from, until, gpus);
      drawnTo = until;
    }
    if (isOver) break;
    from = until;
    gpus = histories.gpus[change];
  }
  if (drawnTo === gantt.from && begin[job] >= gantt.from) drawPart(context, gantt, colours, frame, begin[job], end[job], largestOf(histories, job));
}

/** What stands for a job that is shorter than a pixel. */
function largestOf(histories, job) {
  let largest = 0;
  for (let change = histories.first[job]; change < histories.first[job + 1]; ++change) largest = Math.max(largest, histories.gpus[change]);
  return largest;
}

/** A line for waiting, a shaded bar for GPUs, a pale bar where they are not in this file (null). */
function drawPart(context, gantt, colours, frame, from, until, gpus) {
  const x = Math.max(-2, (from - gantt.from) * frame.scale);
  const wide = Math.max(0.8, Math.min(frame.width + 2, (until - gantt.from) * frame.scale) - x);
  if (gpus === 0) {
    const lineHeight = Math.max(1, Math.min(3, frame.bar / 4));
    context.fillStyle = colours.wait;
    context.fillRect(x, frame.top + (frame.bar - lineHeight) / 2, wide, lineHeight);
    return;
  }
  context.fillStyle = gpus === null ? colours.unknown : colours.shades[shadeOf(gpus)];
  context.fillRect(x, frame.top, wide > 4 ? wide - 0.6 : wide, frame.bar);
  const label = gpus === null ? '?' : String(gpus);
  if (frame.bar < 11 || wide <= 8 + 7 * label.length) return;
  context.fillStyle = gpus === null ? colours.text : colours.ink[shadeOf(gpus)];
  context.textAlign = 'left';
  context.fillText(label, Math.max(0, x) + 4, frame.top + frame.bar / 2 + 0.5);
}

function drawCross(context, colours, width, height) {
  const [x, y] = [width / 2, GANTT_TOP + (height - GANTT_TOP) / 2];
  if (document.activeElement !== document.getElementById('gantt-canvas')) return;
  context.beginPath();
  context.moveTo(x - 8, y);
  context.lineTo(x + 8, y);
  context.moveTo(x, y - 8);
  context.lineTo(x, y + 8);
  for (const [colour, thick] of [[colours.background, 4], [colours.text, 2]]) {
    context.strokeStyle = colour;
    context.lineWidth = thick;
    context.stroke();
  }
}
