/* Shares of jobs that are done within a time: one curve for each policy, singled out by the key above the charts. */

const DASHES = ['', '7 3', '2 2.5', '9 3 2 3'];
const singled = {policy: null, listeners: new Map()};

function seriesClass(policy) {
  return 'series-' + policy % 8;
}

function seriesDash(policy) {
  return DASHES[(policy + Math.floor(policy / 8)) % DASHES.length];
}

function singleOut(policy) {
  singled.policy = policy;
  for (const listener of singled.listeners.values()) listener(policy);
}

function drawKey(report) {
  const list = document.getElementById('policy-key');
  report.policies.forEach((policy, i) => {
    const sample = svg('svg', {viewBox: '0 0 34 10', 'aria-hidden': 'true'},
                       svg('line', {x1: 0, y1: 5, x2: 34, y2: 5, class: seriesClass(i), 'stroke-width': 3, 'stroke-dasharray': seriesDash(i)}));
    const button = html('button', {type: 'button', 'aria-pressed': 'false'}, sample, nameElement(shortName(policy.name, 40)));
    button.addEventListener('click', () => singleOut(singled.policy === i ? null : i));
    singled.listeners.set(button, (policyNow) => button.setAttribute('aria-pressed', String(policyNow === i)));
    list.append(html('li', {}, button));
  });
}

/** The share of all jobs whose value is at most `x`. */
function shareWithin(steps, x, jobs) {
  let low = 0;
  let high = steps.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (steps[middle][1] <= x) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? 0 : steps[low - 1][0] / jobs;
}

/** The ends of a logarithmic axis over some curves; values of 0 lie at its low end. */
function logRange(curves, floor) {
  let low = Infinity;
  let high = 0;
  for (const steps of curves) {
    for (const [, value] of steps) {
      if (value >= floor) low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  if (!(high > 0)) return [floor, floor * 10];
  low = Math.min(low, high);
  return [low, Math.max(high * 1.05, low * 10)];
}

/** `chart`: {figure, key (of the policy's steps), floor, ticks, text, title, mark}. */
function drawShares(report, chart) {
  const curves = report.policies.map((policy) => policy[chart.key]);
  const [low, high] = logRange(curves, chart.floor);
  const reading = readingLine();
  keepDrawn(chart.figure, (width) => sharesSvg(report, chart, curves, low, high, width, reading));
  chart.figure.append(reading);
}

function curvePath(steps, jobs, low, high, x, y) {
  let path = 'M' + x(low).toFixed(1) + ' ' + y(shareWithin(steps, low, jobs)).toFixed(1);
  for (const [rank, value] of steps) {
    if (value > low) path += 'H' + x(value).toFixed(1) + 'V' + y(rank / jobs).toFixed(1);
  }
  return path + 'H' + x(high).toFixed(1);
}

function sharesSvg(report, chart, curves, low, high, width, reading) {
  const height = Math.round(Math.min(330, Math.max(220, width * 0.6)));
  const left = 42;
  const right = width - 12;
  const bottom = height - 26;
  const x = (value) => left + (right - left) * Math.log(Math.max(low, value) / low) / Math.log(high / low);
  const y = (share) => bottom - (bottom - 10) * share;
  const image = svg('svg', {class: 'chart', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': sharesSummary(report, chart, curves)});
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    image.append(svg('line', {class: 'grid', x1: left, x2: right, y1: y(share), y2: y(share)}),
                 svg('text', {x: left - 6, y: y(share) + 4, 'text-anchor': 'end'}, Math.round(100 * share) + '%'));
  }
  for (const tick of withRoom(chart.ticks(low, high).filter((value) => value >= low && value <= high), x, 40)) {
    image.append(svg('line', {class: 'grid', x1: x(tick), x2: x(tick), y1: 10, y2: bottom}),
                 svg('text', {x: x(tick), y: bottom + 18, 'text-anchor': x(tick) > right - 24 ? 'end' : 'middle'}, chart.text(tick)));
  }
  if (chart.mark >= low && chart.mark <= high) {
    image.append(svg('line', {class: 'fair', x1: x(chart.mark), x2: x(chart.mark), y1: 4, y2: bottom}),
                 svg('text', {x: x(chart.mark) + 4, y: bottom - 6}, chart.markText));
  }
  const paths = curves.map((steps, i) => svg('path', {
    class: 'curve ' + seriesClass(i), 'stroke-dasharray': seriesDash(i), d: steps.length === 0 ? '' : curvePath(steps, report.jobs, low, high, x, y)}));
  image.append(...paths);
  const show = (policy) => {
    image.classList.toggle('singled', policy !== null);
    paths.forEach((path, i) => path.classList.toggle('single', i === policy));
    if (policy !== null) image.append(paths[policy]);
  };
  show(singled.policy);
  singled.listeners.set(chart, show);
  followPointer(image, {left, right, top: 4, bottom}, (place) => {
    const value = low * Math.exp((place - left) / (right - left) * Math.log(high / low));
    const ranked = curves.map((steps, i) => [shareWithin(steps, value, report.jobs), report.policies[i].name]).sort((a, b) => b[0] - a[0]);
    reading.replaceChildren(chart.within + ' ' + chart.long(value) + ': ' + ranked.map(([share, name]) => shortName(name) + ' ' + percentText(share)).join(', '));
  });
  return image;
}

function sharesSummary(report, chart, curves) {
  const halves = curves.map((steps, i) => {
    const half = steps.find(([rank]) => rank >= report.jobs / 2);
    return shortName(report.policies[i].name) + ': ' + (half === undefined ? 'less than half at all' : 'half ' + chart.within + ' ' + chart.long(half[1]));
  });
  return chart.title + ', share of jobs. ' + halves.join('; ') + '. The table below has more.';
}

/** A line that follows the pointer over a chart; tells the place of the pointer. */
function followPointer(image, frame, tell) {
  const cross = svg('line', {class: 'cross', y1: frame.top, y2: frame.bottom});
  image.append(cross);
  image.addEventListener('pointermove', (event) => {
    const box = image.getBoundingClientRect();
    const place = Math.min(frame.right, Math.max(frame.left, (event.clientX - box.left) * image.viewBox.baseVal.width / box.width));
    setAttributes(cross, {x1: place, x2: place});
    cross.style.visibility = 'visible';
    tell(place);
  });
  image.addEventListener('pointerleave', () => { cross.style.visibility = 'hidden'; });
}
