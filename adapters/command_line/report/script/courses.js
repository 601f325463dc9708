/* What went on over time: a small chart for each policy, all on the same scales. */

function longestCourse(report) {
  return Math.max(1e-6, ...report.policies.map((policy) => policy.timeline.lasted_s));
}

/** `chart`: {figure, kind (class), values(timeline) -> one per bin, ceiling(timeline), note(policy), text(value), unit}. */
function drawCourses(report, chart) {
  const values = report.policies.map((policy) => chart.values(policy.timeline));
  const most = Math.max(1e-9, ...values.map(mostOf), ...(chart.ceiling ? report.policies.map((policy) => mostOf(chart.ceiling(policy.timeline))) : []));
  const reading = readingLine();
  keepDrawn(chart.figure, (width) => coursesSvg(report, chart, values, most, width, reading));
  chart.figure.append(reading);
}

function mostOf(values) {
  return values.reduce((most, value) => Math.max(most, value), 0);
}

/** Steps of a course, each as wide as a bin, and where the last one ends. */
function coursePath(values, timeline, x, y) {
  let path = '';
  let last = null;
  for (let i = 0; i < values.length; ++i) {
    const height = y(values[i]).toFixed(1);
    if (height !== last) path += (path === '' ? 'M' : 'H') + x(i * timeline.width_s).toFixed(1) + (path === '' ? ' ' : 'V') + height;
    last = height;
  }
  return path + 'H' + x(timeline.lasted_s).toFixed(1);
}

function coursesSvg(report, chart, values, most, width, reading) {
  const row = 62;
  const graph = 38;
  const height = row * report.policies.length + 24;
  const left = 6;
  const right = width - 46;
  const span = longestCourse(report);
  const x = (seconds) => left + (right - left) * seconds / span;
  const image = svg('svg', {class: 'chart ' + chart.kind, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': coursesSummary(report, chart)});
  const step = timeStep(span, (right - left) / 90);
  for (let tick = 0; tick <= span; tick += step) {
    image.append(svg('line', {class: 'grid', x1: x(tick), x2: x(tick), y1: 18, y2: height - 22}),
                 svg('text', {x: x(tick), y: height - 6, 'text-anchor': tick === 0 ? 'start' : 'middle'}, instantText(tick, step)));
  }
  report.policies.forEach((policy, i) => {
    const base = row * (i + 1) - 6;
    const y = (value) => base - graph * value / most;
    const edge = coursePath(values[i], policy.timeline, x, y);
    image.append(
        svg('text', {class: 'name', x: left, y: base - graph - 6}, shortName(policy.name)),
        svg('text', {x: right, y: base - graph - 6, 'text-anchor': 'end'}, chart.note(policy)),
        svg('line', {class: 'axis', x1: left, x2: right, y1: base, y2: base}));
    if (chart.ceiling) image.append(svg('path', {class: 'ceiling', d: coursePath(chart.ceiling(policy.timeline), policy.timeline, x, y)}));
    image.append(svg('path', {class: 'area', d: edge + 'V' + base + 'H' + x(0).toFixed(1) + 'Z'}), svg('path', {class: 'edge', d: edge}),
                 svg('text', {x: right + 5, y: base}, '0'), svg('text', {x: right + 5, y: y(most) + 8}, chart.text(most)));
  });
  followPointer(image, {left, right, top: 18, bottom: height - 22}, (place) => {
    const seconds = span * (place - left) / (right - left);
    const parts = report.policies.map((policy, i) => {
      const bin = Math.floor(seconds / policy.timeline.width_s);
      return shortName(policy.name) + ' ' + (seconds <= policy.timeline.lasted_s && bin < values[i].length ? chart.text(values[i][bin]) : 'over');
    });
    reading.replaceChildren('after ' + durationText(seconds) + ': ' + parts.join(', '));
  });
  return image;
}

function coursesSummary(report, chart) {
  return chart.title + ' over ' + durationText(longestCourse(report)) + '. ' +
      report.policies.map((policy) => shortName(policy.name) + ': ' + chart.note(policy)).join('; ') + '.';
}

function changesPerHour(timeline) {
  return timeline.resize.map((resizes, i) => {
    const lasted = Math.min(timeline.width_s, timeline.lasted_s - i * timeline.width_s);
    return lasted > 0 ? (resizes + timeline.migrate[i] + timeline.stop[i]) * 3600 / lasted : 0;
  });
}

function meanWaiting(timeline) {
  let sum = 0;
  timeline.waiting.forEach((waiting, i) => { sum += waiting * Math.min(timeline.width_s, timeline.lasted_s - i * timeline.width_s); });
  return timeline.lasted_s > 0 ? sum / timeline.lasted_s : 0;
}

function drawCluster(report) {
  drawCourses(report, {
    figure: document.getElementById('held-chart'), kind: 'held', title: 'GPUs held', text: roundedText,
    values: (timeline) => timeline.held, ceiling: (timeline) => timeline.capacity,
    note: (policy) => policy.summary.utilization_held === null ? 'no job finished' : percentText(policy.summary.utilization_held) + ' held'});
  drawCourses(report, {
    figure: document.getElementById('queue-chart'), kind: 'queue', title: 'Jobs waiting', text: roundedText,
    values: (timeline) => timeline.waiting,
    note: (policy) => 'mean ' + roundedText(meanWaiting(policy.timeline)) + ', most ' + countText(mostOf(policy.timeline.mostWaiting))});
  drawCourses(report, {
    figure: document.getElementById('changes-chart'), kind: 'changes', title: 'Changes of running jobs an hour', text: roundedText,
    values: changesPerHour,
    note: (policy) => countText(policy.summary.resizes + policy.summary.migrations + policy.summary.preemptions) + ' in all'});
  const widths = report.policies.map((policy) => policy.timeline.width_s);
  document.getElementById('course-method').textContent =
      'Each step of a curve is the exact mean over ' + durationText(Math.min(...widths)) +
      (Math.max(...widths) > Math.min(...widths) ? ' to ' + durationText(Math.max(...widths)) + ', longer where a run lasted longer' : '') + '; a thin line above is the GPUs there were.';
  document.getElementById('course-table').addEventListener('toggle', () => fillCourseTable(report), {once: true});
}

/** The mean of a course between two instants; null where there is none. */
function meanBetween(values, timeline, from, to) {
  let sum = 0;
  let time = 0;
  for (let i = Math.floor(from / timeline.width_s); i < values.length; ++i) {
    const begin = Math.max(from, i * timeline.width_s);
    const end = Math.min(to, (i + 1) * timeline.width_s, timeline.lasted_s);
    if (end <= begin) break;
    sum += values[i] * (end - begin);
    time += end - begin;
  }
  return time > 0 ? sum / time : null;
}

function fillCourseTable(report) {
  const span = longestCourse(report);
  const step = timeStep(span, 16);
  const head = html('tr', {}, html('th', {scope: 'col'}, 'from'));
  for (const policy of report.policies) {
    head.append(html('th', {scope: 'col'}, nameElement(shortName(policy.name)), ', GPUs held'), html('th', {scope: 'col'}, nameElement(shortName(policy.name)), ', waiting'));
  }
  const body = html('tbody');
  for (let from = 0; from < span; from += step) {
    const row = html('tr', {}, html('th', {scope: 'row'}, instantText(from, step)));
    for (const {timeline} of report.policies) {
      for (const values of [timeline.held, timeline.waiting]) {
        const mean = meanBetween(values, timeline, from, from + step);
        row.append(html('td', {}, mean === null ? '–' : roundedText(mean)));
      }
    }
    body.append(row);
  }
  document.getElementById('course-table').append(
      html('div', {class: 'scroll', role: 'region', tabindex: '0', 'aria-label': 'Means over time'},
           html('table', {class: 'figures'}, html('caption', {}, 'Means over ' + durationText(step)), html('thead', {}, head), body)));
}
